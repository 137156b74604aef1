// The keys of records that a salvage could not read, as ranges of whole keys (storage/format/key_codec.h). Used by one
// thread at a time.
#pragma once

#include <optional>
#include <vector>

#include "storage/lmdb/env.h"
#include "storage/lmdb/page_salvage.h"

namespace widerow {

// The size of a stored key that is a link. A shorter stored key is a whole key, or the end of a long key
// (storage/lmdb/long_keys.h).
inline constexpr size_t kLinkBytes = 511;

class LostKeys {
 public:
  // Adds a range of stored keys. A stored key may be a part of a long key (storage/lmdb/long_keys.h).
  void AddStored(const lmdb::KeyRange& range);
  // Adds a whole key.
  void Add(ByteView key) { ranges_.push_back({Bytes(key), Bytes(key) + '\0'}); }
  // Translates the stored ranges into ranges of whole keys. `txn` reads the kept records, with all links of long keys.
  Status Translate(lmdb::TxnRef txn);
  // Sorts the ranges, and joins those that overlap. Call it after the last addition and before the functions below.
  void Settle();

  // True if the range [begin, end) has a key that may be lost. Without `end` it goes to the last key.
  bool Intersects(ByteView begin, const std::optional<Bytes>& end) const;
  bool Contains(ByteView key) const { return Intersects(key, Bytes(key) + '\0'); }
  // Returns the ranges in order, without overlaps.
  const std::vector<lmdb::KeyRange>& ranges() const { return ranges_; }

 private:
  std::vector<lmdb::KeyRange> ranges_;
  std::vector<lmdb::KeyRange> remainders_;  // Ranges in the child spaces of long keys.
};

}  // namespace widerow
