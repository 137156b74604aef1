#include "exec/heat/key_sample.h"

#include <xxhash.h>

#include <iterator>

namespace widerow {

void KeySample::Add(ByteView key) {
  const uint64_t hash = XXH3_64bits(key.data(), key.size());
  if (hash <= bar_) [[unlikely]]
    Insert(hash, key);
}

void KeySample::Insert(uint64_t hash, ByteView key) {
  if (!by_hash_.try_emplace(hash, key).second) return;
  if (by_hash_.size() > kKeysMax) by_hash_.erase(std::prev(by_hash_.end()));
  distinct_ = by_hash_.size();
  if (distinct_ < kKeysMax) return;
  bar_ = by_hash_.rbegin()->first;
  distinct_ = static_cast<uint64_t>(static_cast<double>(kKeysMax - 1) / (static_cast<double>(bar_) / 0x1p64));
}

}  // namespace widerow
