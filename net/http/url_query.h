// What follows the ? of a request's target: names and values, %-decoded.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace widerow {

// "a%20b+c" -> "a b c"; false if a % is not followed by two hex digits.
bool DecodeUrl(std::string_view text, std::string& out);
// "a=1&b=2". nullopt if it is malformed or names a parameter twice.
std::optional<std::map<std::string, std::string>> ParseUrlQuery(std::string_view query);

}  // namespace widerow
