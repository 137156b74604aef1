// JSON taken apart without being converted: values stay slices of the request's text, so that no number passes through
// a double. CheckJson comes first; the other functions rely on it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace widerow {

// One whole JSON document, at most `depth_max` levels deep, in UTF-8. kInvalid says what is wrong and where.
Status CheckJson(std::string_view text, size_t depth_max);

struct JsonMember {
  std::string name;
  std::string_view value;  // Raw, borrowed.
};

// All of these take checked JSON of the kind they name (see KindOf).
std::vector<JsonMember> SplitJsonObject(std::string_view object);
std::vector<std::string_view> SplitJsonArray(std::string_view array);
std::string DecodeJsonString(std::string_view string);

enum class JsonKind : uint8_t { kNull, kBoolean, kNumber, kString, kArray, kObject };
JsonKind KindOf(std::string_view value);
const char* JsonKindName(JsonKind kind);  // "a string", "an array", ….

}  // namespace widerow
