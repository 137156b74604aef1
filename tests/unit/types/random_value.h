// Makes random valid values of any type. Most of them are hard to sort: empty values, zeros, signs, close neighbors.
#pragma once

#include <cstring>
#include <limits>
#include <random>

#include "types/decimal.h"
#include "types/type.h"
#include "types/value_bytes.h"
#include "types/vint.h"

namespace widerow::testing {

class ValueMaker {
 public:
  // With `readable`, makes only values whose text can be read back. So there are no tuples without bytes, which look
  // like tuples of nulls. There are no decimals of extreme scales, whose exponents neither Java nor Widerow reads.
  explicit ValueMaker(uint64_t seed, bool readable = false) : random_(seed), readable_(readable) {}

  uint64_t Below(uint64_t bound) { return random_() % bound; }
  bool OneIn(uint64_t n) { return Below(n) == 0; }

  Bytes Make(const Type& type) {
    const bool is_tuple = type.kind == TypeKind::kTuple || type.kind == TypeKind::kUdt;
    const bool may_be_empty = ValidateValue(type, {}).ok() && !(readable_ && is_tuple);
    if (may_be_empty && OneIn(12)) return {};
    switch (type.kind) {
      case TypeKind::kAscii:
      case TypeKind::kText: return Text();
      case TypeKind::kBlob: return Blob();
      case TypeKind::kBoolean: return Bytes(1, static_cast<char>(Below(2)));
      case TypeKind::kFloat: return MakeFloat();
      case TypeKind::kDouble: return MakeDouble();
      case TypeKind::kTimeuuid:
      case TypeKind::kUuid: return MakeUuid(type.kind == TypeKind::kTimeuuid);
      case TypeKind::kTime: return EncodeInteger(type.kind, static_cast<int64_t>(Below(86'400'000'000'000)));
      case TypeKind::kInet: return MakeInet();
      case TypeKind::kDuration: return MakeDuration();
      case TypeKind::kVarint: return MakeVarint();
      case TypeKind::kDecimal: return MakeDecimal();
      case TypeKind::kList:
      case TypeKind::kSet:
      case TypeKind::kMap:
      case TypeKind::kVector: return MakeCollection(type);
      case TypeKind::kTuple:
      case TypeKind::kUdt: return MakeTuple(type);
      default: return EncodeInteger(type.kind, Integer());
    }
  }

  // Returns random bytes, which need not be a valid value.
  Bytes Garbage() {
    Bytes out;
    for (uint64_t left = Below(24); left > 0; --left) out += static_cast<char>(OneIn(3) ? Below(5) : Below(256));
    return out;
  }

