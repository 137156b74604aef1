// Narrows floating-point numbers as Java does: a number out of range becomes the nearest number in range, NaN becomes
// zero.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace widerow::functions {

template <typename T>
T Saturate(double value) {
  if (std::isnan(value)) return 0;
  if (value <= static_cast<double>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
  if (value >= static_cast<double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
  return static_cast<T>(value);
}

inline int32_t JavaInt(double value) { return Saturate<int32_t>(value); }
inline int64_t JavaLong(double value) { return Saturate<int64_t>(value); }

}  // namespace widerow::functions
