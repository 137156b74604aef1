// An even sample of the different keys that have been met, however often each: those whose hashes are the smallest. It tells
// where ranges of about equally many keys begin, and how many keys there are. One thread at a time.
#pragma once

#include <map>

#include "exec/heat/key_axis.h"

namespace widerow {

class KeySample {
 public:
  static constexpr size_t kKeysMax = 1'024;

  void Add(ByteView key);
  // Different keys met: exact up to kKeysMax, then within some per cent.
  uint64_t distinct() const;
  // Ranges of equally many keys. Every key has its own while there are not more than kHeatBuckets.
  KeyAxisPtr MakeAxis(uint64_t id) const;
  const std::map<uint64_t, Bytes>& keys() const { return by_hash_; }

 private:
  std::map<uint64_t, Bytes> by_hash_;
};

}  // namespace widerow
