#include "shell/lexer.h"

#include <algorithm>

namespace widerow {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool IsNamePart(char c) { return IsNameStart(c) || IsDigit(c) || c == '$'; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<ShellToken> Run() {
    while (SkipBlanks(), at_ < text_.size()) Take();
    return std::move(tokens_);
  }

 private:
  bool At(std::string_view what) const { return text_.substr(at_).starts_with(what); }

  void SkipBlanks() {
    while (at_ < text_.size()) {
      if (static_cast<unsigned char>(text_[at_]) <= ' ') {
        ++at_;
      } else if (At("--") || At("//")) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (At("/*")) {
        const size_t end = text_.find("*/", at_ + 2);
        at_ = end == std::string_view::npos ? text_.size() : end + 2;
      } else {
        return;
      }
    }
  }

  void Add(ShellToken::Kind kind, size_t begin, std::string text) {
    tokens_.push_back({kind, std::move(text), static_cast<uint32_t>(begin), static_cast<uint32_t>(at_)});
  }

  void Take() {
    const size_t begin = at_;
    const char c = text_[at_];
    if (c == '\'' || c == '"') return TakeQuoted(c);
    if (At("$$")) return TakeDollars();
    if (IsNameStart(c)) {
      while (at_ < text_.size() && IsNamePart(text_[at_])) ++at_;
      return Add(ShellToken::Kind::kWord, begin, std::string(text_.substr(begin, at_ - begin)));
    }
    if (IsDigit(c) || (c == '-' && at_ + 1 < text_.size() && IsDigit(text_[at_ + 1]))) {
      ++at_;
      while (at_ < text_.size() && (IsNamePart(text_[at_]) || text_[at_] == '.')) ++at_;
      return Add(ShellToken::Kind::kNumber, begin, std::string(text_.substr(begin, at_ - begin)));
    }
    ++at_;
    Add(ShellToken::Kind::kPunctuation, begin, std::string(1, c));
  }

  void TakeQuoted(char quote) {
    const size_t begin = at_++;
    std::string value;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c != quote) {
        value += c;
      } else if (at_ < text_.size() && text_[at_] == quote) {
        value += quote;
        ++at_;
      } else {
        return Add(quote == '"' ? ShellToken::Kind::kQuotedName : ShellToken::Kind::kString, begin, std::move(value));
      }
    }
    Add(ShellToken::Kind::kUnterminated, begin, std::move(value));
  }

  void TakeDollars() {
    const size_t begin = at_;
    const size_t end = text_.find("$$", at_ + 2);
    const bool closed = end != std::string_view::npos;
    std::string value(text_.substr(begin + 2, closed ? end - begin - 2 : std::string_view::npos));
    at_ = closed ? end + 2 : text_.size();
    Add(closed ? ShellToken::Kind::kString : ShellToken::Kind::kUnterminated, begin, std::move(value));
  }

  const std::string_view text_;
  size_t at_ = 0;
  std::vector<ShellToken> tokens_;
};

}  // namespace

std::vector<ShellToken> LexShell(std::string_view text) { return Lexer(text).Run(); }

bool IsWord(const ShellToken& token, std::string_view upper) {
  return token.kind == ShellToken::Kind::kWord && ToUpper(token.text) == upper;
}

bool IsPunctuation(const ShellToken& token, char c) {
  return token.kind == ShellToken::Kind::kPunctuation && token.text[0] == c;
}

std::string NameOf(const ShellToken& token) {
  return token.kind == ShellToken::Kind::kWord ? ToLower(token.text) : token.text;
}

std::string ToUpper(std::string_view text) {
  std::string upper(text);
  std::transform(upper.begin(), upper.end(), upper.begin(), [](char c) { return c >= 'a' && c <= 'z' ? c - 32 : c; });
  return upper;
}

std::string ToLower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
  return lower;
}

}  // namespace widerow
