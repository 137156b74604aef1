// The query part of a URL, such as a=1&b=x%20y.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace widerow {

// Turns "a%20b+c" into "a b c". False if a % is not followed by two hex digits.
bool DecodeUrl(std::string_view text, std::string& out);
// Returns names and values in order; a name without = has an empty value. nullopt if something cannot be decoded.
std::optional<std::vector<std::pair<std::string, std::string>>> ParseUrlQuery(std::string_view query);

}  // namespace widerow
