// Cutter walks over the text once. It copies words, quoted names, blanks and plain symbols into the key. It records
// each constant and replaces it by two bytes. A Take function returns false if the meaning of the next characters
// depends on their context. The key is then the whole text.
#include "parser/statement_shape.h"

#include <algorithm>

#include "parser/scanner.h"
#include "parser/source_text.h"

namespace widerow {
namespace {

// Special bytes in keys. Every key begins with kCut or kWhole. kConstant is in place of a constant and is followed by a
// byte for the constant's kind and sign. A text that can be cut contains none of these bytes.
constexpr char kCut = '\1', kWhole = '\2', kConstant = '\3';

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsHex(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
class Cutter {
 public:
  explicit Cutter(std::string_view text) : text_(text) {}

  // Returns false if the text cannot be cut.
  bool Cut(StatementShape& shape) {
    shape.key.reserve(text_.size() + 1);
    shape.key.push_back(kCut);
    while (at_ < text_.size()) {
      if (!TakeOne(shape)) return false;
    }
    return true;
  }

 private:
  char Peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  bool TakeOne(StatementShape& shape) {
    const char c = text_[at_];
    if (IsLetter(c) || IsDigit(c)) {
      if (const size_t uuid = UuidEnd(); uuid != 0) return TakeConstant(Literal::Kind::kUuid, uuid, shape);
      if (IsLetter(c)) return TakeWord(shape);
      return TakeNumber(shape);
    }
    switch (c) {
      case '\'': return TakeString(shape);
      case '"': return TakeName(shape);
      case '-': return IsDigit(Peek(1)) && TakeNumber(shape);
      case '(':
      case ')':
      case '[':
      case ']':
      case '{':
      case '}':
      case ',':
      case ';':
      case '.':
      case '=':
      case '<':
      case '>':
      case '*':
      case ' ':
      case '\t':
      case '\n':
      case '\r':
        shape.key.push_back(c);
        ++at_;
        return true;
      default: return false;
    }
  }

  bool TakeWord(StatementShape& shape) {
    const size_t begin = at_;
    while (IsLetter(Peek()) || IsDigit(Peek()) || Peek() == '_') ++at_;
    shape.key.append(text_.substr(begin, at_ - begin));
    // A quoted text after a word, or a $ inside a word, may belong to the word.
    return Peek() != '\'' && Peek() != '"' && Peek() != '$';
  }

  bool TakeName(StatementShape& shape) {
    const size_t end = text_.find('"', at_ + 1);
    if (end == std::string_view::npos) return false;
    const std::string_view name = text_.substr(at_, end + 1 - at_);
    const bool plain = std::all_of(name.begin(), name.end(), [](char n) { return n >= ' ' && n <= '~'; });
    at_ = end + 1;
    shape.key.append(name);
    return plain && Peek() != '"';
  }

  bool TakeString(StatementShape& shape) {
    size_t end = at_ + 1;
    while (end < text_.size()) {
      if (text_[end] == '\'') {
        if (end + 1 >= text_.size() || text_[end + 1] != '\'') break;
        end += 2;
      } else {
        const size_t length = Utf8SequenceLength(text_.substr(end, 4));
        if (length == 0) return false;
        end += length;
      }
    }
    return end < text_.size() && TakeConstant(Literal::Kind::kString, end + 1, shape);
  }

  bool TakeNumber(StatementShape& shape) {
    size_t end = at_ + (text_[at_] == '-' ? 1 : 0);
    const size_t digits = end;
    const auto skip = [&](bool (*belongs)(char)) {
      while (end < text_.size() && belongs(text_[end])) ++end;
    };
    skip(IsDigit);
    if (end < text_.size() && (text_[end] == 'x' || text_[end] == 'X')) {
      if (end - digits != 1 || text_[digits] != '0' || digits != at_) return false;
      ++end;
      skip(IsHex);
      return TakeConstant(Literal::Kind::kHex, end, shape);
    }
    if (end + 1 < text_.size() && text_[end] == '.' && IsDigit(text_[end + 1])) {
      ++end;
      skip(IsDigit);
      return TakeConstant(Literal::Kind::kFloat, end, shape);
    }
    return TakeConstant(Literal::Kind::kInteger, end, shape);
  }

  // Returns the end of the uuid that begins at the current place; 0 if there is none.
  size_t UuidEnd() const {
    constexpr size_t kBytes = 36;
    if (text_.size() - at_ < kBytes || text_[at_ + 8] != '-') return 0;
    for (size_t i = 0; i < kBytes; ++i) {
      const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
      if (dash ? text_[at_ + i] != '-' : !IsHex(text_[at_ + i])) return 0;
    }
    return at_ + kBytes;
  }

  // Takes a constant only if the character after it cannot belong to it.
  bool TakeConstant(Literal::Kind kind, size_t end, StatementShape& shape) {
    if (end < text_.size()) {
      const char next = text_[end];
      const bool ends = IsBlank(next) || next == ',' || next == ')' || next == ';' || next == ']' || next == '}';
      if (!ends) return false;
    }
    shape.constants.push_back({kind, {static_cast<uint32_t>(at_), static_cast<uint32_t>(end)}});
    shape.key.push_back(kConstant);
    // The sign is part of the key, because a minus may be an operator.
    shape.key.push_back(static_cast<char>((text_[at_] == '-' ? 'A' : 'a') + static_cast<int>(kind)));
    at_ = end;
    return true;
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

StatementShape ShapeOf(std::string_view text) {
  StatementShape shape;
  if (Cutter(text).Cut(shape) && !shape.constants.empty()) return shape;
  return ShapeOfTextAlone(text);
}

StatementShape ShapeOfTextAlone(std::string_view text) {
  StatementShape shape;
  shape.key.reserve(text.size() + 1);
  shape.key.push_back(kWhole);
  shape.key.append(text);
  return shape;
}

Literal LiteralOf(const TextConstant& constant, std::string_view text) {
  Literal literal{constant.kind,
                  std::string(text.substr(constant.range.begin, constant.range.end - constant.range.begin))};
  if (constant.kind != Literal::Kind::kString) return literal;
  literal.text = literal.text.substr(1, literal.text.size() - 2);
  for (size_t at = literal.text.find('\''); at != std::string::npos; at = literal.text.find('\'', at + 1)) {
    literal.text.erase(at, 1);  // Two quotes in a row are one quote of the text.
  }
  return literal;
}

}  // namespace widerow
