// An even sample of the different keys seen, regardless of how often each was seen: the keys with the smallest hashes.
// It shows how many keys there are, and how many of them are in a range. Used by one thread at a time.
#pragma once

#include <limits>
#include <map>

#include "base/bytes.h"

namespace widerow {

class KeySample {
 public:
  static constexpr size_t kKeysMax = 1'024;

  void Add(ByteView key);
  // Returns the number of different keys seen: exact below kKeysMax, then within some per cent.
  uint64_t distinct() const { return distinct_; }
  // Returns the sampled keys by their hashes.
  const std::map<uint64_t, Bytes>& keys() const { return by_hash_; }

 private:
  void Insert(uint64_t hash, ByteView key);

  std::map<uint64_t, Bytes> by_hash_;
  uint64_t bar_ = std::numeric_limits<uint64_t>::max();  // No greater hash enters the sample.
  uint64_t distinct_ = 0;
};

}  // namespace widerow
