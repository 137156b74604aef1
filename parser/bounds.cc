#include "parser/bounds.h"

#include <strings.h>

#include <string>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "parser/error_text.h"
#include "parser/scanner.h"

namespace widerow {
namespace {

// Measures how deeply a text is nested. Every open bracket is a level, and so is every open `<` of a type. Chains such
// as NOT NOT …, - - - … and (int)(int)… nest without an open bracket: each link is a level until the chain ends.
//
// A `<` may also be a comparison. Add first takes it for the beginning of a type, and counts a level. Add takes the
// level back when the text after it cannot be a type: when two words are side by side, or when there is a symbol
// outside of brackets that is none of `<`, `>`, `.` and `,`.
class NestingMeter {
 public:
  // Returns the depth after `piece`.
  size_t Add(const Piece& piece, std::string_view text) {
    const std::string_view word = text.substr(piece.range.begin, piece.range.end - piece.range.begin);
    const bool is_symbol = piece.kind == Piece::Kind::kSymbol;
    const bool is_not = piece.kind == Piece::Kind::kWord && word.size() == 3 && strncasecmp(word.data(), "not", 3) == 0;
    const char symbol = is_symbol ? word.front() : is_not ? '-' : 'a';
    if (symbol == '(' || symbol == '[' || symbol == '{') {
      Open(symbol);
    } else if (symbol == ')' || symbol == ']' || symbol == '}') {
      Close();
    } else if (symbol == '-') {
      EndTypes();
      ++levels_.back().links;
      ++depth_;
    } else {
      EndChain();
      if (symbol == '<')
        OpenType();
      else if (symbol == '>')
        CloseType();
      else if (symbol != '.' && symbol != ',' && (is_symbol || previous_ == 'a'))
        EndTypes();
    }
    previous_ = symbol;
    return depth_;
  }

 private:
  struct Level {
    size_t links = 0, types = 0;
  };

  void Open(char symbol) {
    if (symbol == '(' && previous_ == ')') {
      ++levels_.back().links;
      ++depth_;
    } else if (previous_ != '-') {
      EndChain();
    }
    levels_.emplace_back();
    ++depth_;
  }
  void Close() {
    EndChain();
    EndTypes();
    if (levels_.size() == 1) return;  // The parser reports this bracket, which closes nothing.
    levels_.pop_back();
    --depth_;
  }
  void OpenType() {
    ++levels_.back().types;
    ++depth_;
  }
  void CloseType() {
    if (levels_.back().types == 0) return;
    --levels_.back().types;
    --depth_;
  }
  void EndChain() { depth_ -= std::exchange(levels_.back().links, 0); }
  void EndTypes() { depth_ -= std::exchange(levels_.back().types, 0); }

  std::vector<Level> levels_ = std::vector<Level>(1);
  size_t depth_ = 0;
  char previous_ = '\0';  // The previous symbol; 'a' if a word, a string or a name came last.
};

Error UnclosedError(std::string_view text, const Piece& piece) {
  const LineColumn end = LocateOffset(text, static_cast<uint32_t>(text.size()));
  const bool dollars = text.substr(piece.range.begin).starts_with("$$");
  std::string expecting = "'*'", what = "comment", closer = "*/";
  if (piece.kind == Piece::Kind::kString) {
    expecting = dollars ? "'$'" : "'''";
    what = "string";
    closer = dollars ? "$$" : "'";
  } else if (piece.kind == Piece::Kind::kName) {
    expecting = "'\"'";
    what = "quoted name";
    closer = "\"";
  }
  return {.code = ErrorCode::kSyntaxError,
          .message = "line " + std::to_string(end.line) + ":" + std::to_string(end.column) +
                     " mismatched character '<EOF>' expecting " + expecting,
          .range = SourceRange{piece.range.begin, piece.range.begin + static_cast<uint32_t>(closer.size())},
          .hint = "the " + what + " that begins here is never closed: add " + closer};
}

Error TooLarge(const char* what, size_t bound, std::optional<SourceRange> range) {
  return {.code = ErrorCode::kInvalid,
          .message = "Statement " + std::string(what) + " " + std::to_string(bound),
          .range = range,
          .hint = "split it into several statements, or send values as bind markers"};
}

}  // namespace

Result<size_t> CheckBounds(std::string_view text) {
  if (text.size() > limits::kStatementBytesMax) {
    return TooLarge("is too long: the maximum number of bytes is", limits::kStatementBytesMax, std::nullopt);
  }
  Scanner scanner(text);
  NestingMeter meter;
  size_t pieces = 0;
  while (const std::optional<Piece> piece = scanner.Next()) {
    if (!piece->closed) return UnclosedError(text, *piece);
    if (piece->kind == Piece::Kind::kComment) continue;
    if (++pieces > limits::kStatementTokensMax) {
      return TooLarge("has too many words and symbols: the maximum is", limits::kStatementTokensMax, piece->range);
    }
    if (meter.Add(*piece, text) > limits::kNestingMax) {
      return TooLarge("is nested too deeply: the maximum depth is", limits::kNestingMax, piece->range);
    }
  }
  return pieces;
}

}  // namespace widerow
