// Values for the markers of statements.
#pragma once

#include "planner/evaluate/evaluate.h"
#include "types/value_bytes.h"

namespace widerow {

inline BoundValue Int(int64_t number) { return {BoundValue::Kind::kValue, EncodeInteger(TypeKind::kInt, number)}; }
inline BoundValue Big(int64_t number) { return {BoundValue::Kind::kValue, EncodeInteger(TypeKind::kBigint, number)}; }
inline BoundValue Count(int64_t number) {
  return {BoundValue::Kind::kValue, EncodeInteger(TypeKind::kCounter, number)};
}

}  // namespace widerow
