// Text for messages, from Abseil. The system's Abseil is built with a string_view of its own, to which a
// std::string_view does not convert; these functions convert it.
#pragma once

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>
#include <absl/strings/string_view.h>

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace widerow {

inline absl::string_view ForAbseil(std::string_view text) { return {text.data(), text.size()}; }

// Joins texts and numbers, as absl::StrCat does: with one allocation, and without std::to_string.
template <typename... Pieces>
std::string StrCat(const Pieces&... pieces) {
  const auto piece = [](const auto& given) -> decltype(auto) {
    if constexpr (std::is_same_v<std::decay_t<decltype(given)>, std::string_view>) {
      return ForAbseil(given);
    } else {
      return (given);
    }
  };
  return absl::StrCat(piece(pieces)...);
}

// Returns "a, b, c".
inline std::string JoinNames(const std::vector<std::string>& names, std::string_view separator = ", ") {
  return absl::StrJoin(names, ForAbseil(separator));
}

// Inserts commas between groups of three: "-1234567" becomes "-1,234,567".
inline std::string GroupDigits(std::string digits) {
  const size_t sign = digits.starts_with('-') ? 1 : 0;
  for (size_t at = digits.size(); at > 3 + sign; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}
// Returns 1234567 as "1,234,567".
template <std::integral T>
std::string GroupedDigits(T number) {
  return GroupDigits(absl::StrCat(number));
}

}  // namespace widerow
