// An even sample of the different keys seen, regardless of how often each was seen: the keys with the smallest hashes.
// It shows where ranges of about equally many keys begin, and how many keys there are. One thread at a time.
#pragma once

#include <map>

#include "exec/heat/key_axis.h"

namespace widerow {

class KeySample {
 public:
  static constexpr size_t kKeysMax = 1'024;

  void Add(ByteView key);
  // Returns the number of different keys seen: exact below kKeysMax, then within some per cent.
  uint64_t distinct() const;
  // Makes an axis whose ranges have about equally many keys. If there are at most kHeatBuckets keys, each key has its
  // own range.
  KeyAxisPtr MakeAxis(uint64_t id) const;
  const std::map<uint64_t, Bytes>& keys() const { return by_hash_; }

 private:
  std::map<uint64_t, Bytes> by_hash_;
};

}  // namespace widerow
