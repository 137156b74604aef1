#include "base/uuid.h"

#include <atomic>
#include <cstring>
#include <random>

namespace widerow {

std::string Uuid::ToString() const {
  const std::string hex = ToHex(view());
  return hex.substr(0, 8) + '-' + hex.substr(8, 4) + '-' + hex.substr(12, 4) + '-' + hex.substr(16, 4) + '-' +
         hex.substr(20);
}

std::optional<Uuid> Uuid::FromString(std::string_view text) {
  if (text.size() != 36 || text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-') return std::nullopt;
  std::string hex;
  for (const char c : text) {
    if (c != '-') hex.push_back(c);
  }
  Bytes bytes;
  if (hex.size() != 32 || !FromHex(hex, bytes)) return std::nullopt;
  return FromBytes(bytes);
}

Uuid Uuid::FromBytes(ByteView sixteen_bytes) {
  Uuid uuid;
  std::memcpy(uuid.bytes.data(), sixteen_bytes.data(), uuid.bytes.size());
  return uuid;
}

namespace {
std::mt19937_64& Generator() {
  thread_local std::mt19937_64 generator = [] {
    std::random_device device;
    std::seed_seq seed{device(), device(), device(), device(), device(), device(), device(), device()};
    return std::mt19937_64(seed);
  }();
  return generator;
}
}  // namespace

Uuid Uuid::Random() {
  Uuid uuid;
  const uint64_t words[2] = {Generator()(), Generator()()};
  std::memcpy(uuid.bytes.data(), words, 16);
  uuid.bytes[6] = static_cast<uint8_t>((uuid.bytes[6] & 0x0F) | 0x40);
  uuid.bytes[8] = static_cast<uint8_t>((uuid.bytes[8] & 0x3F) | 0x80);
  return uuid;
}

Uuid Uuid::TimeBased(int64_t unix_micros) {
  static std::atomic<uint64_t> last{0};
  // The multicast bit says that this is not a real MAC address.
  static const uint64_t node = Generator()() | (uint64_t{1} << 40);
  const uint64_t now = static_cast<uint64_t>(unix_micros) * 10 + kUuidEpochOffset100ns;
  uint64_t before = last.load(), ticks = 0;
  do { ticks = now > before ? now : before + 1; } while (!last.compare_exchange_weak(before, ticks));
  Bytes bytes;
  AppendBigEndian(bytes, static_cast<uint32_t>(ticks));
  AppendBigEndian(bytes, static_cast<uint16_t>(ticks >> 32));
  AppendBigEndian(bytes, static_cast<uint16_t>((ticks >> 48 & 0x0FFF) | 0x1000));
  AppendBigEndian(bytes, (node & 0x3FFF'FFFF'FFFF'FFFFULL) | 0x8000'0000'0000'0000ULL);
  return FromBytes(bytes);
}

uint64_t Uuid::timestamp_100ns() const {
  const char* at = reinterpret_cast<const char*>(bytes.data());
  return static_cast<uint64_t>(ReadBigEndian<uint16_t>(at + 6) & 0x0FFF) << 48 |
         static_cast<uint64_t>(ReadBigEndian<uint16_t>(at + 4)) << 32 | ReadBigEndian<uint32_t>(at);
}

}  // namespace widerow
