// Values as JSON, after CQL's own mapping (SELECT JSON / INSERT JSON). Integers and decimals never go through a double:
// on output bigint, varint and decimal are JSON numbers with all their digits; on input they are taken from the
// number's own text or from a string.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "types/type.h"

namespace widerow {

// What NaN and infinities become, since JSON numbers cannot say them.
enum class NotANumber : uint8_t { kString, kNull };  // "NaN"; null, as Cassandra has it.

// Appends `bytes` as JSON to `out`.
void AppendJson(const Type& type, ByteView bytes, std::string& out, NotANumber not_a_number = NotANumber::kString);
// Appends a JSON string with everything escaped that must be; bytes that are not UTF-8 become U+FFFD.
void AppendJsonString(std::string_view text, std::string& out);
// One JSON document as a value of `type`; `null` gives nullopt. kInvalid says what was expected and what was found.
Result<Value> ParseJson(const Type& type, std::string_view json);

}  // namespace widerow
