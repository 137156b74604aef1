#include "parser/masked_text.h"

#include "parser/scanner.h"

namespace widerow {

namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsHex(char c) { return IsDigit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'); }
bool IsWordByte(char c) {
  return IsDigit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_' || static_cast<uint8_t>(c) >= 0x80;
}

// Returns the length of the uuid at the front of `text`; 0 if there is none.
size_t UuidLength(std::string_view text) {
  constexpr size_t kLength = 36;
  if (text.size() < kLength) return 0;
  for (size_t i = 0; i < kLength; ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? text[i] != '-' : !IsHex(text[i])) return 0;
  }
  return kLength;
}

// Returns the length of the number or duration at the front of `text`: 12, 1.5e-10, 0xcafe, 1h30m, P1Y2M.
size_t ConstantLength(std::string_view text) {
  size_t end = 0;
  const auto at = [&](size_t i) { return i < text.size() ? text[i] : '\0'; };
  while (end < text.size()) {
    const bool fraction = at(end) == '.' && at(end + 1) != '.';
    const bool exponent = (at(end) == '-' || at(end) == '+') && end > 0 && (text[end - 1] | 0x20) == 'e';
    // P2024-01-31T12:00:00 has signs that otherwise end a number.
    const bool in_duration = text[0] == 'P' && (at(end) == '-' || at(end) == ':') && IsDigit(at(end + 1));
    if (!IsWordByte(text[end]) && !fraction && !exponent && !in_duration) break;
    ++end;
  }
  return end;
}

bool BeginsConstant(std::string_view text) {
  if (IsDigit(text[0])) return true;
  return text[0] == 'P' && text.size() > 1 &&
         (IsDigit(text[1]) || (text[1] == 'T' && text.size() > 2 && IsDigit(text[2])));
}

}  // namespace

std::string MaskedText(std::string_view text) {
  std::string out;
  size_t at = 0;
  while (at < text.size()) {
    const std::optional<Piece> piece = Scanner(text.substr(at)).Next();
    if (!piece) break;
    const std::string_view rest = text.substr(at + piece->range.begin);
    if (piece->range.begin > 0 && !out.empty() && out.back() != ' ') out.push_back(' ');
    size_t length = piece->range.end - piece->range.begin;
    if (piece->kind == Piece::Kind::kComment) {
      if (!out.empty() && out.back() != ' ') out.push_back(' ');
    } else if (piece->kind == Piece::Kind::kString || !piece->closed) {
      out.push_back('?');
    } else if (piece->kind == Piece::Kind::kWord && UuidLength(rest) != 0) {
      length = UuidLength(rest);
      out.push_back('?');
    } else if (piece->kind == Piece::Kind::kWord && BeginsConstant(rest)) {
      length = ConstantLength(rest);
      out.push_back('?');
    } else {
      out.append(rest.substr(0, length));
    }
    at += piece->range.begin + length;
  }
  while (!out.empty() && (out.back() == ' ' || out.back() == ';')) out.pop_back();
  return out;
}

}  // namespace widerow
