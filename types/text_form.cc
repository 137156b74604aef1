// To format a value, FormatChecked validates it, and FormatValue calls FormatElements, FormatFields or FormatScalar.
// Style decides about quotes and about the form of timestamps and addresses. To parse a text, ParseValue calls
// ParseElements, ParseTuple, ParseUdt or ParseScalar (types/scalar_text.h). SplitText cuts composite texts into parts.
#include "types/text_form.h"

#include <cmath>
#include <limits>

#include "types/civil_time.h"
#include "types/decimal.h"
#include "types/json_form.h"
#include "types/nullable_list.h"
#include "types/scalar_text.h"
#include "types/text_scan.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

// The ways to write a value.
enum class Style {
  kPlain,    // At the top level, for people: no quotes.
  kInside,   // Inside a collection, for people: text is quoted.
  kLiteral,  // A CQL term.
};

std::string Quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += '\'';
    out += c;
  }
  return out + "'";
}

std::string Bare(const Type& type, ByteView bytes, Style style) {
  switch (type.kind) {
    case TypeKind::kAscii:
    case TypeKind::kText: return std::string(bytes);
    case TypeKind::kBlob: return "0x" + ToHex(bytes);
    case TypeKind::kBoolean: return bytes[0] != 0 ? "true" : "false";
    case TypeKind::kBigint:
    case TypeKind::kCounter:
    case TypeKind::kInt:
    case TypeKind::kSmallint:
    case TypeKind::kTinyint: return std::to_string(DecodeInteger(bytes));
    case TypeKind::kDate: return DateText(bytes);
    case TypeKind::kTime: {
      const int64_t nanos = DecodeInteger(bytes);
      return nanos >= 0 && nanos < kNanosPerDay ? TimeOfDayText(nanos, 9) : std::to_string(nanos);
    }
    case TypeKind::kTimestamp:
      if (style != Style::kLiteral || !TimestampHasIsoText(bytes)) return TimestampText(bytes);
      return TimestampIsoText(bytes, 'T');
    case TypeKind::kDecimal: return DecimalText(DecodeDecimal(bytes));
    case TypeKind::kVarint: return VarintText(DecodeVarint(bytes));
    case TypeKind::kDouble: return DoubleText(DecodeDouble(bytes));
    case TypeKind::kFloat: return FloatText(DecodeFloat(bytes));
    case TypeKind::kDuration: return DurationText(bytes);
    case TypeKind::kInet: return style == Style::kLiteral ? InetLongText(bytes) : InetText(bytes);
    case TypeKind::kTimeuuid:
    case TypeKind::kUuid: {
      const std::string hex = ToHex(bytes);
      return hex.substr(0, 8) + '-' + hex.substr(8, 4) + '-' + hex.substr(12, 4) + '-' + hex.substr(16, 4) + '-' +
             hex.substr(20);
    }
    case TypeKind::kList:
    case TypeKind::kSet:
    case TypeKind::kMap:
    case TypeKind::kTuple:
    case TypeKind::kUdt:
    case TypeKind::kVector: break;
  }
  return {};
}

bool IsQuotedKind(TypeKind kind) {
  return kind == TypeKind::kAscii || kind == TypeKind::kText || kind == TypeKind::kTimestamp ||
         kind == TypeKind::kDate || kind == TypeKind::kTime || kind == TypeKind::kInet;
}

std::string FormatScalar(const Type& type, ByteView bytes, Style style) {
  const bool is_text = type.kind == TypeKind::kAscii || type.kind == TypeKind::kText || type.kind == TypeKind::kBlob;
  if (bytes.empty() && !is_text) {
    // CQL has no constant for an empty number; a function that converts a blob makes one.
    if (style == Style::kLiteral) return "blob_as_" + TypeText(type) + "(0x)";
    return style == Style::kPlain ? "" : "''";
  }
  if (style == Style::kLiteral && !HasExactText(type, bytes)) {
    return "blob_as_" + TypeText(type) + "(0x" + ToHex(bytes) + ")";
  }
  std::string text = Bare(type, bytes, style);
  if (style == Style::kPlain || !IsQuotedKind(type.kind)) return text;
  // A timestamp beyond four-digit years is a plain number, which needs no quotes.
  if (type.kind == TypeKind::kTimestamp && !TimestampHasIsoText(bytes)) return text;
  return Quoted(text);
}

std::string FormatValue(const Type& type, ByteView bytes, Style style);

