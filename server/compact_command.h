// `widerow compact`: shows progress and prints the result. storage/engine/compact.h does the work.
#pragma once

#include <chrono>
#include <string>

#include "base/result.h"
#include "server/config.h"

namespace widerow {

// Compacts the data directory. After an error the data is unchanged.
Status Compact(const CompactOptions& options);

// Returns text such as "1:05 left" when `done` of `all` parts of the work have taken `elapsed`; empty if `done` is 0.
std::string TimeLeft(std::chrono::duration<double> elapsed, uint64_t done, uint64_t all);

}  // namespace widerow
