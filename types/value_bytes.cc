// ValidateValue dispatches by type; the functions before it check one kind each and contain Cassandra's messages. The
// Split functions check the structure of a composite value but not its elements.
#include "types/value_bytes.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#include "base/check.h"
#include "base/text.h"
#include "types/compare.h"
#include "types/vint.h"

namespace widerow {
namespace {

// CollectionName is used by the functions below it, which make Cassandra's errors for a collection or a vector that is
// cut off or followed by more bytes.
const char* CollectionName(const Type& type) {
  return type.kind == TypeKind::kList ? "list" : type.kind == TypeKind::kSet ? "set" : "map";
}
Error CollectionCutOff(const Type& type) {
  return InvalidError(std::string("Not enough bytes to read a ") + CollectionName(type));
}
Error CollectionTooLong(const Type& type) {
  return InvalidError(std::string("Unexpected extraneous bytes after ") + CollectionName(type) + " value");
}
Error VectorCutOff(const Type& type) { return InvalidError("Not enough bytes to read a " + TypeText(type)); }
Error VectorTooLong(const Type& type, size_t left_over) {
  return InvalidError(StrCat("Unexpected ", left_over, " extraneous bytes after ", TypeText(type), " value"));
}

// Returns the size of a vector's element; 0 if each element begins with its length. In a vector, Cassandra writes the
// length also for tinyint, smallint, date and time, although their values have a fixed size.
size_t VectorElementSize(const Type& element) {
  switch (element.kind) {
    case TypeKind::kBoolean:
    case TypeKind::kFloat:
    case TypeKind::kInt:
    case TypeKind::kBigint:
    case TypeKind::kDouble:
    case TypeKind::kTimestamp:
    case TypeKind::kTimeuuid:
    case TypeKind::kUuid: return FixedSize(element.kind);
    case TypeKind::kVector: {
      // No value has 2^32 bytes. With this limit the size does not overflow, and is still too large for any value.
      constexpr size_t kSizeMax = size_t{1} << 32;
      return std::min(VectorElementSize(*element.arguments[0]) * element.dimension, kSizeMax);
    }
    case TypeKind::kAscii:
    case TypeKind::kBlob:
    case TypeKind::kCounter:
    case TypeKind::kDate:
    case TypeKind::kDecimal:
    case TypeKind::kDuration:
    case TypeKind::kInet:
    case TypeKind::kSmallint:
    case TypeKind::kText:
    case TypeKind::kTime:
    case TypeKind::kTinyint:
    case TypeKind::kVarint:
    case TypeKind::kList:
    case TypeKind::kSet:
    case TypeKind::kMap:
    case TypeKind::kTuple:
    case TypeKind::kUdt: return 0;
  }
  return 0;
}

Result<std::vector<ValueView>> SplitVector(const Type& type, ByteView bytes) {
  if (bytes.empty()) return InvalidError("Invalid empty vector value");
  const size_t fixed = VectorElementSize(*type.arguments[0]);
  std::vector<ValueView> elements;
  if (bytes.size() < type.dimension) return VectorCutOff(type);  // A false size must not make reserve() take memory.
  elements.reserve(type.dimension);
  for (uint32_t i = 0; i < type.dimension; ++i) {
    uint64_t size = fixed;
    if (fixed == 0 && !TakeUnsignedVint(bytes, size)) return VectorCutOff(type);
    if (size > bytes.size()) return VectorCutOff(type);
    elements.push_back(bytes.substr(0, size));
    bytes.remove_prefix(size);
  }
  if (!bytes.empty()) return VectorTooLong(type, bytes.size());
  return elements;
}

Error FieldError(const Type& type, const char* what, size_t index) {
  const std::string number = std::to_string(index);
  if (type.kind == TypeKind::kTuple) return InvalidError(what + number + "th component");
  return InvalidError(what + number + "th field " + type.field_names[index]);
}

// True if Cassandra's UTF8Serializer accepts the bytes. It also accepts surrogates, C0 80 and code points beyond
// U+10FFFF.
bool IsCassandraUtf8(ByteView bytes) {
  const auto* at = reinterpret_cast<const uint8_t*>(bytes.data());
  const uint8_t* const end = at + bytes.size();
  while (at < end) {
    if (end - at >= 8) {  // Most text is ASCII: eight bytes per step.
      uint64_t word;
      std::memcpy(&word, at, sizeof word);
      if ((word & 0x8080808080808080ULL) == 0) {
        at += 8;
        continue;
      }
    }
    const uint8_t first = *at++;
    if (first < 0x80) continue;
    if (first == 0xC0) {
      if (at == end || *at++ != 0x80) return false;
      continue;
    }
    if (first < 0xC2 || first > 0xF7) return false;
    const int more = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
    if (end - at < more) return false;
    const uint8_t second_min = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    if (*at < second_min) return false;
    for (int i = 0; i < more; ++i, ++at) {
      if ((*at & 0xC0) != 0x80) return false;
    }
  }
  return true;
}

Status ValidateAscii(ByteView bytes) {
  for (const char c : bytes) {
    const int byte = static_cast<int8_t>(c);
    if (byte < 0) return InvalidError("Invalid byte for ascii: " + std::to_string(byte));
  }
  return OkStatus();
}

Status ValidateDuration(ByteView bytes) {
  if (bytes.size() < 3) {
    return InvalidError("Expected at least 3 bytes for a duration (" + std::to_string(bytes.size()) + ")");
  }
  int64_t months = 0, days = 0, nanoseconds = 0;
  if (!TakeSignedVint(bytes, months) || !TakeSignedVint(bytes, days) || !TakeSignedVint(bytes, nanoseconds)) {
    return InvalidError("Not enough bytes to read a duration");
  }
  if (months != static_cast<int32_t>(months)) {
    return InvalidError("The duration months must be a 32 bits integer but was: " + std::to_string(months));
  }
  if (days != static_cast<int32_t>(days)) {
    return InvalidError("The duration days must be a 32 bits integer but was: " + std::to_string(days));
  }
  const bool any_positive = months > 0 || days > 0 || nanoseconds > 0;
  const bool any_negative = months < 0 || days < 0 || nanoseconds < 0;
  if (any_positive && any_negative) {
    return InvalidError(StrCat("The duration months, days and nanoseconds must be all of the same sign (", months, ", ",
                               days, ", ", nanoseconds, ")"));
  }
  return OkStatus();
}

Status ExpectSize(ByteView bytes, size_t size, bool or_empty, const char* before, const char* after) {
  if (bytes.size() == size || (or_empty && bytes.empty())) return OkStatus();
  return InvalidError(StrCat(before, after, " (", bytes.size(), ")"));
}

Status ValidateTimeuuid(ByteView bytes) {
  WR_RETURN_IF_ERROR(ExpectSize(bytes, 16, true, "UUID should be 16 or 0 bytes", ""));
  if (bytes.empty() || (bytes[6] & 0xF0) == 0x10) return OkStatus();
  // Cassandra prints half of the first byte here, which is not the version.
  return InvalidError("Invalid version for TimeUUID type: 0x" + ToHex(bytes.substr(0, 1)).substr(0, 1));
}

Status ValidateElements(const Type& type, ByteView bytes) {
  WR_ASSIGN_OR_RETURN(const std::vector<ValueView> elements, SplitCollection(type, bytes));
  for (size_t i = 0; i < elements.size(); ++i) {
    WR_RETURN_IF_ERROR(ValidateValue(*type.arguments[i % type.arguments.size()], *elements[i]));
  }
  return OkStatus();
}

Status ValidateFields(const Type& type, ByteView bytes) {
  WR_ASSIGN_OR_RETURN(const std::vector<ValueView> fields, SplitTuple(type, bytes));
  for (size_t i = 0; i < fields.size(); ++i) {
    if (!fields[i]) continue;
    Status status = ValidateValue(*type.arguments[i], *fields[i]);
    if (status.ok()) continue;
    if (type.kind == TypeKind::kTuple) return status;
    return InvalidError(
        StrCat("Failure validating the ", i, "th field ", type.field_names[i], "; ", status.error().message));
  }
  return OkStatus();
}

}  // namespace

Status ValidateValue(const Type& type, ByteView bytes) {
  switch (type.kind) {
    case TypeKind::kAscii: return ValidateAscii(bytes);
    case TypeKind::kBlob:
      if (!type.bytes_max || bytes.size() <= *type.bytes_max) return OkStatus();
      return InvalidError(StrCat("Expected at most ", *type.bytes_max, " bytes but got ", bytes.size()));
    case TypeKind::kVarint: return OkStatus();
    case TypeKind::kText: return IsCassandraUtf8(bytes) ? OkStatus() : InvalidError("String didn't validate.");
    case TypeKind::kBigint:
    case TypeKind::kCounter: return ExpectSize(bytes, 8, true, "Expected 8 or 0 byte", " long");
    case TypeKind::kBoolean: return ExpectSize(bytes, 1, true, "Expected 1 or 0 byte", " value");
    case TypeKind::kDate: return ExpectSize(bytes, 4, false, "Expected 4 byte", " long for date");
    case TypeKind::kDecimal:
      if (bytes.empty() || bytes.size() >= 4) return OkStatus();
      return InvalidError("Expected 0 or at least 4 bytes (" + std::to_string(bytes.size()) + ")");
    case TypeKind::kDouble: return ExpectSize(bytes, 8, true, "Expected 8 or 0 byte", " value for a double");
    case TypeKind::kDuration: return ValidateDuration(bytes);
    case TypeKind::kFloat: return ExpectSize(bytes, 4, true, "Expected 4 or 0 byte", " value for a float");
    case TypeKind::kInet:
      if (bytes.empty() || bytes.size() == 4 || bytes.size() == 16) return OkStatus();
      return InvalidError("Expected 4 or 16 byte inetaddress; got " + ToHex(bytes));
    case TypeKind::kInt: return ExpectSize(bytes, 4, true, "Expected 4 or 0 byte", " int");
    case TypeKind::kSmallint: return ExpectSize(bytes, 2, false, "Expected 2 bytes", " for a smallint");
    case TypeKind::kTime: return ExpectSize(bytes, 8, false, "Expected 8 byte", " long for time");
    case TypeKind::kTimestamp: return ExpectSize(bytes, 8, true, "Expected 8 or 0 byte", " long for date");
    case TypeKind::kTimeuuid: return ValidateTimeuuid(bytes);
    case TypeKind::kTinyint: return ExpectSize(bytes, 1, false, "Expected 1 byte", " for a tinyint");
    case TypeKind::kUuid: return ExpectSize(bytes, 16, true, "UUID should be 16 or 0 bytes", "");
    case TypeKind::kList:
    case TypeKind::kSet:
    case TypeKind::kMap:
    case TypeKind::kVector: return ValidateElements(type, bytes);
    case TypeKind::kTuple:
    case TypeKind::kUdt: return ValidateFields(type, bytes);
  }
  return InvalidError("Unknown type");
}

bool ReadsAsNull(const Type& type, ByteView bytes) {
  return bytes.empty() && type.kind != TypeKind::kText && type.kind != TypeKind::kAscii && type.kind != TypeKind::kBlob;
}

Result<std::vector<ValueView>> SplitCollection(const Type& type, ByteView bytes) {
  if (type.kind == TypeKind::kVector) return SplitVector(type, bytes);
  if (bytes.size() < 4) return CollectionCutOff(type);
  const auto entries = ReadBigEndian<int32_t>(bytes.data());
  bytes.remove_prefix(4);
  if (entries < 0) return InvalidError("The data cannot be deserialized as a " + std::string(CollectionName(type)));
  const size_t per_entry = type.kind == TypeKind::kMap ? 2 : 1;
  // Each element has at least its length field, so a count that cannot fit is refused before memory is reserved for it.
  if (static_cast<size_t>(entries) * per_entry > bytes.size() / 4) return CollectionCutOff(type);
  std::vector<ValueView> elements;
  elements.reserve(entries * per_entry);
  for (size_t left = entries * per_entry; left > 0; --left) {
    if (bytes.size() < 4) return CollectionCutOff(type);
    const auto size = ReadBigEndian<int32_t>(bytes.data());
    bytes.remove_prefix(4);
    if (size < 0) return InvalidError(kNullElement);
    if (static_cast<size_t>(size) > bytes.size()) return CollectionCutOff(type);
    elements.push_back(bytes.substr(0, size));
    bytes.remove_prefix(size);
  }
  if (!bytes.empty()) return CollectionTooLong(type);
  return elements;
}

Result<std::vector<ValueView>> SplitTuple(const Type& type, ByteView bytes) {
  std::vector<ValueView> fields(type.arguments.size());
  for (size_t i = 0; i < fields.size() && !bytes.empty(); ++i) {
    if (bytes.size() < 4) return FieldError(type, "Not enough bytes to read size of ", i);
    const auto size = ReadBigEndian<int32_t>(bytes.data());
    bytes.remove_prefix(4);
    if (size < 0) continue;
    if (static_cast<size_t>(size) > bytes.size()) return FieldError(type, "Not enough bytes to read ", i);
    fields[i] = bytes.substr(0, size);
    bytes.remove_prefix(size);
  }
  if (bytes.empty()) return fields;
  return InvalidError(type.kind == TypeKind::kTuple ? "Invalid remaining data after end of tuple value"
                                                    : "Invalid remaining data after end of UDT value");
}

Bytes JoinCollection(const Type& type, const std::vector<ValueView>& elements) {
  Bytes out;
  const bool is_vector = type.kind == TypeKind::kVector;
  const bool fixed = is_vector && VectorElementSize(*type.arguments[0]) != 0;
  if (!is_vector) {
    const size_t entries = type.kind == TypeKind::kMap ? elements.size() / 2 : elements.size();
    AppendBigEndian(out, static_cast<int32_t>(entries));
  }
  for (const ValueView& element : elements) {
    const ByteView bytes = element.value_or(ByteView());
    if (!is_vector) {
      AppendBigEndian(out, element ? static_cast<int32_t>(bytes.size()) : -1);
    } else if (!fixed) {
      AppendUnsignedVint(out, bytes.size());
    }
    out += bytes;
  }
  return out;
}

Bytes JoinTuple(const std::vector<ValueView>& fields) {
  Bytes out;
  for (const ValueView& field : fields) {
    AppendBigEndian(out, field ? static_cast<int32_t>(field->size()) : -1);
    if (field) out += *field;
  }
  return out;
}

void SortCollection(const Type& type, std::vector<ValueView>& elements) {
  if (type.kind != TypeKind::kSet && type.kind != TypeKind::kMap) return;
  const size_t step = type.kind == TypeKind::kMap ? 2 : 1;
  const Type& key_type = *type.arguments[0];
  std::vector<size_t> order(elements.size() / step);
  std::iota(order.begin(), order.end(), size_t{0});
  const auto key = [&](size_t entry) { return elements[entry * step].value_or(ByteView()); };
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return Compare(key_type, key(a), key(b)) < 0; });
  std::vector<ValueView> sorted;
  sorted.reserve(elements.size());
  for (size_t i = 0; i < order.size(); ++i) {
    // Equal keys are in the order in which they were given; the last one wins.
    if (i + 1 < order.size() && Compare(key_type, key(order[i]), key(order[i + 1])) == 0) continue;
    for (size_t part = 0; part < step; ++part) sorted.push_back(elements[order[i] * step + part]);
  }
  elements = std::move(sorted);
}