std::string FormatElements(const Type& type, ByteView bytes, Style style) {
  const auto elements = type.kind == TypeKind::kList ? SplitNullableList(type, bytes) : SplitCollection(type, bytes);
  if (!elements.ok()) return "0x" + ToHex(bytes);
  const bool bracketed = type.kind == TypeKind::kList || type.kind == TypeKind::kVector;
  std::string out(1, bracketed ? '[' : '{');
  for (size_t i = 0; i < elements->size(); ++i) {
    if (i > 0) out += type.kind == TypeKind::kMap && i % 2 == 1 ? ": " : ", ";
    const ValueView& element = (*elements)[i];
    out += element ? FormatValue(*type.arguments[i % type.arguments.size()], *element, style) : "null";
  }
  return out + (bracketed ? ']' : '}');
}

std::string FormatFields(const Type& type, ByteView bytes, Style style) {
  const auto fields = SplitTuple(type, bytes);
  if (!fields.ok()) return "0x" + ToHex(bytes);
  const bool named = type.kind == TypeKind::kUdt;
  std::string out(1, named ? '{' : '(');
  for (size_t i = 0; i < fields->size(); ++i) {
    if (i > 0) out += ", ";
    if (named) out += QuoteIdentifier(type.field_names[i]) + ": ";
    out += (*fields)[i] ? FormatValue(*type.arguments[i], *(*fields)[i], style) : "null";
  }
  return out + (named ? '}' : ')');
}

std::string FormatValue(const Type& type, ByteView bytes, Style style) {
  const Style inner = style == Style::kPlain ? Style::kInside : style;
  if (type.is_collection() || type.kind == TypeKind::kVector) return FormatElements(type, bytes, inner);
  if (type.kind == TypeKind::kTuple || type.kind == TypeKind::kUdt) return FormatFields(type, bytes, inner);
  return FormatScalar(type, bytes, style);
}

Error Unreadable(const Type& type, std::string_view text) {
  return InvalidError("Unable to make " + TypeText(type) + " from '" + std::string(text) + "'",
                      "write it as a CQL term: [1, 2], {'a', 'b'}, {'a': 1}, (1, 'a'), {field: 1}");
}

Result<Bytes> ParseValue(const Type& type, std::string_view text);

// Parses an element of a composite value: null, a quoted text, or any other text.
Result<Value> ParsePart(const Type& type, std::string_view part) {
  if (part == "null") return Value();
  std::string unquoted;
  const bool quoted = UnquoteText(part, unquoted);
  // FormatText prints an empty boolean as '', which ParseScalar reads as false.
  if (quoted && unquoted.empty() && type.kind == TypeKind::kBoolean) return Value(Bytes());
  WR_ASSIGN_OR_RETURN(Bytes bytes, ParseValue(type, quoted ? unquoted : part));
  return Value(std::move(bytes));
}

Result<Bytes> ParseElements(const Type& type, std::string_view text) {
  const bool bracketed = type.kind == TypeKind::kList || type.kind == TypeKind::kVector;
  const bool is_map = type.kind == TypeKind::kMap;
  std::vector<std::string_view> parts;
  if (!SplitText(text, bracketed ? '[' : '{', is_map, parts)) return Unreadable(type, text);
  if (type.kind == TypeKind::kVector && parts.size() != type.dimension) return Unreadable(type, text);
  std::vector<Value> values;
  values.reserve(parts.size());
  for (size_t i = 0; i < parts.size(); ++i) {
    WR_ASSIGN_OR_RETURN(Value value, ParsePart(*type.arguments[i % type.arguments.size()], parts[i]));
    if (!value) return Unreadable(type, text);
    values.push_back(std::move(value));
  }
  std::vector<ValueView> views(values.begin(), values.end());
  SortCollection(type, views);
  return JoinCollection(type, views);
}

Result<Bytes> ParseTuple(const Type& type, std::string_view text) {
  std::vector<std::string_view> parts;
  if (!SplitText(text, '(', false, parts) || parts.size() > type.arguments.size()) return Unreadable(type, text);
  std::vector<Value> values(type.arguments.size());
  for (size_t i = 0; i < parts.size(); ++i) { WR_ASSIGN_OR_RETURN(values[i], ParsePart(*type.arguments[i], parts[i])); }
  return JoinTuple({values.begin(), values.end()});
}

Result<Bytes> ParseUdt(const Type& type, std::string_view text) {
  std::vector<std::string_view> parts;
  if (!SplitText(text, '{', true, parts)) return Unreadable(type, text);
  std::vector<Value> values(type.arguments.size());
  for (size_t i = 0; i < parts.size(); i += 2) {
    size_t field = 0;
    while (field < type.field_names.size() && QuoteIdentifier(type.field_names[field]) != parts[i] &&
           type.field_names[field] != parts[i]) {
      ++field;
    }
    if (field == type.field_names.size()) {
      return InvalidError("Unknown field '" + std::string(parts[i]) + "' in value of user defined type " + type.name);
    }
    WR_ASSIGN_OR_RETURN(values[field], ParsePart(*type.arguments[field], parts[i + 1]));
  }
  return JoinTuple({values.begin(), values.end()});
}

