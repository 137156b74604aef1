#include "types/token.h"

#include <bit>
#include <cstring>
#include <limits>

namespace widerow {
namespace {

constexpr uint64_t kC1 = 0x87c37b91114253d5ULL;
constexpr uint64_t kC2 = 0x4cf5ad432745937fULL;

uint64_t ReadLittleEndian(const char* at) {
  uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return std::endian::native == std::endian::little ? word : __builtin_bswap64(word);
}

uint64_t Mix1(uint64_t k) { return std::rotl(k * kC1, 31) * kC2; }
uint64_t Mix2(uint64_t k) { return std::rotl(k * kC2, 33) * kC1; }

uint64_t Finish(uint64_t k) {
  k = (k ^ (k >> 33)) * 0xff51afd7ed558ccdULL;
  k = (k ^ (k >> 33)) * 0xc4ceb9fe1a85ec53ULL;
  return k ^ (k >> 33);
}

// Joins the last bytes of the key to a number. As in Cassandra and in all drivers, each byte is sign-extended: a byte ≥
// 0x80 also flips all higher bits.
uint64_t SignedTail(const char* at, size_t count) {
  uint64_t k = 0;
  for (size_t i = 0; i < count; ++i) k ^= static_cast<uint64_t>(int64_t{static_cast<int8_t>(at[i])}) << (8 * i);
  return k;
}

}  // namespace

int64_t Murmur3Token(ByteView key) {
  if (key.empty()) return std::numeric_limits<int64_t>::min();
  uint64_t h1 = 0, h2 = 0;
  const char* at = key.data();
  for (size_t blocks = key.size() / 16; blocks > 0; --blocks, at += 16) {
    h1 ^= Mix1(ReadLittleEndian(at));
    h1 = (std::rotl(h1, 27) + h2) * 5 + 0x52dce729;
    h2 ^= Mix2(ReadLittleEndian(at + 8));
    h2 = (std::rotl(h2, 31) + h1) * 5 + 0x38495ab5;
  }
  const size_t tail = key.size() % 16;
  if (tail > 8) h2 ^= Mix2(SignedTail(at + 8, tail - 8));
  if (tail > 0) h1 ^= Mix1(SignedTail(at, tail < 8 ? tail : 8));
  h1 ^= key.size();
  h2 ^= key.size();
  h1 += h2;
  h2 += h1;
  h1 = Finish(h1) + Finish(h2);
  const auto token = static_cast<int64_t>(h1);
  return token == std::numeric_limits<int64_t>::min() ? std::numeric_limits<int64_t>::max() : token;
}

Bytes SerializePartitionKey(const std::vector<ByteView>& components) {
  Bytes out;
  SerializePartitionKey(std::span(components), out);
  return out;
}

void SerializePartitionKey(std::span<const ByteView> components, Bytes& out) {
  if (components.size() == 1) {
    out += components[0];
    return;
  }
  size_t size = 0;
  for (const ByteView component : components) size += component.size() + 3;
  out.reserve(out.size() + size);
  for (const ByteView component : components) {
    AppendBigEndian(out, static_cast<uint16_t>(component.size()));
    out += component;
    out += '\0';
  }
}

bool SplitPartitionKey(ByteView key, size_t component_count, std::vector<ByteView>& components) {
  components.clear();
  if (component_count == 1) {
    components.push_back(key);
    return true;
  }
  for (size_t i = 0; i < component_count; ++i) {
    if (key.size() < 2) return false;
    const size_t size = ReadBigEndian<uint16_t>(key.data());
    if (key.size() < size + 3 || key[size + 2] != '\0') return false;
    components.push_back(key.substr(2, size));
    key.remove_prefix(size + 3);
  }
  return key.empty();
}

}  // namespace widerow
