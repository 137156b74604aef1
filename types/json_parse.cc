// Converts a part of a JSON document to a value (ValueOfJson, ParseJson in json_form.h). FromJson chooses by type:
// FromScalar and its helpers, or FromComposite with FromArray, FromObject, FromTuple and FromUdt, which call FromJson
// for their elements. Every message is Cassandra's.
#include <algorithm>

#include "types/decimal.h"
#include "types/json_document.h"
#include "types/json_form.h"
#include "types/scalar_text.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

// Makes an error such as "Expected a list, but got a Integer: 1". "a Integer" is Cassandra's text.
Error Expected(const char* what, const JsonValue& found) {
  return InvalidError(std::string("Expected ") + what + ", but got a " + JavaClassName(found) + ": " + JavaText(found));
}

// Returns the words for a scalar type in Cassandra's message "Expected …".
const char* ExpectedName(TypeKind kind) {
  switch (kind) {
    case TypeKind::kAscii: return "an ascii string";
    case TypeKind::kBigint:
    case TypeKind::kCounter: return "a bigint value";
    case TypeKind::kBoolean: return "a boolean value";
    case TypeKind::kDate: return "a string representation of a date value";
    case TypeKind::kDouble: return "a double value";
    case TypeKind::kDuration: return "a string representation of a duration";
    case TypeKind::kFloat: return "a float value";
    case TypeKind::kInet: return "a string representation of an inet value";
    case TypeKind::kInt: return "an int value";
    case TypeKind::kSmallint: return "a short value";
    case TypeKind::kText: return "a UTF-8 string";
    case TypeKind::kTime: return "a string representation of a time value";
    case TypeKind::kTimestamp: return "a long or a datestring representation of a timestamp value";
    case TypeKind::kTimeuuid: return "a string representation of a timeuuid";
    case TypeKind::kTinyint: return "a byte value";
    case TypeKind::kUuid: return "a string representation of a uuid";
    default: return "another value";
  }
}

Result<Bytes> FromInteger(const Type& type, const JsonValue& json) {
  if (json.kind != JsonValue::Kind::kNumber) return Expected(ExpectedName(type.kind), json);
  auto parsed = ParseScalar(type, json.text);
  // For the narrow types, Cassandra says "Unable to make short from '32768'". For the others, its message names the
  // Java class of the JSON value.
  const bool narrow = type.kind == TypeKind::kSmallint || type.kind == TypeKind::kTinyint;
  if (!parsed.ok() && !narrow) return Expected(ExpectedName(type.kind), json);
  return parsed;
}

Result<Bytes> FromExact(const Type& type, const JsonValue& json) {
  const std::string& text = json.text;
  const bool usable = json.kind == JsonValue::Kind::kNumber || json.kind == JsonValue::Kind::kString;
  // An empty string is an empty decimal; it is no varint.
  if (usable && (!text.empty() || (type.kind == TypeKind::kDecimal && json.kind == JsonValue::Kind::kString))) {
    if (auto parsed = ParseScalar(type, text); parsed.ok()) return parsed;
  }
  return InvalidError("Value '" + JavaText(json) + "' is not a valid representation of a " + TypeText(type) + " value");
}

Result<Bytes> FromBlob(const Type& type, const JsonValue& json) {
  const std::string text = JavaText(json);
  const std::string invalid = "Value '" + text + "' is not a valid blob representation: ";
  if (json.kind != JsonValue::Kind::kString)
    return InvalidError(invalid + "a JSON string beginning with 0x is expected");
  if (!text.starts_with("0x")) {
    return InvalidError(invalid + "String representation of blob is missing 0x prefix: " + text);
  }
  auto parsed = ParseScalar(type, text);
  if (!parsed.ok()) return InvalidError(invalid + "cannot parse '" + text.substr(2) + "' as hex bytes");
  return parsed;
}

