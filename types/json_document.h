// A JSON document as a tree that keeps each number's text. types/json_form.h is built on it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "types/json_form.h"
#include "types/type.h"

namespace widerow {

struct JsonValue {
  struct Member;
  enum class Kind { kNull, kBoolean, kNumber, kString, kArray, kObject };
  Kind kind = Kind::kNull;
  std::string text;              // A number as written, a string with its escapes resolved, "true" or "false".
  std::vector<JsonValue> items;  // The elements of an array.
  std::vector<Member> members;   // The members of an object, in the order written.
};
struct JsonValue::Member {
  std::string name;
  JsonValue value;
};

// Parses one document and ignores the text after it, as Cassandra does. kInvalid if `json` does not begin with a
// document, is not UTF-8, or nests deeper than limits::kNestingMax.
Result<JsonValue> ParseJsonDocument(std::string_view json);

// Converts a part of a document to a value of `type`; null gives nullopt. kInvalid says what was expected and what was
// found.
Result<Value> ValueOfJson(const Type& type, const JsonValue& json, JsonForm form);

// Returns the column or field that a member's name means: lower case, unless the name has quotes of its own.
std::string NameInJson(const std::string& written);
// Does the inverse of NameInJson: returns the name of the member for a column, escaped, without the outer quotes. A
// name with capitals gets quotes of its own.
std::string JsonNameOf(const std::string& name);

// Return the name of the Java class in which Cassandra holds `value`, and Java's text of `value`. Cassandra's messages
// have both.
std::string JavaClassName(const JsonValue& value);
std::string JavaText(const JsonValue& value);

}  // namespace widerow
