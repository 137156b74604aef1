// The greatest error of a number of reads that was estimated from samples.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace widerow {

// A sampled read counts for this number of reads (exec/load/operation_sampler.h).
inline constexpr uint64_t kReadsOfSample = 64;

// Returns a bound for the error of the estimate `samples` * kReadsOfSample. The error is greater than the bound in one
// of 1e9 cases. `skipped` is the number of reads that were not measured in the same time (OperationSampler::skipped);
// no error is greater.
//
// The sampler chooses reads by random numbers that nobody else knows. So for each set of reads, the number of samples
// in it is a sum of independent yes-or-no draws, and Chernoff's bound holds: if m samples are expected, m - x or fewer
// of them come with a probability of at most exp(-x² / 2m). These are the cases in which the estimate is too low. An
// estimate that is too high by the same number is less probable.
inline uint64_t BoundOfSampledReads(uint64_t samples, uint64_t skipped) {
  if (skipped == 0) return 0;
  constexpr double kLog = 21.42;  // ln(2e9)
  const double draws = kLog + std::sqrt(kLog * kLog + 2 * kLog * static_cast<double>(samples));
  return std::min(skipped, static_cast<uint64_t>(std::ceil(draws * static_cast<double>(kReadsOfSample))));
}

}  // namespace widerow
