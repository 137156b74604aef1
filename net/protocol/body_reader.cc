#include "net/protocol/body_reader.h"

namespace widerow {

void BodyReader::Fail(std::string message) {
  if (ok()) error_ = std::move(message);
  left_ = {};
}

std::optional<ByteView> BodyReader::Take(size_t bytes) {
  if (left_.size() < bytes) {
    Fail("The message ends early: " + std::to_string(bytes) + " more bytes are announced than there are");
    return std::nullopt;
  }
  const ByteView taken = left_.substr(0, bytes);
  left_.remove_prefix(bytes);
  return taken;
}

template <typename T>
T BodyReader::Number() {
  if (left_.size() < sizeof(T)) {
    Fail("The message ends early: " + std::to_string(sizeof(T)) + " bytes are needed, " + std::to_string(left_.size()) +
         " are left");
    return 0;
  }
  const T number = ReadBigEndian<T>(left_.data());
  left_.remove_prefix(sizeof(T));
  return number;
}

uint8_t BodyReader::Byte() { return Number<uint8_t>(); }
uint16_t BodyReader::Short() { return Number<uint16_t>(); }
int32_t BodyReader::Int() { return Number<int32_t>(); }
int64_t BodyReader::Long() { return Number<int64_t>(); }

ByteView BodyReader::TextAfterLength(int64_t bytes, int length_bytes) {
  if (ok() && bytes >= 0 && static_cast<size_t>(bytes) <= left_.size()) return *Take(static_cast<size_t>(bytes));
  Fail("Not enough bytes to read an UTF8 serialized string preceded by its " + std::to_string(length_bytes) +
       " bytes length");
  return {};
}

ByteView BodyReader::String() {
  if (left_.size() < 2) return TextAfterLength(-1, 2);
  const uint16_t bytes = Short();
  return TextAfterLength(bytes, 2);
}

ByteView BodyReader::LongString() {
  if (left_.size() < 4) return TextAfterLength(-1, 4);
  const int32_t bytes = Int();
  return TextAfterLength(bytes, 4);
}

ByteView BodyReader::ShortBytes() {
  const uint16_t bytes = Short();
  return Take(bytes).value_or(ByteView());
}

std::optional<ByteView> BodyReader::NullableBytes() {
  const int32_t bytes = Int();
  if (bytes < 0) return std::nullopt;
  return Take(static_cast<size_t>(bytes));
}

BoundValue BodyReader::Value(uint8_t version) {
  const int32_t bytes = Int();
  if (bytes >= 0) {
    const std::optional<ByteView> taken = Take(static_cast<size_t>(bytes));
    return {.kind = BoundValue::Kind::kValue, .bytes = Bytes(taken.value_or(ByteView()))};
  }
  if (bytes == -1 || version < 4) return {};
  if (bytes == -2) return {.kind = BoundValue::Kind::kUnset};
  Fail("Invalid ByteBuf length " + std::to_string(bytes));
  return {};
}

std::vector<std::string> BodyReader::StringList() {
  std::vector<std::string> list;
  for (uint16_t left = Short(); left > 0 && ok(); --left) list.emplace_back(String());
  return list;
}

std::vector<std::pair<std::string, std::string>> BodyReader::StringMap() {
  std::vector<std::pair<std::string, std::string>> map;
  for (uint16_t left = Short(); left > 0 && ok(); --left) {
    const ByteView key = String();
    const ByteView value = String();
    map.emplace_back(key, value);
  }
  return map;
}

void BodyReader::SkipBytesMap() {
  for (uint16_t left = Short(); left > 0 && ok(); --left) {
    String();
    NullableBytes();
  }
}

}  // namespace widerow