Result<Bytes> FromScalar(const Type& type, const JsonValue& json) {
  switch (type.kind) {
    case TypeKind::kBlob: return FromBlob(type, json);
    case TypeKind::kDecimal:
    case TypeKind::kVarint: return FromExact(type, json);
    default: break;
  }
  if (json.kind == JsonValue::Kind::kString) return ParseScalar(type, json.text);
  switch (type.kind) {
    case TypeKind::kBigint:
    case TypeKind::kCounter:
    case TypeKind::kInt:
    case TypeKind::kSmallint:
    case TypeKind::kTinyint:
    case TypeKind::kTimestamp: return FromInteger(type, json);
    case TypeKind::kDouble:
    case TypeKind::kFloat:
      if (json.kind == JsonValue::Kind::kNumber) return ParseScalar(type, json.text);
      break;
    case TypeKind::kBoolean:
      if (json.kind == JsonValue::Kind::kBoolean) return ParseScalar(type, json.text);
      break;
    default: break;
  }
  return Expected(ExpectedName(type.kind), json);
}

bool IsComposite(const Type& type) {
  return type.is_collection() || type.kind == TypeKind::kVector || type.kind == TypeKind::kTuple ||
         type.kind == TypeKind::kUdt;
}

Result<Bytes> FromJson(const Type& type, const JsonValue& json, JsonForm form);

Result<Bytes> FromArray(const Type& type, const JsonValue& json, JsonForm form) {
  const char* const name = type.kind == TypeKind::kSet ? "set" : "list";
  if (json.kind != JsonValue::Kind::kArray) {
    return Expected(type.kind == TypeKind::kSet ? "a list (representing a set)" : "a list", json);
  }
  if (type.kind == TypeKind::kVector && json.items.size() != type.dimension) {
    return InvalidError("List had incorrect size: expected " + std::to_string(type.dimension) + " but given " +
                        std::to_string(json.items.size()) + "; " + JavaText(json));
  }
  const bool takes_null = form == JsonForm::kExact && type.kind == TypeKind::kList;
  std::vector<Value> elements;
  for (const JsonValue& item : json.items) {
    elements.emplace_back();
    if (item.kind != JsonValue::Kind::kNull) {
      WR_ASSIGN_OR_RETURN(elements.back(), FromJson(*type.arguments[0], item, form));
    } else if (!takes_null) {
      return InvalidError(std::string("Invalid null element in ") + name);
    }
  }
  std::vector<ValueView> views(elements.begin(), elements.end());
  SortCollection(type, views);
  return JoinCollection(type, views);
}

Result<Bytes> FromObject(const Type& type, const JsonValue& json, JsonForm form) {
  if (json.kind != JsonValue::Kind::kObject) return Expected("a map", json);
  std::vector<Bytes> elements;
  for (const auto& [name, member] : json.members) {
    if (member.kind == JsonValue::Kind::kNull) return InvalidError("Invalid null value in map");
    JsonValue key;
    key.kind = JsonValue::Kind::kString;
    key.text = name;
    if (form == JsonForm::kExact && !IsComposite(*type.arguments[0]) && name.starts_with(kHexInJson)) {
      WR_ASSIGN_OR_RETURN(key, ParseJsonDocument(name));
    }
    WR_ASSIGN_OR_RETURN(Bytes key_bytes, FromJson(*type.arguments[0], key, form));
    WR_ASSIGN_OR_RETURN(Bytes value_bytes, FromJson(*type.arguments[1], member, form));
    elements.push_back(std::move(key_bytes));
    elements.push_back(std::move(value_bytes));
  }
  std::vector<ValueView> views(elements.begin(), elements.end());
  SortCollection(type, views);
  return JoinCollection(type, views);
}

Result<Bytes> FromTuple(const Type& type, const JsonValue& json, JsonForm form) {
  if (json.kind != JsonValue::Kind::kArray) return Expected("a list representation of a tuple", json);
  const size_t count = type.arguments.size();
  if (json.items.size() != count) {
    return InvalidError(std::string(json.items.size() > count ? "Tuple contains extra" : "Tuple is missing") +
                        " items (expected " + std::to_string(count) + "): " + JavaText(json));
  }
  std::vector<Value> fields(count);
  for (size_t i = 0; i < count; ++i) {
    if (json.items[i].kind == JsonValue::Kind::kNull) continue;
    WR_ASSIGN_OR_RETURN(fields[i], FromJson(*type.arguments[i], json.items[i], form));
  }
  return JoinTuple({fields.begin(), fields.end()});
}