int64_t DecodeInteger(ByteView bytes) {
  if (bytes.size() == 4) return ReadBigEndian<int32_t>(bytes.data());
  if (bytes.size() == 8) return ReadBigEndian<int64_t>(bytes.data());
  uint64_t word = !bytes.empty() && static_cast<int8_t>(bytes[0]) < 0 ? ~uint64_t{0} : 0;
  for (const char c : bytes) word = word << 8 | static_cast<uint8_t>(c);
  return static_cast<int64_t>(word);
}

Bytes EncodeInteger(TypeKind kind, int64_t value) {
  const int64_t big = ToBigEndian(value);
  const size_t size = FixedSize(kind);
  WR_CHECK(size > 0 && size <= 8);
  return Bytes(reinterpret_cast<const char*>(&big) + (8 - size), size);
}

Bytes EncodeDouble(double value) {
  Bytes out;
  AppendBigEndian(out, std::bit_cast<int64_t>(value));
  return out;
}
Bytes EncodeFloat(float value) {
  Bytes out;
  AppendBigEndian(out, std::bit_cast<int32_t>(value));
  return out;
}
double DecodeDouble(ByteView eight_bytes) { return std::bit_cast<double>(ReadBigEndian<int64_t>(eight_bytes.data())); }
float DecodeFloat(ByteView four_bytes) { return std::bit_cast<float>(ReadBigEndian<int32_t>(four_bytes.data())); }

}  // namespace widerow
