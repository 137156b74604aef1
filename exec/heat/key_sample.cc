#include "exec/heat/key_sample.h"

#include <xxhash.h>

#include <algorithm>

namespace widerow {

void KeySample::Add(ByteView key) {
  const uint64_t hash = XXH3_64bits(key.data(), key.size());
  if (by_hash_.size() == kKeysMax && hash >= by_hash_.rbegin()->first) return;
  if (!by_hash_.try_emplace(hash, key).second || by_hash_.size() <= kKeysMax) return;
  by_hash_.erase(std::prev(by_hash_.end()));
}

uint64_t KeySample::distinct() const {
  if (by_hash_.size() < kKeysMax) return by_hash_.size();
  const double share = static_cast<double>(by_hash_.rbegin()->first) / 0x1p64;
  return static_cast<uint64_t>(static_cast<double>(kKeysMax - 1) / share);
}

KeyAxisPtr KeySample::MakeAxis(uint64_t id) const {
  std::vector<ByteView> sorted;
  sorted.reserve(by_hash_.size());
  for (const auto& [hash, key] : by_hash_) sorted.push_back(key);
  std::sort(sorted.begin(), sorted.end());
  const size_t buckets = std::clamp<size_t>(sorted.size(), 1, kHeatBuckets);
  std::vector<Bytes> firsts(buckets);
  for (size_t i = 1; i < buckets; ++i) firsts[i] = Bytes(sorted[i * sorted.size() / buckets]);
  return std::make_shared<const KeyAxis>(id, std::move(firsts));
}

}  // namespace widerow