Result<Bytes> FromUdt(const Type& type, const JsonValue& json, JsonForm form) {
  if (json.kind != JsonValue::Kind::kObject) return Expected("a map", json);
  std::vector<Value> fields(type.arguments.size());
  for (const auto& [written, member] : json.members) {
    const std::string name = NameInJson(written);
    const auto found = std::find(type.field_names.begin(), type.field_names.end(), name);
    if (found == type.field_names.end()) {
      return InvalidError("Unknown field '" + name + "' in value of user defined type " + type.name);
    }
    const size_t i = found - type.field_names.begin();
    fields[i] = std::nullopt;
    if (member.kind == JsonValue::Kind::kNull) continue;
    WR_ASSIGN_OR_RETURN(fields[i], FromJson(*type.arguments[i], member, form));
  }
  return JoinTuple({fields.begin(), fields.end()});
}

Result<Bytes> FromComposite(const Type& type, const JsonValue& json, JsonForm form) {
  switch (type.kind) {
    case TypeKind::kList:
    case TypeKind::kSet:
    case TypeKind::kVector: return FromArray(type, json, form);
    case TypeKind::kMap: return FromObject(type, json, form);
    case TypeKind::kTuple: return FromTuple(type, json, form);
    default: return FromUdt(type, json, form);
  }
}

// Reads {"hex": "…"}.
Result<Bytes> FromHexForm(const Type& type, const JsonValue& json) {
  Bytes bytes;
  const bool is_hex = json.members.size() == 1 && json.members[0].name == "hex" &&
                      json.members[0].value.kind == JsonValue::Kind::kString &&
                      FromHex(json.members[0].value.text, bytes);
  if (!is_hex) return Expected(ExpectedName(type.kind), json);
  WR_RETURN_IF_ERROR(ValidateValue(type, bytes));
  return bytes;
}

// True if the string "" stands for an empty value in the exact form.
bool IsEmptyValue(const Type& type, const JsonValue& json) {
  return json.kind == JsonValue::Kind::kString && json.text.empty() && ValidateValue(type, {}).ok();
}

Result<Bytes> FromJson(const Type& type, const JsonValue& json, JsonForm form) {
  if (!IsComposite(type)) {
    if (form == JsonForm::kExact && json.kind == JsonValue::Kind::kObject) return FromHexForm(type, json);
    if (form == JsonForm::kExact && type.kind != TypeKind::kBlob && IsEmptyValue(type, json)) return Bytes();
    WR_ASSIGN_OR_RETURN(Bytes bytes, FromScalar(type, json));
    // As in Java, FromScalar makes an IPv4 address of an IPv6 address that contains one.
    const bool shortened =
        type.kind == TypeKind::kInet && bytes.size() == 4 && json.text.find(':') != std::string::npos;
    return form == JsonForm::kExact && shortened ? Inet6Containing(bytes) : bytes;
  }
  if (json.kind != JsonValue::Kind::kString) return FromComposite(type, json, form);
  // This string contains JSON. The keys of maps have this form, and whole values may have it.
  WR_ASSIGN_OR_RETURN(const JsonValue inner, ParseJsonDocument(json.text));
  return FromComposite(type, inner, form);
}

}  // namespace

std::string NameInJson(const std::string& written) {
  if (written.size() >= 2 && written.front() == '"' && written.back() == '"')
    return written.substr(1, written.size() - 2);
  std::string lower = written;
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return lower;
}

std::string JsonNameOf(const std::string& name) {
  std::string quoted;
  AppendJsonString(NameInJson(name) == name ? name : "\"" + name + "\"", quoted);
  return quoted.substr(1, quoted.size() - 2);
}

Result<Value> ValueOfJson(const Type& type, const JsonValue& json, JsonForm form) {
  if (json.kind == JsonValue::Kind::kNull) return Value();
  WR_ASSIGN_OR_RETURN(Bytes bytes, FromJson(type, json, form));
  return Value(std::move(bytes));
}

bool IsAboutDuration(const Error& error) {
  const std::string_view message = error.message;
  return message.starts_with("Invalid duration. ") ||
         (message.starts_with("Unable to convert '") && message.ends_with("' to a duration"));
}

Result<Value> ParseJson(const Type& type, std::string_view json, JsonForm form) {
  WR_ASSIGN_OR_RETURN(const JsonValue document, ParseJsonDocument(json));
  return ValueOfJson(type, document, form);
}

}  // namespace widerow
