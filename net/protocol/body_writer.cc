#include "net/protocol/body_writer.h"

#include <algorithm>

namespace widerow {

namespace {

constexpr size_t kShortMax = 0xFFFF;

}  // namespace

void AppendString(Bytes& out, std::string_view text) {
  size_t bytes = std::min(text.size(), kShortMax);
  if (bytes < text.size()) {
    while (bytes > 0 && (static_cast<uint8_t>(text[bytes]) & 0xC0) == 0x80) --bytes;
  }
  AppendBigEndian(out, static_cast<uint16_t>(bytes));
  out.append(text.substr(0, bytes));
}

void AppendLongString(Bytes& out, std::string_view text) { AppendSizedBytes(out, text); }

void AppendShortBytes(Bytes& out, ByteView bytes) {
  AppendBigEndian(out, static_cast<uint16_t>(bytes.size()));
  out.append(bytes);
}

void AppendSizedBytes(Bytes& out, ByteView bytes) {
  AppendBigEndian(out, static_cast<int32_t>(bytes.size()));
  out.append(bytes);
}

void AppendStringList(Bytes& out, const std::vector<std::string>& list) {
  const size_t count = std::min(list.size(), kShortMax);
  AppendBigEndian(out, static_cast<uint16_t>(count));
  for (size_t i = 0; i < count; ++i) AppendString(out, list[i]);
}

}  // namespace widerow
