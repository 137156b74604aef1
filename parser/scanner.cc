#include "parser/scanner.h"

namespace widerow {
namespace {

bool IsWord(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

}  // namespace

std::optional<Piece> Scanner::Next() {
  while (at_ < text_.size() && IsBlank(text_[at_])) ++at_;
  if (at_ >= text_.size()) return std::nullopt;
  const std::string_view rest = text_.substr(at_);
  if (rest.starts_with("--") || rest.starts_with("//")) {
    const size_t end = text_.find_first_of("\r\n", at_);
    return Take(Piece::Kind::kComment, end == std::string_view::npos ? text_.size() : end);
  }
  if (rest.starts_with("/*")) return TakeUntil(Piece::Kind::kComment, at_ + 2, "*/");
  if (rest.starts_with("$$")) return TakeUntil(Piece::Kind::kString, at_ + 2, "$$");
  if (rest.front() == '\'') return TakeQuoted(Piece::Kind::kString, '\'');
  if (rest.front() == '"') return TakeQuoted(Piece::Kind::kName, '"');
  if (!IsWord(rest.front())) return Take(Piece::Kind::kSymbol, at_ + 1);
  size_t end = at_ + 1;
  // A single $ is part of the word; $$ begins a string (AS$$ … $$), as in the lexer's IDENT.
  while (end < text_.size() &&
         (IsWord(text_[end]) || (text_[end] == '$' && end + 1 < text_.size() && IsWord(text_[end + 1])))) {
    ++end;
  }
  return Take(Piece::Kind::kWord, end);
}

Piece Scanner::Take(Piece::Kind kind, size_t end, bool closed) {
  const Piece piece{kind, {static_cast<uint32_t>(at_), static_cast<uint32_t>(end)}, closed};
  at_ = end;
  return piece;
}

Piece Scanner::TakeUntil(Piece::Kind kind, size_t from, std::string_view end_mark) {
  const size_t found = text_.find(end_mark, from);
  if (found == std::string_view::npos) return Take(kind, text_.size(), /*closed=*/false);
  return Take(kind, found + end_mark.size());
}

Piece Scanner::TakeQuoted(Piece::Kind kind, char quote) {
  size_t end = at_ + 1;
  while (true) {
    end = text_.find(quote, end);
    if (end == std::string_view::npos) return Take(kind, text_.size(), /*closed=*/false);
    ++end;
    if (end >= text_.size() || text_[end] != quote) return Take(kind, end);
    ++end;  // Two quotes in a row are one quote of the name or string.
  }
}

}  // namespace widerow
