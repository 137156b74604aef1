// Lists of names for messages and plans.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace widerow {

// Returns "a, b, c".
std::string JoinNames(const std::vector<std::string>& names, std::string_view separator = ", ");

}  // namespace widerow
