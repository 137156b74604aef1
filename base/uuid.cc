#include "base/uuid.h"

#include <sys/random.h>

#include <atomic>
#include <cstring>

#include "base/check.h"

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

// Random bytes of the system, fetched for several UUIDs at once, because a system call costs more than the rest of a
// UUID. Requests of up to 256 bytes are never interrupted (getrandom(2)).
class RandomBytes {
 public:
  void Take(uint8_t* out, size_t count) {
    if (left_ < count) {
      WR_CHECK(getrandom(bytes_.data(), bytes_.size(), 0) == static_cast<ssize_t>(bytes_.size()));
      left_ = bytes_.size();
    }
    left_ -= count;
    std::memcpy(out, bytes_.data() + left_, count);
    std::memset(bytes_.data() + left_, 0, count);  // Only the caller has these random bytes now.
  }

 private:
  std::array<uint8_t, 256> bytes_;
  size_t left_ = 0;
};

void TakeRandom(uint8_t* out, size_t count) {
  thread_local RandomBytes random;
  random.Take(out, count);
}

uint64_t RandomNode() {
  uint64_t node = 0;
  TakeRandom(reinterpret_cast<uint8_t*>(&node), sizeof node);
  return node | (uint64_t{1} << 40);  // The multicast bit says that this is not a real MAC address.
}

}  // namespace

Uuid Uuid::Random() {
  Uuid uuid;
  TakeRandom(uuid.bytes.data(), uuid.bytes.size());
  uuid.bytes[6] = static_cast<uint8_t>((uuid.bytes[6] & 0x0F) | 0x40);
  uuid.bytes[8] = static_cast<uint8_t>((uuid.bytes[8] & 0x3F) | 0x80);
  return uuid;
}

Uuid Uuid::TimeBased(int64_t unix_micros) {
  static std::atomic<uint64_t> last{0};
  static const uint64_t node = RandomNode();
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
