// AppendJson validates the value and calls AppendValue, which handles collections, tuples and UDTs recursively and
// scalars by AppendScalar. Numbers are printed as Java prints them (types/java_number_text.h). json_parse.cc reads
// JSON.
#include "types/json_form.h"

#include <cmath>

#include "types/civil_time.h"
#include "types/decimal.h"
#include "types/java_number_text.h"
#include "types/json_document.h"
#include "types/nullable_list.h"
#include "types/scalar_text.h"
#include "types/text_form.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

// Returns the length of the UTF-8 character at the front of `text`; 0 if it is malformed (table 3-7 of the Unicode
// standard).
size_t CharacterLength(std::string_view text) {
  const auto first = static_cast<uint8_t>(text[0]);
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4) return 0;
  const size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((static_cast<uint8_t>(text[i]) & 0xC0) != 0x80) return 0;
  }
  const auto second = static_cast<uint8_t>(text[1]);
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool no_character = (first == 0xED && second > 0x9F) || (first == 0xF4 && second > 0x8F);
  return overlong || no_character ? 0 : length;
}

void AppendEscaped(std::string_view text, std::string& out) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  while (!text.empty()) {
    const char c = text[0];
    const size_t length = CharacterLength(text);
    if (length != 1) {
      if (length == 0) {
        out += "\xEF\xBF\xBD";  // U+FFFD
      } else {
        out += text.substr(0, length);
      }
      text.remove_prefix(length == 0 ? 1 : length);
      continue;
    }
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\b': out += "\\b"; break;
      case '\f': out += "\\f"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default:
        if (static_cast<uint8_t>(c) >= 0x20) {
          out += c;
        } else {
          out += "\\u00";
          out += kDigits[c >> 4];
          out += kDigits[c & 15];
        }
    }
    text.remove_prefix(1);
  }
}

// Says how AppendValue writes the values that differ in the two forms of JSON.
struct AppendedForm {
  bool exact = true;
  bool null_for_nan = false;  // False in the key of a map, which cannot be null.
};

void AppendFloating(double value, const std::string& text, AppendedForm form, std::string& out) {
  if (std::isfinite(value)) {
    out += text;
  } else if (form.null_for_nan) {
    out += "null";
  } else {
    AppendJsonString(text, out);
  }
}

// Appends a value that has no exact text.
void AppendHex(ByteView bytes, std::string& out) { out += std::string(kHexInJson) + ToHex(bytes) + "\"}"; }

void AppendValue(const Type& type, ByteView bytes, AppendedForm form, std::string& out);

void AppendElements(const Type& type, ByteView bytes, AppendedForm form, std::string& out) {
  const auto elements = type.kind == TypeKind::kList ? SplitNullableList(type, bytes) : SplitCollection(type, bytes);
  const std::vector<ValueView> none;
  out += '[';
  const char* separator = "";
  for (const ValueView& element : elements.ok() ? *elements : none) {
    out += separator;
    if (element) {
      AppendValue(*type.arguments[0], *element, form, out);
    } else {
      out += "null";
    }
    separator = ", ";
  }
  out += ']';
}

// Appends a map. JSON keys must be strings, so other keys are written as JSON inside a string.
void AppendMap(const Type& type, ByteView bytes, AppendedForm form, std::string& out) {
  const auto elements = SplitCollection(type, bytes);
  out += '{';
  for (size_t i = 0; elements.ok() && i + 1 < elements->size(); i += 2) {
    if (i > 0) out += ", ";
    std::string key;
    const Type& key_type = *type.arguments[0];
    // A text that looks like the form of AppendHex is written in this form, too.
    if (form.exact && key_type.kind == TypeKind::kText && (*elements)[i]->starts_with(kHexInJson)) {
      AppendHex(*(*elements)[i], key);
    } else {
      AppendValue(key_type, *(*elements)[i], {.exact = form.exact, .null_for_nan = false}, key);
    }
    if (key[0] == '"') {
      out += key;
    } else {
      AppendJsonString(key, out);
    }
    out += ": ";
    AppendValue(*type.arguments[1], *(*elements)[i + 1], form, out);
  }
  out += '}';
}

