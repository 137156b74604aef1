#include "types/value_order.h"

#include <algorithm>

#include "types/decimal.h"
#include "types/nullable_list.h"
#include "types/value_bytes.h"
#include "types/vint.h"

namespace widerow {
namespace {

bool HasFields(const Type& type) { return type.kind == TypeKind::kTuple || type.kind == TypeKind::kUdt; }

// A client may send a tuple without its last fields. Removes these fields from the end of `fields`. `bytes` is the size
// of the tuple as sent.
void CutToSent(size_t bytes, std::vector<ValueView>& fields) {
  size_t sent = 0;
  for (size_t at = 0; at < bytes; ++sent) at += sizeof(int32_t) + fields[sent].value_or(ByteView()).size();
  fields.resize(sent);
}

bool IsCollection(const Type& type) {
  return type.kind == TypeKind::kList || type.kind == TypeKind::kSet || type.kind == TypeKind::kMap;
}

bool HasSeveralEncodings(const Type& type) {
  return type.kind == TypeKind::kBoolean || type.kind == TypeKind::kDecimal || type.kind == TypeKind::kDuration ||
         type.kind == TypeKind::kInet || type.kind == TypeKind::kVarint;
}

// Returns the months, days and nanoseconds of a duration without the bytes that may follow them.
Bytes ShortestDuration(ByteView bytes) {
  Bytes shortest;
  for (int i = 0; i < 3; ++i) {
    int64_t number = 0;
    if (!TakeSignedVint(bytes, number)) return shortest;
    AppendSignedVint(shortest, number);
  }
  return shortest;
}

// Returns an IPv4 address in four bytes, also if it was sent as an IPv6 address.
Bytes ShortestInet(ByteView bytes) {
  constexpr ByteView kMapped("\0\0\0\0\0\0\0\0\0\0\xff\xff", 12);
  return Bytes(bytes.size() == 16 && bytes.starts_with(kMapped) ? bytes.substr(kMapped.size()) : bytes);
}

Bytes Shortest(const Type& type, ByteView bytes) {
  if (bytes.empty()) return {};
  switch (type.kind) {
    case TypeKind::kBoolean: return Bytes(1, bytes[0] != 0 ? '\1' : '\0');
    case TypeKind::kDecimal: return EncodeDecimal(DecodeDecimal(bytes));
    case TypeKind::kDuration: return ShortestDuration(bytes);
    case TypeKind::kInet: return ShortestInet(bytes);
    case TypeKind::kVarint: return EncodeVarint(DecodeVarint(bytes));
    default: return Bytes(bytes);
  }
}

// `shortens` is true if the parts of a collection get their shortest encoding. It is false for a value that is inside a
// tuple, a user-defined type or a vector.
Result<Bytes> Put(const Type& type, ByteView bytes, bool shortens) {
  const bool of_fields = HasFields(type);
  const bool list = type.kind == TypeKind::kList;  // The list that is bound to IN ? may contain nulls.
  WR_ASSIGN_OR_RETURN(std::vector<ValueView> parts, of_fields ? SplitTuple(type, bytes)
                                                    : list    ? SplitNullableList(type, bytes)
                                                              : SplitCollection(type, bytes));
  if (of_fields) CutToSent(bytes.size(), parts);
  shortens = shortens && IsCollection(type);
  std::vector<Bytes> ordered(parts.size());  // Never resized: `parts` point into it.
  for (size_t i = 0; i < parts.size(); ++i) {
    const Type& inner = *type.arguments[i % type.arguments.size()];
    if (!parts[i] || parts[i]->empty()) continue;
    if (MayBePutInOrder(inner)) {
      WR_ASSIGN_OR_RETURN(ordered[i], Put(inner, *parts[i], shortens));
    } else if (shortens && HasSeveralEncodings(inner)) {
      ordered[i] = Shortest(inner, *parts[i]);
    } else {
      continue;
    }
    parts[i] = ordered[i];
  }
  if (of_fields) return JoinTuple(parts);
  SortCollection(type, parts);
  return JoinCollection(type, parts);
}

}  // namespace

bool MayBePutInOrder(const Type& type) {
  if (type.kind == TypeKind::kSet || type.kind == TypeKind::kMap) return true;
  if (type.kind == TypeKind::kList && HasSeveralEncodings(*type.arguments[0])) return true;
  return std::any_of(type.arguments.begin(), type.arguments.end(),
                     [](const TypePtr& inner) { return MayBePutInOrder(*inner); });
}

bool MayBeEncodedAnew(const Type& type) { return type.kind == TypeKind::kUdt || MayBePutInOrder(type); }

Result<Bytes> PutInOrder(const Type& type, ByteView bytes) {
  if (bytes.empty() || !MayBeEncodedAnew(type)) return Bytes(bytes);
  return Put(type, bytes, true);
}

}  // namespace widerow
