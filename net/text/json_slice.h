// Splits JSON without converting it: values remain slices of the request's text, so no number passes through a double.
// Call CheckJson first; the other functions rely on it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace widerow {

// Checks that `text` is one complete JSON document in UTF-8, at most `depth_max` levels deep. kInvalid says what is
// wrong and where.
Status CheckJson(std::string_view text, size_t depth_max);

struct JsonMember {
  std::string name;
  std::string_view value;  // The value's JSON text, borrowed.
};

// The Split functions take checked JSON of the kind in their name (see KindOf).
std::vector<JsonMember> SplitJsonObject(std::string_view object);
std::vector<std::string_view> SplitJsonArray(std::string_view array);
std::string DecodeJsonString(std::string_view string);

enum class JsonKind : uint8_t { kNull, kBoolean, kNumber, kString, kArray, kObject };
JsonKind KindOf(std::string_view value);
const char* JsonKindName(JsonKind kind);  // "a string", "an array", ….

}  // namespace widerow
