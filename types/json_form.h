// Values as JSON, by CQL's own mapping (SELECT JSON, INSERT JSON) or in an exact form. Integers and decimals never
// become a double: bigint, varint and decimal are written as JSON numbers with all their digits, and are read from the
// number's text or from a string.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "types/type.h"

namespace widerow {

enum class JsonForm : uint8_t {
  // ParseJson gives the value back that AppendJson has written. NaN and infinities are strings, "NaN". An empty value
  // of a scalar type other than text, ascii and blob is "", also for boolean. A list may contain nulls, as TTL(l) does.
  // A scalar without an exact text (HasExactText in text_form.h) is {"hex": "0001"}; for addresses, the text is exact.
  kExact,
  // The form of SELECT JSON and INSERT JSON in Cassandra. NaN and infinities are written as null, and a duration of
  // zero as "". The string "" is read as the boolean false; for varint it is refused. Nulls in lists are refused.
  kCassandra,
};

// The beginning of a value that has no exact text.
inline constexpr std::string_view kHexInJson = R"({"hex": ")";

// Appends the value as JSON to `out`. A value that is not valid for its type is written as its bytes, "0x…".
void AppendJson(const Type& type, ByteView bytes, std::string& out, JsonForm form);
// True if AppendJsonString writes all bytes of the text as they are.
bool IsUtf8(std::string_view text);
// Appends a JSON string with the necessary escapes; bytes that are not UTF-8 become U+FFFD.
void AppendJsonString(std::string_view text, std::string& out);
// Converts one JSON document to a value of `type`; `null` gives nullopt. kInvalid says what was expected and what was
// found.
Result<Value> ParseJson(const Type& type, std::string_view json, JsonForm form);
// True if ParseJson's error is about the text of a duration. Cassandra's error for such a text does not name the column
// or the function.
bool IsAboutDuration(const Error& error);

}  // namespace widerow