 private:
  int64_t Integer() {
    const auto raw = static_cast<int64_t>(random_());
    switch (Below(4)) {
      case 0: return raw;
      case 1: return static_cast<int64_t>(Below(5)) - 2;
      case 2: return raw >> Below(64);
      default: {
        const int64_t power = static_cast<int64_t>(uint64_t{1} << Below(63));
        return (OneIn(2) ? power : -power) + static_cast<int64_t>(Below(3)) - 1;
      }
    }
  }
  Bytes Blob() {
    Bytes out;
    constexpr char kBytes[] = {'\0', '\0', '\x01', '\xFE', '\xFF', 'a', '\x38', '\x40'};
    for (uint64_t left = Below(7); left > 0; --left) out.push_back(kBytes[Below(sizeof kBytes)]);
    return out;
  }
  Bytes Text() {
    Bytes out;
    for (uint64_t left = Below(6); left > 0; --left) {
      constexpr char kBytes[] = {'\0', '\0', '\x01', 'a', 'b', '\x7F', '\'', '"', '\\', ',', '}', ' '};
      out.push_back(kBytes[Below(sizeof kBytes)]);
    }
    return out;
  }
  Bytes MakeFloat() {
    if (OneIn(3)) {
      constexpr uint32_t kBits[] = {0, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00001, 1, 0x80000001};
      return EncodeFloat(std::bit_cast<float>(kBits[Below(8)]));
    }
    return EncodeFloat(OneIn(2) ? std::bit_cast<float>(static_cast<uint32_t>(random_()))
                                : static_cast<float>(static_cast<int>(Below(7)) - 3) / 2);
  }
  Bytes MakeDouble() {
    if (OneIn(3)) {
      constexpr uint64_t kBits[] = {0, 1ULL << 63, 0x7FF0ULL << 48, 0xFFF0ULL << 48, 0x7FF8ULL << 48, 0xFFF8ULL << 48,
                                    1};
      return EncodeDouble(std::bit_cast<double>(kBits[Below(7)]));
    }
    return EncodeDouble(OneIn(2) ? std::bit_cast<double>(random_()) : static_cast<double>(Integer()) / 8);
  }
  Bytes MakeUuid(bool timeuuid) {
    Bytes out;
    for (int i = 0; i < 16; ++i) out.push_back(static_cast<char>(OneIn(2) ? Below(2) * 0xFF : Below(256)));
    const uint64_t version = timeuuid ? 1 : OneIn(2) ? 1 : Below(16);
    out[6] = static_cast<char>((out[6] & 0x0F) | version << 4);
    return out;
  }
  Bytes MakeInet() {
    // Avoids IPv6 addresses that contain an IPv4 address, because they are printed as the IPv4 address.
    Bytes out(OneIn(2) ? 4 : 16, '\0');
    for (char& c : out) c = static_cast<char>(OneIn(2) ? 0 : Below(256));
    if (out.size() == 16) out[0] = '\x20';
    return out;
  }
  Bytes MakeDuration() {
    const int64_t sign = OneIn(2) ? 1 : -1;
    Bytes out;
    AppendSignedVint(out, sign * static_cast<int64_t>(Below(OneIn(2) ? 20 : 2'147'483'647)));
    AppendSignedVint(out, sign * static_cast<int64_t>(Below(OneIn(2) ? 20 : 2'147'483'647)));
    AppendSignedVint(out, sign * static_cast<int64_t>(Below(OneIn(2) ? 20 : std::numeric_limits<int64_t>::max())));
    return out;
  }
  Bytes MakeVarint() {
    if (OneIn(2)) return Bytes(Below(3), OneIn(2) ? '\0' : '\xFF') + EncodeVarint(Integer());
    Bytes out;
    for (uint64_t left = Below(12) + 1; left > 0; --left) {
      out += static_cast<char>(OneIn(2) ? Below(2) * 0xFF : Below(256));
    }
    return out;
  }
  Bytes MakeDecimal() {
    const Bytes small = EncodeVarint(static_cast<int64_t>(Below(2'001)) - 1'000);
    Decimal value = DecodeVarint(OneIn(2) ? small : MakeVarint());
    value.scale = static_cast<int32_t>(Below(9)) - 4;
    using Scale = std::numeric_limits<int32_t>;
    if (!readable_ && OneIn(12)) value.scale = OneIn(2) ? Scale::max() : Scale::min();
    return EncodeDecimal(value);
  }
  Bytes MakeCollection(const Type& type) {
    const size_t step = type.kind == TypeKind::kMap ? 2 : 1;
    const size_t count = type.kind == TypeKind::kVector ? type.dimension : Below(4) * step;
    std::vector<Bytes> parts;
    for (size_t i = 0; i < count; ++i) parts.push_back(Make(*type.arguments[i % type.arguments.size()]));
    std::vector<ValueView> views(parts.begin(), parts.end());
    if (type.kind == TypeKind::kVector) {
      // An element of a vector cannot be empty if its type has a fixed size.
      for (size_t i = 0; i < count; ++i) {
        while (FixedSize(type.arguments[0]->kind) != 0 && parts[i].empty()) parts[i] = Make(*type.arguments[0]);
      }
      views.assign(parts.begin(), parts.end());
    }
    SortCollection(type, views);
    return JoinCollection(type, views);
  }
  Bytes MakeTuple(const Type& type) {
    std::vector<Value> fields;
    for (const TypePtr& field : type.arguments) {
      if (OneIn(8) && !(readable_ && fields.empty())) break;  // The value has fewer fields than its type.
      fields.push_back(OneIn(4) ? Value() : Value(Make(*field)));
    }
    return JoinTuple({fields.begin(), fields.end()});
  }

  std::mt19937_64 random_;
  const bool readable_;
};

// Returns all scalar types, and nested types of several depths.
inline std::vector<TypePtr> AllTypes() {
  std::vector<TypePtr> out;
  for (int kind = 1; kind <= 20; ++kind) out.push_back(ScalarType(static_cast<TypeKind>(kind)));
  const TypePtr integer = ScalarType(TypeKind::kInt), text = ScalarType(TypeKind::kText);
  const TypePtr decimal = ScalarType(TypeKind::kDecimal), blob = ScalarType(TypeKind::kBlob);
  out.push_back(ListType(text, true));
  out.push_back(SetType(ScalarType(TypeKind::kBigint), true));
  out.push_back(MapType(text, decimal, true));
  out.push_back(TupleType({integer, text, ScalarType(TypeKind::kTimeuuid)}));
  out.push_back(VectorType(ScalarType(TypeKind::kFloat), 3));
  out.push_back(VectorType(blob, 2));
  out.push_back(VectorType(ScalarType(TypeKind::kSmallint), 2));
  out.push_back(ListType(TupleType({blob, ScalarType(TypeKind::kVarint)}), true));
  out.push_back(MapType(ListType(integer, true), SetType(text, true), true));
  Type udt;
  udt.kind = TypeKind::kUdt;
  udt.frozen = true;
  udt.keyspace = "ks";
  udt.name = "address";
  udt.field_names = {"street", "No", "select"};
  udt.arguments = {text, integer, ListType(ScalarType(TypeKind::kInet), true)};
  out.push_back(std::make_shared<const Type>(std::move(udt)));
  return out;
}

}  // namespace widerow::testing
