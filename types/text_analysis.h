// Text analysis of indexes. It defines the form in which a value is compared. The value is unchanged, or one or more
// changes are made: to lower or upper case, to a Unicode normal form, or to letters without accents. The file also has
// LIKE's patterns. Pure functions; any thread.
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
  bool normalize = false;  // Unicode's normal form C.
  bool ascii = false;      // Letters lose their accents, and ligatures are spelled out: "Äpfel" is "Apfel".

  bool any() const { return letters != Case::kKept || normalize || ascii; }
  // Reads these options of an index: case_sensitive, normalize, ascii, normalize_lowercase and normalize_uppercase.
  static TextAnalysis FromOptions(const std::map<std::string, std::string>& options);
  // Returns a text such as "lower, normalize, ascii".
  std::string Name() const;
  // Returns the analyzed text. Malformed UTF-8 becomes U+FFFD.
  Bytes Apply(ByteView text) const;
};

// LIKE 'abc', 'abc%', '%abc', '%abc%'. A % anywhere else is an ordinary character.
struct LikePattern {
  enum class Kind : uint8_t { kMatches, kPrefix, kSuffix, kContains };
  Kind kind = Kind::kMatches;
  ByteView term;  // Borrows the pattern.

  // Returns nullopt if there is no text to search for.
  static std::optional<LikePattern> Parse(ByteView pattern);
  bool Matches(ByteView value) const;
};

}  // namespace widerow
