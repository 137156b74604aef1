// What an index on text does to a value before it is compared: nothing, or letters of one case, one way of composing them, no accents.
// And LIKE's patterns. Pure functions; any thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace widerow {

struct TextAnalysis {
  enum class Case : uint8_t { kKept, kLower, kUpper };
  Case letters = Case::kKept;
  bool normalize = false;  // Unicode's form C.
  bool ascii = false;      // Letters with marks as those without, ligatures as letters: "Äpfel" is "Apfel".

  bool any() const { return letters != Case::kKept || normalize || ascii; }
  // As an index's options have it: case_sensitive, normalize, ascii; normalize_lowercase, normalize_uppercase.
  static TextAnalysis FromOptions(const std::map<std::string, std::string>& options);
  // "lower, normalize, ascii".
  std::string Name() const;
  // Text that is not UTF-8 stays as it is.
  Bytes Apply(ByteView text) const;
};

// LIKE 'abc', 'abc%', '%abc', '%abc%'; a % anywhere else is itself.
struct LikePattern {
  enum class Kind : uint8_t { kMatches, kPrefix, kSuffix, kContains };
  Kind kind = Kind::kMatches;
  ByteView term;  // Of the pattern's bytes.

  // nullopt: there is nothing to look for.
  static std::optional<LikePattern> Parse(ByteView pattern);
  bool Matches(ByteView value) const;
};

}  // namespace widerow
