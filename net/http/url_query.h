// The query part of a URL: a=1&b=x%20y.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace widerow {

// "a%20b+c" -> "a b c"; false if a % is not followed by two hex digits.
bool DecodeUrl(std::string_view text, std::string& out);
// Names and values in order; a name without = has an empty value. nullopt if something cannot be decoded.
std::optional<std::vector<std::pair<std::string, std::string>>> ParseUrlQuery(std::string_view query);

}  // namespace widerow
