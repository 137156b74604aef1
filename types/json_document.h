// A JSON document as a tree that keeps every number as it was written. Behind types/json_form.h.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "types/type.h"

namespace widerow {

struct JsonValue {
  struct Member;
  enum class Kind { kNull, kBoolean, kNumber, kString, kArray, kObject };
  Kind kind = Kind::kNull;
  std::string text;  // A number as written, a string without its escapes, "true" or "false".
  std::vector<JsonValue> items;  // Array.
  std::vector<Member> members;   // Object, in the order written.
};
struct JsonValue::Member {
  std::string name;
  JsonValue value;
};

// kInvalid if `json` is not exactly one document, is not UTF-8, or nests deeper than limits::kNestingMax.
Result<JsonValue> ParseJsonDocument(std::string_view json);

// A value of `type` from a part of a document; null gives nullopt. kInvalid says what was expected and what was found.
Result<Value> ValueOfJson(const Type& type, const JsonValue& json);

// Names of columns and fields are without case, unless they carry quotes of their own.
std::string NameInJson(const std::string& written);
// The other way: what stands between the quotes of a member, escaped; with quotes of its own if it has capitals.
std::string JsonNameOf(const std::string& name);

// The name of the Java class in which Cassandra would hold `value`, and how Java would print it: its messages say so.
std::string JavaClassName(const JsonValue& value);
std::string JavaText(const JsonValue& value);

}  // namespace widerow
