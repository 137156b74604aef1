// Cuts CQL text into rough pieces, in one pass and without ANTLR: enough to find where statements, strings and comments
// end and how deep brackets nest. Splitting a script and the bounds that are checked before ANTLR both stand on it.
#pragma once

#include <optional>
#include <string_view>

#include "base/error.h"

namespace widerow {

// A blank between pieces.
inline bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

struct Piece {
  enum class Kind : uint8_t {
    kWord,     // Letters, digits, _ and $ inside names; numbers too.
    kString,   // '…' or $$ … $$
    kName,     // "…"
    kComment,  // -- …, // …, /* … */
    kSymbol,   // One other character.
  };
  Kind kind = Kind::kWord;
  SourceRange range;
  bool closed = true;  // False: a string, name or /* comment that the text's end cuts off.
};

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}
  // The next piece after blanks; absent at the end.
  std::optional<Piece> Next();

 private:
  Piece Take(Piece::Kind kind, size_t end, bool closed = true);
  Piece TakeUntil(Piece::Kind kind, size_t from, std::string_view end_mark);
  Piece TakeQuoted(Piece::Kind kind, char quote);

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace widerow
