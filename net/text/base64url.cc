#include "net/text/base64url.h"

namespace widerow {

namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

}  // namespace

std::string EncodeBase64Url(ByteView bytes) {
  std::string out;
  out.reserve((bytes.size() * 4 + 2) / 3);
  uint32_t bits = 0;
  unsigned held = 0;
  for (const char byte : bytes) {
    bits = bits << 8 | static_cast<uint8_t>(byte);
    held += 8;
    while (held >= 6) {
      held -= 6;
      out.push_back(kAlphabet[bits >> held & 63]);
    }
  }
  if (held > 0) out.push_back(kAlphabet[bits << (6 - held) & 63]);
  return out;
}

bool DecodeBase64Url(std::string_view text, Bytes& out) {
  out.clear();
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  if (text.size() % 4 == 1) return false;
  uint32_t bits = 0;
  unsigned held = 0;
  for (const char c : text) {
    const size_t digit = kAlphabet.find(c);
    if (digit == std::string_view::npos) return false;
    bits = bits << 6 | static_cast<uint32_t>(digit);
    held += 6;
    if (held >= 8) {
      held -= 8;
      out.push_back(static_cast<char>(bits >> held & 255));
    }
  }
  return true;
}

}  // namespace widerow
