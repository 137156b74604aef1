#include "types/order_codec.h"

#include <algorithm>

#include "types/order_encoding.h"

namespace widerow {

using order_encoding::AppendValue;
using order_encoding::EmptyHasBytes;
using order_encoding::Reader;
using order_encoding::SkipValue;
using order_encoding::TakeValue;
namespace marker = order_encoding::marker;

namespace {

Error Malformed(const Type& type) {
  return ServerError("malformed order-preserving encoding of a " + TypeText(type) + " value");
}

// The kind of a component, which its first byte tells.
enum class Head { kNull, kEmpty, kValue, kMalformed };

Head TakeHead(ByteView& in) {
  if (in.empty()) return Head::kMalformed;
  const auto first = static_cast<uint8_t>(in[0]);
  in.remove_prefix(1);
  switch (first) {
    case marker::kNull: return Head::kNull;
    case marker::kEmpty:
    case marker::kEmptyReversed: return Head::kEmpty;
    case marker::kNext: return Head::kValue;
    default: return Head::kMalformed;
  }
}

bool TakeTerminator(const Type& type, ByteView& in) {
  if (!EmptyHasBytes(type.kind)) return true;
  if (in.empty() || static_cast<uint8_t>(in[0]) != marker::kTerminator) return false;
  in.remove_prefix(1);
  return true;
}

}  // namespace

void AppendComparable(const Type& type, bool descending, ValueView value, Bytes& out) {
  if (!value) {
    out.push_back(static_cast<char>(marker::kNull));
    return;
  }
  const bool escaped = EmptyHasBytes(type.kind);
  if (value->empty() && !escaped) {
    out.push_back(static_cast<char>(descending ? marker::kEmptyReversed : marker::kEmpty));
    return;
  }
  out.push_back(static_cast<char>(marker::kNext));
  const size_t start = out.size();
  AppendValue(type, *value, out);
  if (descending) {
    for (size_t i = start; i < out.size(); ++i) out[i] = static_cast<char>(~out[i]);
  }
  if (escaped) out.push_back(static_cast<char>(marker::kTerminator));
}

Result<bool> TakeComparableInto(const Type& type, bool descending, ByteView& in, Bytes& value) {
  value.clear();
  switch (TakeHead(in)) {
    case Head::kNull: return false;
    case Head::kEmpty: return true;
    case Head::kMalformed: return Malformed(type);
    case Head::kValue: break;
  }
  Reader reader(in, descending);
  if (!TakeValue(type, reader, value)) return Malformed(type);
  in.remove_prefix(in.size() - reader.left());
  if (!TakeTerminator(type, in)) return Malformed(type);
  return true;
}

Result<Value> TakeComparable(const Type& type, bool descending, ByteView& in) {
  Bytes value;
  WR_ASSIGN_OR_RETURN(const bool present, TakeComparableInto(type, descending, in, value));
  return present ? Value(std::move(value)) : Value();
}

Status SkipComparable(const Type& type, bool descending, ByteView& in) {
  switch (TakeHead(in)) {
    case Head::kNull:
    case Head::kEmpty: return OkStatus();
    case Head::kMalformed: return Malformed(type);
    case Head::kValue: break;
  }
  Reader reader(in, descending);
  if (!SkipValue(type, reader)) return Malformed(type);
  in.remove_prefix(in.size() - reader.left());
  if (!TakeTerminator(type, in)) return Malformed(type);
  return OkStatus();
}

bool KeepsBytes(const Type& type) {
  switch (type.kind) {
    case TypeKind::kDecimal:
    case TypeKind::kVarint:
    case TypeKind::kBoolean:  // Any byte but 0 is true, and is decoded as 1.
    case TypeKind::kFloat:    // All NaNs are one value, and are decoded as one.
    case TypeKind::kDouble:
    case TypeKind::kTuple:  // If the last fields were left out, decoding adds nulls for them.
    case TypeKind::kUdt: return false;
    case TypeKind::kList:
    case TypeKind::kSet:
    case TypeKind::kMap:
    case TypeKind::kVector:
      return std::all_of(type.arguments.begin(), type.arguments.end(), [](const TypePtr& t) { return KeepsBytes(*t); });
    case TypeKind::kAscii:
    case TypeKind::kBigint:
    case TypeKind::kBlob:
    case TypeKind::kCounter:
    case TypeKind::kDate:
    case TypeKind::kDuration:
    case TypeKind::kInet:
    case TypeKind::kInt:
    case TypeKind::kSmallint:
    case TypeKind::kText:
    case TypeKind::kTime:
    case TypeKind::kTimestamp:
    case TypeKind::kTimeuuid:
    case TypeKind::kTinyint:
    case TypeKind::kUuid: return true;
  }
  return false;
}

Bytes ByteSuccessor(ByteView prefix) {
  while (!prefix.empty() && prefix.back() == '\xFF') prefix.remove_suffix(1);
  Bytes out(prefix);
  if (!out.empty()) out.back() = static_cast<char>(static_cast<uint8_t>(out.back()) + 1);
  return out;
}

}  // namespace widerow
