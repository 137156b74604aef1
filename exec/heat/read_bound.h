// The greatest error of a number of reads that was estimated from samples.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace widerow {

// A sampled read counts for this number of reads (exec/load/operation_sampler.h).
inline constexpr uint64_t kReadsOfSample = 64;

// Returns the bound: reads * kReadsOfSample differs from the true number by more than this once in 1e9 figures. Nobody
// but the sampler knows which reads it chooses. So for each set of reads the samples in it are a sum of independent
// yes-or-no draws, and Chernoff's bound holds: with m expected draws, the probability of m - x draws or fewer is at
// most exp(-x² / 2m). A deviation upwards is less probable still. `skipped`: OperationSampler::skipped() of the time;
// the error cannot be greater.
inline uint64_t BoundOfSampledReads(uint64_t samples, uint64_t skipped) {
  if (skipped == 0) return 0;
  constexpr double kLog = 21.42;  // ln(2e9)
  const double draws = kLog + std::sqrt(kLog * kLog + 2 * kLog * static_cast<double>(samples));
  return std::min(skipped, static_cast<uint64_t>(std::ceil(draws * static_cast<double>(kReadsOfSample))));
}

}  // namespace widerow
