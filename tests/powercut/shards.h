// Runs many checks in a few processes, so that a check that crashes is a finding like any other.
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

// Calls check(i) for every i below `count` in ascending order, in `jobs` processes that each take every jobs-th. A text
// that is not empty is a finding. Each process calls `make` once to get its check.
using Check = std::function<std::string(uint64_t)>;
std::vector<Finding> RunShards(uint64_t count, unsigned jobs, const std::function<Check()>& make);

}  // namespace widerow::powercut