void AppendFields(const Type& type, ByteView bytes, AppendedForm form, std::string& out) {
  const bool named = type.kind == TypeKind::kUdt;
  const auto fields = SplitTuple(type, bytes);
  out += named ? '{' : '[';
  for (size_t i = 0; fields.ok() && i < fields->size(); ++i) {
    if (i > 0) out += ", ";
    if (named) {
      const std::string& name = type.field_names[i];
      const bool quoted =
          form.exact ? NameInJson(name) != name : name.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") != std::string::npos;
      AppendJsonString(quoted ? "\"" + name + "\"" : name, out);
      out += ": ";
    }
    if ((*fields)[i]) {
      AppendValue(*type.arguments[i], *(*fields)[i], form, out);
    } else {
      out += "null";
    }
  }
  out += named ? '}' : ']';
}

void AppendScalar(const Type& type, ByteView bytes, AppendedForm form, std::string& out) {
  switch (type.kind) {
    case TypeKind::kBigint:
    case TypeKind::kCounter:
    case TypeKind::kInt:
    case TypeKind::kSmallint:
    case TypeKind::kTinyint: out += std::to_string(DecodeInteger(bytes)); return;
    case TypeKind::kVarint: out += VarintText(DecodeVarint(bytes)); return;
    case TypeKind::kDecimal: out += DecimalText(DecodeDecimal(bytes)); return;
    case TypeKind::kDouble: return AppendFloating(DecodeDouble(bytes), JavaDoubleText(DecodeDouble(bytes)), form, out);
    case TypeKind::kFloat: return AppendFloating(DecodeFloat(bytes), JavaFloatText(DecodeFloat(bytes)), form, out);
    case TypeKind::kBoolean: out += bytes[0] != 0 ? "true" : "false"; return;
    case TypeKind::kTimestamp:
      return AppendJsonString(TimestampHasYear(bytes) ? TimestampIsoText(bytes, ' ') : TimestampText(bytes), out);
    case TypeKind::kInet: return AppendJsonString(InetLongText(bytes), out);
    case TypeKind::kDuration: {
      const std::string text = FormatText(type, bytes);
      return AppendJsonString(text == "0s" && !form.exact ? "" : text, out);
    }
    case TypeKind::kAscii:
    case TypeKind::kText: return AppendJsonString(bytes, out);
    default: return AppendJsonString(FormatText(type, bytes), out);
  }
}

void AppendValue(const Type& type, ByteView bytes, AppendedForm form, std::string& out) {
  switch (type.kind) {
    case TypeKind::kList:
    case TypeKind::kSet:
    case TypeKind::kVector: return AppendElements(type, bytes, form, out);
    case TypeKind::kMap: return AppendMap(type, bytes, form, out);
    case TypeKind::kTuple:
    case TypeKind::kUdt: return AppendFields(type, bytes, form, out);
    default: break;
  }
  if (bytes.empty() && type.kind != TypeKind::kBlob) {
    out += "\"\"";
  } else if (form.exact && type.kind != TypeKind::kInet && !HasExactText(type, bytes)) {
    AppendHex(bytes, out);
  } else {
    AppendScalar(type, bytes, form, out);
  }
}

}  // namespace

bool IsUtf8(std::string_view text) {
  while (!text.empty()) {
    const size_t length = CharacterLength(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

void AppendJsonString(std::string_view text, std::string& out) {
  out += '"';
  AppendEscaped(text, out);
  out += '"';
}

void AppendJson(const Type& type, ByteView bytes, std::string& out, JsonForm json_form) {
  const bool exact = json_form == JsonForm::kExact;
  if (ValidateValue(type, bytes).ok() || (type.kind == TypeKind::kList && SplitNullableList(type, bytes).ok())) {
    AppendValue(type, bytes, {.exact = exact, .null_for_nan = !exact}, out);
  } else {
    AppendJsonString("0x" + ToHex(bytes), out);
  }
}

}  // namespace widerow
