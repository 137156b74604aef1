#include "net/hbase/store/attribute_map.h"

namespace widerow::hbase {

namespace {

void AppendText(Bytes& out, const std::string& text) {
  AppendBigEndian(out, static_cast<int32_t>(text.size()));
  out += text;
}

bool TakeText(ByteView& in, std::string& text) {
  if (in.size() < 4) return false;
  const auto size = ReadBigEndian<uint32_t>(in.data());
  if (size > in.size() - 4) return false;
  text.assign(in.substr(4, size));
  in.remove_prefix(4 + size);
  return true;
}

}  // namespace

Bytes EncodeTextMap(const Attributes& attributes) {
  Bytes out;
  AppendBigEndian(out, static_cast<int32_t>(attributes.size()));
  for (const auto& [name, value] : attributes) {
    AppendText(out, name);
    AppendText(out, value);
  }
  return out;
}

Attributes DecodeTextMap(ByteView bytes) {
  Attributes attributes;
  if (bytes.size() < 4) return attributes;
  bytes.remove_prefix(4);
  std::string name, value;
  while (TakeText(bytes, name) && TakeText(bytes, value)) attributes[name] = value;
  return attributes;
}

}  // namespace widerow::hbase
