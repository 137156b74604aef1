// AppendValue, TakeValue and SkipValue, at the end of this file, choose the encoding of each type. The functions before
// them implement the encodings, each as a pair Append… and Take…. Cassandra's ByteComparable.md is the specification;
// AppendPart says where we differ from it.

#include "types/order_encoding.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "types/uuid_order.h"
#include "types/value_bytes.h"

namespace widerow::order_encoding {
namespace {

constexpr char kEscape = '\x00';
constexpr uint8_t kZeroMore = 0xFE;
constexpr uint8_t kZerosDone = 0xFF;

// Appends `value` so that its end can be found. Three zero bytes in a row become 00 FE FE FF, or 00 FE FE FE at the end
// of the value. If the value does not end with a zero byte, a 00 follows it.
void AppendEscaped(ByteView value, Bytes& out) {
  while (true) {
    const size_t zero = value.find('\0');
    if (zero == ByteView::npos) {
      out.append(value);
      out.push_back(kEscape);
      return;
    }
    const size_t after = value.find_first_not_of('\0', zero);
    const size_t zeros = (after == ByteView::npos ? value.size() : after) - zero;
    out.append(value.substr(0, zero));
    out.push_back(kEscape);
    out.append(zeros - 1, static_cast<char>(kZeroMore));
    out.push_back(static_cast<char>(after == ByteView::npos ? kZeroMore : kZerosDone));
    if (after == ByteView::npos) return;
    value.remove_prefix(after);
  }
}

// Reads what AppendEscaped writes. Calls plain(bytes as stored) for bytes without zeros and zeros(count) for a run of
// zero bytes. The end of the value shows only in the byte that follows: FE and FF continue the value, any other byte (a
// separator or a terminator) is left for the caller.
template <typename Plain, typename Zeros>
bool ReadEscaped(Reader& reader, Plain plain, Zeros zeros) {
  while (true) {
    const ByteView rest = reader.rest();
    const auto* const found = static_cast<const char*>(std::memchr(rest.data(), reader.mask(), rest.size()));
    if (rest.empty() || found == nullptr) return false;
    const size_t before = found - rest.data();
    plain(rest.substr(0, before));
    reader.Skip(before + 1);
    size_t count = 0;
    while (reader.left() > 0 && reader.Peek() == kZeroMore) {
      reader.Skip(1);
      ++count;
    }
    if (reader.left() == 0 || reader.Peek() != kZerosDone) {
      zeros(count);
      return true;
    }
    reader.Skip(1);
    zeros(count + 1);
  }
}

bool TakeEscaped(Reader& reader, Bytes& value) {
  const bool inverted = reader.inverted();
  return ReadEscaped(
      reader,
      [&](ByteView plain) {
        const size_t start = value.size();
        value.append(plain);
        if (!inverted) return;
        for (size_t i = start; i < value.size(); ++i) value[i] = static_cast<char>(~value[i]);
      },
      [&](size_t count) {
        if (count > 0) value.append(count, '\0');
      });
}

bool SkipEscaped(Reader& reader) {
  return ReadEscaped(
      reader, [](ByteView) {}, [](size_t) {});
}

template <std::unsigned_integral T>
void AppendSignFlipped(ByteView value, Bytes& out) {
  constexpr T kSign = T{1} << (8 * sizeof(T) - 1);
  AppendBigEndian(out, static_cast<T>(ReadBigEndian<T>(value.data()) ^ kSign));
}

template <std::unsigned_integral T>
bool TakeSignFlipped(Reader& reader, Bytes& value) {
  constexpr T kSign = T{1} << (8 * sizeof(T) - 1);
  T word = 0;
  if (!reader.TakeWord(word)) return false;
  AppendBigEndian(value, static_cast<T>(word ^ kSign));
  return true;
}

template <std::unsigned_integral T>
bool TakeRaw(Reader& reader, Bytes& value) {
  T word = 0;
  if (!reader.TakeWord(word)) return false;
  AppendBigEndian(value, word);
  return true;
}

// Encodes all NaNs alike, so that they are one key: Cassandra compares them as equal.
template <std::unsigned_integral T, typename F>
void AppendFloat(ByteView value, Bytes& out) {
  constexpr T kSign = T{1} << (8 * sizeof(T) - 1);
  T bits = ReadBigEndian<T>(value.data());
  if (std::isnan(std::bit_cast<F>(bits))) bits = sizeof(T) == 4 ? T(0x7FC00000U) : T(0x7FF8000000000000ULL);
  AppendBigEndian(out, static_cast<T>((bits & kSign) != 0 ? ~bits : bits | kSign));
}

template <std::unsigned_integral T>
bool TakeFloat(Reader& reader, Bytes& value) {
  constexpr T kSign = T{1} << (8 * sizeof(T) - 1);
  T word = 0;
  if (!reader.TakeWord(word)) return false;
  AppendBigEndian(value, static_cast<T>((word & kSign) != 0 ? word & ~kSign : ~word));
  return true;
}

void AppendUuid(const UuidOrderKey& key, Bytes& out) {
  const uint64_t words[2] = {ToBigEndian(key.high), ToBigEndian(key.low)};
  out.append(reinterpret_cast<const char*>(words), sizeof words);
}

bool TakeUuid(bool timeuuid, Reader& reader, Bytes& value) {
  uint64_t high = 0, low = 0;
  if (!reader.TakeWord(high) || !reader.TakeWord(low)) return false;
  const uint64_t words[2] = {ToBigEndian(timeuuid ? TimeLast(high) : UuidHighFromOrder(high)),
                             ToBigEndian(timeuuid ? low ^ kSignedBytes : low)};
  value.assign(reinterpret_cast<const char*>(words), sizeof words);
  return true;
}

// Appends a part of a composite value. Cassandra encodes null and empty alike here, although its comparator
// distinguishes them in a tuple; in tuples we encode an empty part with the marker that it has at the top level.
void AppendPart(const Type& type, bool in_tuple, const ValueView& part, Bytes& out) {
  if (!part || (part->empty() && !EmptyHasBytes(type.kind))) {
    out.push_back(static_cast<char>(part && in_tuple ? marker::kEmpty : marker::kNull));
    return;
  }
  out.push_back(static_cast<char>(marker::kNext));
  AppendValue(type, *part, out);
}

void AppendComposite(const Type& type, ByteView value, Bytes& out) {
  const bool is_tuple = type.kind == TypeKind::kTuple || type.kind == TypeKind::kUdt;
  auto split = is_tuple ? SplitTuple(type, value) : SplitCollection(type, value);
  if (split.ok()) {
    std::vector<ValueView>& parts = *split;
    while (is_tuple && !parts.empty() && !parts.back()) parts.pop_back();
    for (size_t i = 0; i < parts.size(); ++i) {
      AppendPart(*type.arguments[is_tuple ? i : i % type.arguments.size()], is_tuple, parts[i], out);
    }
  }
  out.push_back(static_cast<char>(marker::kTerminator));
}

// Calls part(i, marker) for each part of the value. The call must read the part. Returns false if a call returns false,
// or if the bytes are malformed or have too many parts.
template <typename Part>
bool ReadComposite(const Type& type, Reader& reader, Part part) {
  const bool bounded = type.kind == TypeKind::kTuple || type.kind == TypeKind::kUdt || type.kind == TypeKind::kVector;
  const size_t parts_max = type.kind == TypeKind::kVector ? type.dimension : type.arguments.size();
  for (size_t i = 0;; ++i) {
    uint8_t head = 0;
    if (!reader.Take(head)) return false;
    if (head == marker::kTerminator) return true;
    if (head != marker::kNext && head != marker::kEmpty && head != marker::kNull) return false;
    if (bounded && i >= parts_max) return false;
    if (!part(i, head)) return false;
  }
}

bool TakeComposite(const Type& type, Reader& reader, Bytes& value) {
  const bool is_tuple = type.kind == TypeKind::kTuple || type.kind == TypeKind::kUdt;
  std::vector<Value> parts;
  const bool read = ReadComposite(type, reader, [&](size_t i, uint8_t head) {
    Value& part = parts.emplace_back();
    if (head == marker::kNull && is_tuple) return true;
    part.emplace();
    return head != marker::kNext || TakeValue(*type.arguments[is_tuple ? i : i % type.arguments.size()], reader, *part);
  });
  if (!read) return false;
  if (is_tuple) parts.resize(type.arguments.size());
  if (type.kind == TypeKind::kVector && parts.size() != type.dimension) return false;
  if (type.kind == TypeKind::kMap && parts.size() % 2 != 0) return false;
  const std::vector<ValueView> views(parts.begin(), parts.end());
  value = is_tuple ? JoinTuple(views) : JoinCollection(type, views);
  return true;
}

bool SkipComposite(const Type& type, Reader& reader) {
  return ReadComposite(type, reader, [&](size_t i, uint8_t head) {
    return head != marker::kNext || SkipValue(*type.arguments[i % type.arguments.size()], reader);
  });
}

bool SkipBytes(Reader& reader, size_t count) {
  if (reader.left() < count) return false;
  reader.Skip(count);
  return true;
}

}  // namespace

void AppendValue(const Type& type, ByteView value, Bytes& out) {
  switch (type.kind) {
    case TypeKind::kAscii:
    case TypeKind::kBlob:
    case TypeKind::kDuration:
    case TypeKind::kInet:
    case TypeKind::kText: return AppendEscaped(value, out);
    case TypeKind::kBoolean: return out.push_back(value[0] != 0 ? '\1' : '\0');
    case TypeKind::kTinyint: return AppendSignFlipped<uint8_t>(value, out);
    case TypeKind::kSmallint: return AppendSignFlipped<uint16_t>(value, out);
    case TypeKind::kInt: return AppendSignFlipped<uint32_t>(value, out);
    case TypeKind::kTimestamp: return AppendSignFlipped<uint64_t>(value, out);
    case TypeKind::kDate:
    case TypeKind::kTime: out.append(value); return;
    case TypeKind::kBigint:
    case TypeKind::kCounter: return AppendOrderedBigint(ReadBigEndian<int64_t>(value.data()), out);
    case TypeKind::kFloat: return AppendFloat<uint32_t, float>(value, out);
    case TypeKind::kDouble: return AppendFloat<uint64_t, double>(value, out);
    case TypeKind::kUuid: return AppendUuid(UuidToOrder(value.data()), out);
    case TypeKind::kTimeuuid: return AppendUuid(TimeuuidToOrder(value.data()), out);
    case TypeKind::kVarint: return AppendOrderedVarint(value, out);
    case TypeKind::kDecimal: return AppendOrderedDecimal(value, out);
    case TypeKind::kList:
    case TypeKind::kSet:
    case TypeKind::kMap:
    case TypeKind::kVector:
    case TypeKind::kTuple:
    case TypeKind::kUdt: return AppendComposite(type, value, out);
  }
}

bool TakeValue(const Type& type, Reader& reader, Bytes& value) {
  switch (type.kind) {
    case TypeKind::kAscii:
    case TypeKind::kBlob:
    case TypeKind::kDuration:
    case TypeKind::kInet:
    case TypeKind::kText: return TakeEscaped(reader, value);
    case TypeKind::kBoolean: return TakeRaw<uint8_t>(reader, value);
    case TypeKind::kTinyint: return TakeSignFlipped<uint8_t>(reader, value);
    case TypeKind::kSmallint: return TakeSignFlipped<uint16_t>(reader, value);
    case TypeKind::kInt: return TakeSignFlipped<uint32_t>(reader, value);
    case TypeKind::kTimestamp: return TakeSignFlipped<uint64_t>(reader, value);
    case TypeKind::kDate: return TakeRaw<uint32_t>(reader, value);
    case TypeKind::kTime: return TakeRaw<uint64_t>(reader, value);
    case TypeKind::kBigint:
    case TypeKind::kCounter: {
      int64_t number = 0;
      if (!TakeOrderedBigint(reader, number)) return false;
      AppendBigEndian(value, number);
      return true;
    }
    case TypeKind::kFloat: return TakeFloat<uint32_t>(reader, value);
    case TypeKind::kDouble: return TakeFloat<uint64_t>(reader, value);
    case TypeKind::kUuid:
    case TypeKind::kTimeuuid: return TakeUuid(type.kind == TypeKind::kTimeuuid, reader, value);
    case TypeKind::kVarint: return TakeOrderedVarint(reader, value);
    case TypeKind::kDecimal: return TakeOrderedDecimal(reader, value);
    case TypeKind::kList:
    case TypeKind::kSet:
    case TypeKind::kMap:
    case TypeKind::kVector:
    case TypeKind::kTuple:
    case TypeKind::kUdt: return TakeComposite(type, reader, value);
  }
  return false;
}

bool SkipValue(const Type& type, Reader& reader) {
  switch (type.kind) {
    case TypeKind::kAscii:
    case TypeKind::kBlob:
    case TypeKind::kDuration:
    case TypeKind::kInet:
    case TypeKind::kText: return SkipEscaped(reader);
    case TypeKind::kBoolean:
    case TypeKind::kTinyint:
    case TypeKind::kSmallint:
    case TypeKind::kInt:
    case TypeKind::kTimestamp:
    case TypeKind::kDate:
    case TypeKind::kTime:
    case TypeKind::kFloat:
    case TypeKind::kDouble:
    case TypeKind::kUuid:
    case TypeKind::kTimeuuid: return SkipBytes(reader, FixedSize(type.kind));
    case TypeKind::kBigint:
    case TypeKind::kCounter: {
      int64_t number = 0;
      return TakeOrderedBigint(reader, number);
    }
    case TypeKind::kVarint:
    case TypeKind::kDecimal: {
      Bytes value;
      return TakeValue(type, reader, value);
    }
    case TypeKind::kList:
    case TypeKind::kSet:
    case TypeKind::kMap:
    case TypeKind::kVector:
    case TypeKind::kTuple:
    case TypeKind::kUdt: return SkipComposite(type, reader);
  }
  return false;
}

}  // namespace widerow::order_encoding
