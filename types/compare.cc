#include "types/compare.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "types/decimal.h"
#include "types/uuid_order.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

template <typename T>
int Order(T a, T b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

int OrderBytes(ByteView a, ByteView b) {
  const int order = a.compare(b);
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}

// Compares as Java's Double.compare does: -0.0 before 0.0, NaN last and equal to itself.
template <typename T>
int OrderFloats(T a, T b) {
  if (a < b) return -1;
  if (a > b) return 1;
  if (std::isnan(a) || std::isnan(b)) return Order(std::isnan(a), std::isnan(b));
  return Order(std::signbit(b), std::signbit(a));
}

// Compares as IntegerType.compareIntegers does, in fewer steps: by sign, then by length without padding, then by bytes.
int OrderVarints(ByteView a, ByteView b) {
  const auto negative = [](ByteView bytes) { return static_cast<int8_t>(bytes[0]) < 0; };
  const auto significant = [](ByteView bytes, bool is_negative) {
    const char padding = is_negative ? '\xFF' : '\0';
    while (bytes.size() > 1 && bytes[0] == padding && (static_cast<int8_t>(bytes[1]) < 0) == is_negative) {
      bytes.remove_prefix(1);
    }
    return bytes;
  };
  const bool negative_a = negative(a), negative_b = negative(b);
  if (negative_a != negative_b) return negative_a ? -1 : 1;
  a = significant(a, negative_a);
  b = significant(b, negative_b);
  if (a.size() != b.size()) return (a.size() < b.size()) != negative_a ? -1 : 1;
  return OrderBytes(a, b);
}

int OrderElements(const Type& type, ByteView a, ByteView b) {
  const auto elements_a = SplitCollection(type, a), elements_b = SplitCollection(type, b);
  if (!elements_a.ok() || !elements_b.ok()) return OrderBytes(a, b);
  const size_t common = std::min(elements_a->size(), elements_b->size());
  for (size_t i = 0; i < common; ++i) {
    const Type& element = *type.arguments[i % type.arguments.size()];
    if (const int order = Compare(element, *(*elements_a)[i], *(*elements_b)[i]); order != 0) return order;
  }
  return Order(elements_a->size(), elements_b->size());
}

// Compares field by field. A null sorts before all values; missing fields are nulls.
int OrderFields(const Type& type, ByteView a, ByteView b) {
  const auto fields_a = SplitTuple(type, a), fields_b = SplitTuple(type, b);
  if (!fields_a.ok() || !fields_b.ok()) return OrderBytes(a, b);
  for (size_t i = 0; i < type.arguments.size(); ++i) {
    const ValueView& field_a = (*fields_a)[i];
    const ValueView& field_b = (*fields_b)[i];
    if (!field_a || !field_b) {
      if (field_a.has_value() != field_b.has_value()) return field_a ? 1 : -1;
      continue;
    }
    if (const int order = Compare(*type.arguments[i], *field_a, *field_b); order != 0) return order;
  }
  return 0;
}

int OrderUuids(bool timeuuid, ByteView a, ByteView b) {
  const UuidOrderKey key_a = timeuuid ? TimeuuidToOrder(a.data()) : UuidToOrder(a.data());
  const UuidOrderKey key_b = timeuuid ? TimeuuidToOrder(b.data()) : UuidToOrder(b.data());
  return key_a.high != key_b.high ? Order(key_a.high, key_b.high) : Order(key_a.low, key_b.low);
}

}  // namespace

int Compare(const Type& type, ByteView a, ByteView b) {
  if (a.empty() || b.empty()) return Order(!a.empty(), !b.empty());
  // Values that ValidateValue would refuse still get an order; no read goes past their end.
  const size_t fixed = FixedSize(type.kind);
  if (fixed != 0 && (a.size() != fixed || b.size() != fixed)) return OrderBytes(a, b);
  switch (type.kind) {
    case TypeKind::kAscii:
    case TypeKind::kBlob:
    case TypeKind::kText:
    case TypeKind::kInet:
    case TypeKind::kDate:
    case TypeKind::kTime:
    case TypeKind::kDuration: return OrderBytes(a, b);
    case TypeKind::kBoolean: return Order(a[0] != 0, b[0] != 0);
    case TypeKind::kTinyint:
    case TypeKind::kSmallint:
    case TypeKind::kInt:
    case TypeKind::kBigint:
    case TypeKind::kCounter:
    case TypeKind::kTimestamp: return Order(DecodeInteger(a), DecodeInteger(b));
    case TypeKind::kFloat: return OrderFloats(DecodeFloat(a), DecodeFloat(b));
    case TypeKind::kDouble: return OrderFloats(DecodeDouble(a), DecodeDouble(b));
    case TypeKind::kVarint: return OrderVarints(a, b);
    case TypeKind::kDecimal:
      if (a.size() < 4 || b.size() < 4) return OrderBytes(a, b);
      return Order(CompareDecimals(DecodeDecimal(a), DecodeDecimal(b)), 0);
    case TypeKind::kUuid:
    case TypeKind::kTimeuuid: return OrderUuids(type.kind == TypeKind::kTimeuuid, a, b);
    case TypeKind::kList:
    case TypeKind::kSet:
    case TypeKind::kMap:
    case TypeKind::kVector: return OrderElements(type, a, b);
    case TypeKind::kTuple:
    case TypeKind::kUdt: return OrderFields(type, a, b);
  }
  return OrderBytes(a, b);
}

}  // namespace widerow
