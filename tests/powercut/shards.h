// Runs many checks in a few child processes. So a check that crashes does not end the run: it is a finding.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace widerow::powercut {

struct Finding {
  uint64_t index = 0;
  std::string text;
};

// Calls check(i) for each i below `count`, in `jobs` processes. Each process takes every `jobs`-th i, in ascending
// order. A check that returns a text has found something. Each process calls `make` once to get its check.
using Check = std::function<std::string(uint64_t)>;
std::vector<Finding> RunShards(uint64_t count, unsigned jobs, const std::function<Check()>& make);

}  // namespace widerow::powercut
