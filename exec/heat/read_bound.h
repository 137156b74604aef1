// The greatest error of a number of reads that was estimated from samples.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace widerow {

// A sampled read counts for this number of reads (exec/load/operation_sampler.h).
inline constexpr uint64_t kReadsOfSample = 64;

// Returns the greatest error of the estimate `samples` * kReadsOfSample. The true error is greater in one of 1e9 cases.
// `skipped`: the part of OperationSampler::skipped() that belongs to the same time. No error is greater than `skipped`.
//
// Nobody but the sampler knows which reads it chooses. So for each set of reads, the number of samples in it is a sum
// of independent yes-or-no draws, and Chernoff's bound holds: with m expected draws, the probability of m - x draws or
// fewer is at most exp(-x² / 2m). A deviation upwards is less probable still.
inline uint64_t BoundOfSampledReads(uint64_t samples, uint64_t skipped) {
  if (skipped == 0) return 0;
  constexpr double kLog = 21.42;  // ln(2e9)
  const double draws = kLog + std::sqrt(kLog * kLog + 2 * kLog * static_cast<double>(samples));
  return std::min(skipped, static_cast<uint64_t>(std::ceil(draws * static_cast<double>(kReadsOfSample))));
}

}  // namespace widerow
