// The greatest error of a number of reads that was estimated from samples.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace widerow {

// A sampled read counts for this number of reads (exec/load/operation_sampler.h).
inline constexpr uint64_t kReadsOfSample = 64;

// Returns a bound for the error of the estimate `samples` * kReadsOfSample. The error is greater than the bound in one
// of 1e9 cases. `skipped`: the part of OperationSampler::skipped() that belongs to the same time. No error is greater
// than `skipped`.
//
// The sampler chooses reads by random numbers that nobody else knows. So for each set of reads, the number of samples
// in it is a sum of independent yes-or-no draws, and Chernoff's bound holds: if m samples are expected, the probability
// of m - x samples or fewer is at most exp(-x² / 2m). Then the estimate is too low. With the same number of samples, an
// estimate that is too high by as much is less probable still.
inline uint64_t BoundOfSampledReads(uint64_t samples, uint64_t skipped) {
  if (skipped == 0) return 0;
  constexpr double kLog = 21.42;  // ln(2e9)
  const double draws = kLog + std::sqrt(kLog * kLog + 2 * kLog * static_cast<double>(samples));
  return std::min(skipped, static_cast<uint64_t>(std::ceil(draws * static_cast<double>(kReadsOfSample))));
}

}  // namespace widerow