Result<Bytes> ParseValue(const Type& type, std::string_view text) {
  if (type.is_collection() || type.kind == TypeKind::kVector) return ParseElements(type, text);
  if (type.kind == TypeKind::kTuple) return ParseTuple(type, text);
  if (type.kind == TypeKind::kUdt) return ParseUdt(type, text);
  return ParseScalar(type, text);
}

// Cuts a tuple's string at the colons that have no backslash before them.
std::vector<std::string_view> SplitTupleString(std::string_view text) {
  std::vector<std::string_view> fields;
  if (text.empty()) return fields;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != ':' || (i > 0 && text[i - 1] == '\\')) continue;
    fields.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  fields.push_back(text.substr(begin));
  return fields;
}

// Returns the field without the backslashes that stand before colons and @.
std::string UnescapeField(std::string_view field) {
  std::string out;
  for (size_t i = 0; i < field.size(); ++i) {
    const bool escape = field[i] == '\\' && i + 1 < field.size() && (field[i + 1] == ':' || field[i + 1] == '@');
    if (!escape) out += field[i];
  }
  return out;
}

bool HasEmptyValue(TypeKind kind) {
  return kind != TypeKind::kBoolean && kind != TypeKind::kDate && kind != TypeKind::kTime;
}

Result<Bytes> ParseTupleField(const Type& type, const std::string& text) {
  if (type.kind == TypeKind::kTuple || type.kind == TypeKind::kUdt) return ParseTupleString(type, text);
  if (type.kind == TypeKind::kBlob || type.is_collection() || type.kind == TypeKind::kVector) {
    Bytes bytes;
    if (!FromHex(text, bytes)) return InvalidError("cannot parse '" + text + "' as hex bytes");
    WR_RETURN_IF_ERROR(ValidateValue(type, bytes));
    return bytes;
  }
  if (text.empty() && HasEmptyValue(type.kind)) return Bytes();
  return ParseScalar(type, text);
}

// If ValidateValue would refuse the value, prints its bytes. But lists with nulls are printed as lists, because a
// SELECT can make them.
std::string FormatChecked(const Type& type, ByteView bytes, Style style) {
  const bool list_with_nulls = type.kind == TypeKind::kList && SplitNullableList(type, bytes).ok();
  if (!list_with_nulls && !ValidateValue(type, bytes).ok()) return "0x" + ToHex(bytes);
  return FormatValue(type, bytes, style);
}

}  // namespace

Result<Bytes> ParseText(const Type& type, std::string_view text) { return ParseValue(type, text); }

Result<Bytes> ParseTupleString(const Type& type, std::string_view text) {
  const std::vector<std::string_view> parts = SplitTupleString(text);
  if (parts.size() > type.arguments.size()) {
    return InvalidError("Invalid tuple literal: too many elements. Type " + TypeText(type) + " expects " +
                        std::to_string(type.arguments.size()) + " but got " + std::to_string(parts.size()));
  }
  std::vector<Value> fields(parts.size());
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] == "@") continue;
    WR_ASSIGN_OR_RETURN(fields[i], ParseTupleField(*type.arguments[i], UnescapeField(parts[i])));
  }
  return JoinTuple({fields.begin(), fields.end()});
}

bool HasExactText(const Type& type, ByteView bytes) {
  switch (type.kind) {
    case TypeKind::kText: return IsUtf8(bytes);  // Texts may have other bytes (ValidateValue).
    case TypeKind::kInet: return !ContainsInet4(bytes);
    case TypeKind::kBoolean: return static_cast<uint8_t>(bytes[0]) <= 1;
    case TypeKind::kDouble:
      return !std::isnan(DecodeDouble(bytes)) || bytes == EncodeDouble(std::numeric_limits<double>::quiet_NaN());
    case TypeKind::kFloat:
      return !std::isnan(DecodeFloat(bytes)) || bytes == EncodeFloat(std::numeric_limits<float>::quiet_NaN());
    case TypeKind::kDecimal:
    case TypeKind::kVarint: {
      const Result<Bytes> read = ParseScalar(type, Bare(type, bytes, Style::kPlain));
      return read.ok() && *read == bytes;
    }
    default: return true;
  }
}

std::string FormatText(const Type& type, ByteView bytes) { return FormatChecked(type, bytes, Style::kPlain); }

std::string FormatLiteral(const Type& type, ByteView bytes) { return FormatChecked(type, bytes, Style::kLiteral); }

}  // namespace widerow
