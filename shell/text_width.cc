#include "shell/text_width.h"

#include <locale.h>

#include <clocale>
#include <cstdint>
#include <cstdio>
#include <cwchar>

namespace widerow {
namespace {

// The code point at `at` and its length in bytes; length 0 if the bytes are not UTF-8.
struct CodePoint {
  uint32_t value = 0;
  size_t bytes = 0;
};

CodePoint DecodeUtf8(std::string_view text, size_t at) {
  const auto first = static_cast<uint8_t>(text[at]);
  if (first < 0x80) return {first, 1};
  const size_t size = first >= 0xF0 && first < 0xF5 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
  if (size == 0 || first >= 0xF5 || at + size > text.size()) return {};
  uint32_t value = first & (0xFFu >> (size + 1));
  for (size_t i = 1; i < size; ++i) {
    const auto next = static_cast<uint8_t>(text[at + i]);
    if ((next & 0xC0) != 0x80) return {};
    value = value << 6 | (next & 0x3F);
  }
  const bool overlong = (size == 3 && value < 0x800) || (size == 4 && value < 0x10000);
  if (overlong || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) return {};
  return {value, size};
}

bool IsControl(uint32_t c) {
  // C0, DEL, C1, and the characters that reorder or hide text.
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) ||
         c == 0x2028 || c == 0x2029;
}

void AppendEscaped(uint32_t c, std::string& out) {
  switch (c) {
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
  }
  char text[16];
  std::snprintf(text, sizeof text, c <= 0xFF ? "\\x%02x" : "\\u%04x", c);
  out += text;
}

// Returns the number of columns that `c` takes. wcwidth() uses the thread's locale, which may be "C", so another locale
// is set for the call.
int WidthOf(uint32_t c) {
  static const locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", static_cast<locale_t>(nullptr));
  if (utf8 == nullptr) return 1;
  const locale_t before = uselocale(utf8);
  const int width = wcwidth(static_cast<wchar_t>(c));
  uselocale(before);
  return width < 0 ? 1 : width;
}

}  // namespace

std::string EscapeForTerminal(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const CodePoint c = DecodeUtf8(text, at);
    if (c.bytes == 0) {
      AppendEscaped(static_cast<uint8_t>(text[at++]), out);
      continue;
    }
    if (IsControl(c.value)) {
      AppendEscaped(c.value, out);
    } else {
      out += text.substr(at, c.bytes);
    }
    at += c.bytes;
  }
  return out;
}

size_t DisplayWidth(std::string_view text) {
  size_t width = 0;
  for (size_t at = 0; at < text.size();) {
    const CodePoint c = DecodeUtf8(text, at);
    at += c.bytes == 0 ? 1 : c.bytes;
    width += c.bytes <= 1 ? 1 : static_cast<size_t>(WidthOf(c.value));
  }
  return width;
}

}  // namespace widerow
