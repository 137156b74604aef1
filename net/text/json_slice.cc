// CheckJson runs Boost's parser over the text and ignores its tokens. The Split functions then find the ends of values
// by quotes and brackets alone, which is enough for checked JSON.
#include "net/text/json_slice.h"

#include <algorithm>
#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

namespace widerow {

namespace {

namespace json = boost::json;

// Receives every token and keeps none: only the checks of Boost's parser are used.
struct IgnoreTokens {
  static constexpr size_t max_object_size = SIZE_MAX, max_array_size = SIZE_MAX;
  static constexpr size_t max_key_size = SIZE_MAX, max_string_size = SIZE_MAX;
  using Code = json::error_code;
  bool on_document_begin(Code&) { return true; }
  bool on_document_end(Code&) { return true; }
  bool on_array_begin(Code&) { return true; }
  bool on_array_end(size_t, Code&) { return true; }
  bool on_object_begin(Code&) { return true; }
  bool on_object_end(size_t, Code&) { return true; }
  bool on_string_part(json::string_view, size_t, Code&) { return true; }
  bool on_string(json::string_view, size_t, Code&) { return true; }
  bool on_key_part(json::string_view, size_t, Code&) { return true; }
  bool on_key(json::string_view, size_t, Code&) { return true; }
  bool on_number_part(json::string_view, Code&) { return true; }
  bool on_int64(int64_t, json::string_view, Code&) { return true; }
  bool on_uint64(uint64_t, json::string_view, Code&) { return true; }
  bool on_double(double, json::string_view, Code&) { return true; }
  bool on_bool(bool, Code&) { return true; }
  bool on_null(Code&) { return true; }
  bool on_comment_part(json::string_view, Code&) { return true; }
  bool on_comment(json::string_view, Code&) { return true; }
};

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string_view SkipBlanks(std::string_view text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  return text;
}

// Returns the position after the closing quote of the string at the start of `text`.
size_t StringEnd(std::string_view text) {
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      return i + 1;
    }
  }
  return text.size();
}

size_t ValueEnd(std::string_view text) {
  if (text.empty()) return 0;
  if (text.front() == '"') return StringEnd(text);
  if (text.front() != '{' && text.front() != '[') return std::min(text.find_first_of(",]} \t\r\n"), text.size());
  size_t depth = 0;
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '"') {
      i += StringEnd(text.substr(i));
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) return i + 1;
    ++i;
  }
  return text.size();
}

std::string_view TakeValue(std::string_view& text) {
  text = SkipBlanks(text);
  const std::string_view value = text.substr(0, ValueEnd(text));
  text = SkipBlanks(text.substr(value.size()));
  return value;
}

// Returns the content of an array or object, without its brackets.
std::string_view Inside(std::string_view text) {
  text = SkipBlanks(text);
  const std::string_view whole = text.substr(0, ValueEnd(text));
  return whole.size() < 2 ? std::string_view() : SkipBlanks(whole.substr(1, whole.size() - 2));
}

void TakeSeparator(std::string_view& text) {
  if (!text.empty()) text = SkipBlanks(text.substr(1));
}

}  // namespace

Status CheckJson(std::string_view text, size_t depth_max) {
  json::parse_options options;
  options.max_depth = depth_max;
  json::basic_parser<IgnoreTokens> parser(options);
  json::error_code code;
  const size_t used = parser.write_some(false, text.data(), text.size(), code);
  if (!code && used < text.size()) code = json::error::extra_data;
  if (!code) return {};
  return InvalidError("the request body is not JSON: " + code.message() + " at byte " + std::to_string(used));
}

std::vector<JsonMember> SplitJsonObject(std::string_view object) {
  std::vector<JsonMember> members;
  for (std::string_view text = Inside(object); !text.empty(); TakeSeparator(text)) {
    std::string name = DecodeJsonString(TakeValue(text));
    TakeSeparator(text);  // The colon.
    members.push_back({std::move(name), TakeValue(text)});
  }
  return members;
}

std::vector<std::string_view> SplitJsonArray(std::string_view array) {
  std::vector<std::string_view> values;
  for (std::string_view text = Inside(array); !text.empty(); TakeSeparator(text)) values.push_back(TakeValue(text));
  return values;
}

std::string DecodeJsonString(std::string_view string) {
  if (string.size() >= 2 && string.find('\\') == std::string_view::npos) {
    return std::string(string.substr(1, string.size() - 2));
  }
  json::error_code code;
  const json::value value = json::parse(json::string_view(string.data(), string.size()), code);
  const json::string* decoded = value.if_string();
  return decoded == nullptr ? std::string() : std::string(decoded->data(), decoded->size());
}

JsonKind KindOf(std::string_view value) {
  switch (value.empty() ? 'n' : value.front()) {
    case 'n': return JsonKind::kNull;
    case 't':
    case 'f': return JsonKind::kBoolean;
    case '"': return JsonKind::kString;
    case '[': return JsonKind::kArray;
    case '{': return JsonKind::kObject;
    default: return JsonKind::kNumber;
  }
}

const char* JsonKindName(JsonKind kind) {
  switch (kind) {
    case JsonKind::kNull: return "null";
    case JsonKind::kBoolean: return "a boolean";
    case JsonKind::kNumber: return "a number";
    case JsonKind::kString: return "a string";
    case JsonKind::kArray: return "an array";
    case JsonKind::kObject: return "an object";
  }
  return "a value";
}

}  // namespace widerow
