// Reads the table options speculative_retry and additional_write_policy: 99p, 10ms, ALWAYS, NEVER, MIN(99p,10ms).
#include <algorithm>
#include <array>
#include <charconv>

#include "planner/ddl/edit/schema_edit.h"
#include "planner/ddl/parts/table_options.h"

namespace widerow::ddl {

namespace {

struct Policy {
  std::string kind;  // PERCENTILE, FIXED, ALWAYS, NEVER or HYBRID, as in Cassandra.
  std::string text;  // The text that the schema shows.
};

Error Bad(SourceRange range, const std::string& text, const std::string& why = {}) {
  return ConfigErrorAt(range, "Invalid value " + text + " for option 'speculative_retry'" + why);
}

std::string Trim(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return std::string(text);
}

// Returns the number in front of one of `units` (upper-case).
std::optional<double> NumberBefore(const std::string& upper, std::initializer_list<std::string_view> units) {
  for (const std::string_view unit : units) {
    if (!upper.ends_with(unit)) continue;
    const std::string_view digits = std::string_view(upper).substr(0, upper.size() - unit.size());
    const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || c == '.'; };
    if (!digits.empty() && std::all_of(digits.begin(), digits.end(), is_digit)) return ParseDouble(digits);
  }
  return std::nullopt;
}

// Prints at most four digits after the point, without trailing zeros.
std::string ShortNumber(double value) {
  std::array<char, 40> buffer;
  const auto [end, error] = std::to_chars(buffer.begin(), buffer.end(), value, std::chars_format::fixed, 4);
  std::string text(buffer.begin(), error == std::errc() ? end : buffer.begin());
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text;
}

Result<Policy> ReadSingle(SourceRange range, const std::string& text) {
  const std::string upper = ToUpper(text);
  if (upper == "ALWAYS") return Policy{"ALWAYS", "ALWAYS"};
  if (upper == "NEVER" || upper == "NONE") return Policy{"NEVER", "NEVER"};
  if (const auto percentile = NumberBefore(upper, {"PERCENTILE", "P"})) {
    if (*percentile > 0 && *percentile < 100) return Policy{"PERCENTILE", ShortNumber(*percentile) + "p"};
    return ConfigErrorAt(
        range, "Invalid value " + text + " for PERCENTILE option 'speculative_retry': must be between (0.0 and 100.0)");
  }
  if (const auto millis = NumberBefore(upper, {"MS"})) {
    if (*millis > INT32_MAX) return Bad(range, text);
    return Policy{"FIXED", std::to_string(static_cast<int32_t>(*millis)) + "ms"};
  }
  return Bad(range, text);
}

}  // namespace

Result<std::string> ReadSpeculativeRetry(SourceRange range, const std::string& text) {
  const std::string upper = ToUpper(text);
  const size_t comma = text.find(',');
  if ((!upper.starts_with("MIN(") && !upper.starts_with("MAX(")) || !text.ends_with(')') ||
      comma == std::string::npos) {
    WR_ASSIGN_OR_RETURN(Policy policy, ReadSingle(range, text));
    return std::move(policy.text);
  }
  WR_ASSIGN_OR_RETURN(const Policy first, ReadSingle(range, Trim(std::string_view(text).substr(4, comma - 4))));
  WR_ASSIGN_OR_RETURN(const Policy second,
                      ReadSingle(range, Trim(std::string_view(text).substr(comma + 1, text.size() - comma - 2))));
  for (const std::string& kind : {first.kind, second.kind}) {
    if (kind == "ALWAYS" || kind == "NEVER") return Bad(range, text);
  }
  if (first.kind == second.kind) {
    return Bad(range, text, ": MIN()/MAX() arguments should be of different types, but both are of type " + first.kind);
  }
  return upper.substr(0, 4) + first.text + "," + second.text + ")";
}

}  // namespace widerow::ddl
