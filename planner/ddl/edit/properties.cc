// Read() stores the properties of a statement by name. Each getter converts one property to a type. Its error has
// Cassandra's sentence.
#include "planner/ddl/edit/properties.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/text.h"
#include "planner/ddl/edit/schema_edit.h"

namespace widerow::ddl {

namespace {

std::optional<std::string> LiteralText(const Term& term) {
  const auto* literal = std::get_if<Literal>(&term.node);
  if (literal == nullptr || literal->kind == Literal::Kind::kNull) return std::nullopt;
  return literal->text;
}

}  // namespace

std::optional<int32_t> ParseInt(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  int32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> ParseDouble(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string DoubleText(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  std::array<char, 40> buffer;
  const auto [end, error] = std::to_chars(buffer.begin(), buffer.end(), value, std::chars_format::scientific);
  if (error != std::errc()) return "0.0";
  // `text` has the form d.ddde±xx. Its digits and exponent are printed in one of Java's two forms.
  std::string text(buffer.begin(), end);
  const std::string sign = text[0] == '-' ? "-" : "";
  text.erase(0, sign.size());
  const size_t e = text.find('e');
  int exponent = 0;
  const char* const digits_of_exponent = text.data() + e + (text[e + 1] == '+' ? 2 : 1);
  std::from_chars(digits_of_exponent, text.data() + text.size(), exponent);
  std::string digits = text.substr(0, e);
  digits.erase(std::remove(digits.begin(), digits.end(), '.'), digits.end());
  if (value == 0) return sign + "0.0";
  if (exponent < -3 || exponent >= 7) {
    return StrCat(sign, digits.substr(0, 1), ".", digits.size() > 1 ? digits.substr(1) : "0", "E", exponent);
  }
  if (exponent < 0) return StrCat(sign, "0.", std::string(static_cast<size_t>(-exponent - 1), '0'), digits);
  const auto whole = static_cast<size_t>(exponent) + 1;
  if (digits.size() < whole) digits.append(whole - digits.size(), '0');
  return sign + digits.substr(0, whole) + "." + (digits.size() > whole ? digits.substr(whole) : "0");
}

std::string ToUpper(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

Result<Properties> Properties::Read(const std::vector<Property>& properties, std::span<const std::string_view> known) {
  Properties read;
  for (const Property& property : properties) {
    if (!read.byname_.emplace(property.name.text, property).second) {
      return SyntaxErrorAt(property.range, "Multiple definitions for property '" + property.name.text + "'");
    }
  }
  for (const Property& property : properties) {
    if (std::find(known.begin(), known.end(), property.name.text) == known.end()) {
      return SyntaxErrorAt(property.range, "Unknown property '" + property.name.text + "'");
    }
  }
  return read;
}

SourceRange Properties::RangeOf(std::string_view name) const {
  const auto found = byname_.find(name);
  return found == byname_.end() ? SourceRange{} : found->second.range;
}

Result<std::optional<std::string>> Properties::Text(std::string_view name) const {
  const auto found = byname_.find(name);
  if (found == byname_.end()) return std::optional<std::string>();
  auto text = LiteralText(found->second.value);
  if (!text) {
    return SyntaxErrorAt(found->second.range,
                         "Invalid value for property '" + std::string(name) + "'. It should be a string");
  }
  return text;
}

Result<std::optional<std::map<std::string, std::string>>> Properties::Map(std::string_view name) const {
  const auto found = byname_.find(name);
  if (found == byname_.end()) return std::optional<std::map<std::string, std::string>>();
  const Error not_a_map =
      SyntaxErrorAt(found->second.range, "Invalid value for property '" + std::string(name) + "'. It should be a map.");
  std::map<std::string, std::string> entries;
  if (const auto* empty = std::get_if<SetTerm>(&found->second.value.node)) {
    if (!empty->elements.empty()) return not_a_map;
    return std::optional(std::move(entries));
  }
  const auto* map = std::get_if<MapTerm>(&found->second.value.node);
  if (map == nullptr) return not_a_map;
  for (size_t i = 0; i < map->keys.size(); ++i) {
    auto key = LiteralText(map->keys[i]), value = LiteralText(map->values[i]);
    if (!key || !value) return not_a_map;
    entries[std::move(*key)] = std::move(*value);
  }
  return std::optional(std::move(entries));
}

Result<std::optional<int32_t>> Properties::Int(std::string_view name) const {
  WR_ASSIGN_OR_RETURN(const auto text, Text(name));
  if (!text) return std::optional<int32_t>();
  const auto value = ParseInt(*text);
  if (!value)
    return SyntaxErrorAt(RangeOf(name), "Invalid integer value " + *text + " for '" + std::string(name) + "'");
  return value;
}

Result<std::optional<double>> Properties::Double(std::string_view name) const {
  WR_ASSIGN_OR_RETURN(const auto text, Text(name));
  if (!text) return std::optional<double>();
  const auto value = ParseDouble(*text);
  if (!value) return SyntaxErrorAt(RangeOf(name), "Invalid double value " + *text + " for '" + std::string(name) + "'");
  return value;
}

Result<std::optional<bool>> Properties::Boolean(std::string_view name) const {
  WR_ASSIGN_OR_RETURN(const auto text, Text(name));
  if (!text) return std::optional<bool>();
  const std::string upper = ToUpper(*text);
  if (upper == "TRUE" || upper == "1" || upper == "YES") return std::optional(true);
  if (upper == "FALSE" || upper == "0" || upper == "NO") return std::optional(false);
  return SyntaxErrorAt(RangeOf(name), "Invalid boolean value " + *text + " for '" + std::string(name) +
                                          "'. Positive values can be '1', 'true' or 'yes'. Negative values can be '0', "
                                          "'false' or 'no'.");
}

}  // namespace widerow::ddl
