#include "types/json_document.h"

#include <boost/json/basic_parser_impl.hpp>
#include <charconv>
#include <cstdlib>

#include "base/limits.h"
#include "base/text.h"
#include "types/java_number_text.h"

namespace widerow {
namespace {

// Callbacks of Boost's parser. Boost's own values would turn long numbers into doubles, so the tree is built here.
class TreeBuilder {
 public:
  using error_code = boost::json::error_code;
  using string_view = boost::json::string_view;
  static constexpr std::size_t max_object_size = -1;
  static constexpr std::size_t max_array_size = -1;
  static constexpr std::size_t max_key_size = -1;
  static constexpr std::size_t max_string_size = -1;

  bool on_document_begin(error_code&) { return true; }
  bool on_document_end(error_code&) { return true; }
  bool on_object_begin(error_code&) { return Open(JsonValue::Kind::kObject); }
  bool on_object_end(std::size_t, error_code&) { return Close(); }
  bool on_array_begin(error_code&) { return Open(JsonValue::Kind::kArray); }
  bool on_array_end(std::size_t, error_code&) { return Close(); }
  bool on_key_part(string_view part, std::size_t, error_code&) { return Collect(part); }
  bool on_key(string_view part, std::size_t, error_code&) {
    Collect(part);
    keys_.push_back(std::exchange(text_, {}));
    return true;
  }
  bool on_string_part(string_view part, std::size_t, error_code&) { return Collect(part); }
  bool on_string(string_view part, std::size_t, error_code&) {
    Collect(part);
    return Scalar(JsonValue::Kind::kString);
  }
  bool on_number_part(string_view part, error_code&) { return Collect(part); }
  bool on_int64(int64_t, string_view part, error_code&) { return Number(part); }
  bool on_uint64(uint64_t, string_view part, error_code&) { return Number(part); }
  bool on_double(double, string_view part, error_code&) { return Number(part); }
  bool on_bool(bool value, error_code&) {
    text_ = value ? "true" : "false";
    return Scalar(JsonValue::Kind::kBoolean);
  }
  bool on_null(error_code&) { return Scalar(JsonValue::Kind::kNull); }
  bool on_comment_part(string_view, error_code&) { return true; }
  bool on_comment(string_view, error_code&) { return true; }

  JsonValue TakeRoot() { return std::move(root_); }

 private:
  bool Collect(string_view part) {
    text_.append(part.data(), part.size());
    return true;
  }
  bool Number(string_view part) {
    Collect(part);
    return Scalar(JsonValue::Kind::kNumber);
  }
  bool Scalar(JsonValue::Kind kind) {
    JsonValue value;
    value.kind = kind;
    value.text = std::exchange(text_, {});
    return Add(std::move(value));
  }
  bool Open(JsonValue::Kind kind) {
    open_.emplace_back().kind = kind;
    return true;
  }
  bool Close() {
    JsonValue value = std::move(open_.back());
    open_.pop_back();
    return Add(std::move(value));
  }
  bool Add(JsonValue value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (open_.back().kind == JsonValue::Kind::kArray) {
      open_.back().items.push_back(std::move(value));
    } else {
      open_.back().members.push_back({std::move(keys_.back()), std::move(value)});
      keys_.pop_back();
    }
    return true;
  }

  JsonValue root_;
  std::vector<JsonValue> open_;    // Open arrays and objects, outermost first.
  std::vector<std::string> keys_;  // Keys of members whose value has not been read yet.
  std::string text_;
};

// True if a document of this kind may end at `end`, where other text follows. Cassandra's parser reads one document and
// ignores that text; after a number, true, false or null, a blank must come first.
bool MayEnd(std::string_view json, size_t end, JsonValue::Kind kind) {
  const bool word =
      kind == JsonValue::Kind::kNumber || kind == JsonValue::Kind::kBoolean || kind == JsonValue::Kind::kNull;
  return !word || json.substr(end - 1, 2).find_first_of(" \t\r\n") != std::string_view::npos;
}

}  // namespace

Result<JsonValue> ParseJsonDocument(std::string_view json) {
  boost::json::parse_options options;
  options.max_depth = limits::kNestingMax;
  boost::json::basic_parser<TreeBuilder> parser(options);
  boost::json::error_code error;
  const size_t used = parser.write_some(false, json.data(), json.size(), error);
  JsonValue root = parser.handler().TakeRoot();
  if (!error && used < json.size() && !MayEnd(json, used, root.kind)) { error = boost::json::error::extra_data; }
  if (error) {
    return InvalidError("Could not decode JSON string '" + std::string(json.substr(0, 200)) + "': " + error.message() +
                        " at byte " + std::to_string(used));
  }
  return root;
}

namespace {

bool IsDouble(const std::string& number) { return number.find_first_of(".eE") != std::string::npos; }

// A number that is too large is infinite, as in Java.
double DoubleOf(const std::string& number) { return std::strtod(number.c_str(), nullptr); }

}  // namespace

std::string JavaClassName(const JsonValue& value) {
  switch (value.kind) {
    case JsonValue::Kind::kNull: return "null";
    case JsonValue::Kind::kBoolean: return "Boolean";
    case JsonValue::Kind::kString: return "String";
    case JsonValue::Kind::kArray: return "ArrayList";
    case JsonValue::Kind::kObject: return "LinkedHashMap";
    case JsonValue::Kind::kNumber: break;
  }
  if (IsDouble(value.text)) return "Double";
  int64_t number = 0;
  const auto [end, error] = std::from_chars(value.text.data(), value.text.data() + value.text.size(), number);
  if (error != std::errc()) return "BigInteger";
  return number == static_cast<int32_t>(number) ? "Integer" : "Long";
}

std::string JavaText(const JsonValue& value) {
  switch (value.kind) {
    case JsonValue::Kind::kNull: return "null";
    case JsonValue::Kind::kBoolean:
    case JsonValue::Kind::kString: return value.text;
    case JsonValue::Kind::kNumber: return IsDouble(value.text) ? JavaDoubleText(DoubleOf(value.text)) : value.text;
    case JsonValue::Kind::kArray:
    case JsonValue::Kind::kObject: break;
  }
  const bool is_array = value.kind == JsonValue::Kind::kArray;
  std::vector<std::string> parts;
  for (const JsonValue& item : value.items) parts.push_back(JavaText(item));
  for (const auto& [key, member] : value.members) parts.push_back(key + "=" + JavaText(member));
  return (is_array ? "[" : "{") + JoinNames(parts) + (is_array ? "]" : "}");
}

}  // namespace widerow
