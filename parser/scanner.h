// Cuts CQL text into rough pieces, in one pass and without ANTLR. That is enough to find the ends of statements,
// strings and comments, and the nesting of brackets. Used to split scripts and to check bounds before ANTLR.
#pragma once

#include <optional>
#include <string_view>

#include "base/error.h"

namespace widerow {

// True for blank characters between pieces.
inline bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

struct Piece {
  enum class Kind : uint8_t {
    kWord,     // Letters, digits, _ and a $ inside a name; numbers too.
    kString,   // '…' or $$ … $$
    kName,     // "…"
    kComment,  // -- …, // …, /* … */
    kSymbol,   // Any other single character.
  };
  Kind kind = Kind::kWord;
  SourceRange range;
  bool closed = true;  // False for a string, name or /* comment that is not closed before the text ends.
};

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}
  // Returns the next piece after blanks; absent at the end.
  std::optional<Piece> Next();

 private:
  Piece Take(Piece::Kind kind, size_t end, bool closed = true);
  Piece TakeUntil(Piece::Kind kind, size_t from, std::string_view end_mark);
  Piece TakeQuoted(Piece::Kind kind, char quote);

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace widerow
