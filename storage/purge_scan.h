// Finds in a snapshot what may be purged now, in the order of keys, without changing anything.
#pragma once

#include <chrono>
#include <vector>

#include "storage/key_codec.h"
#include "storage/long_keys.h"
#include "storage/purge_times.h"
#include "storage/row_codec.h"

namespace widerow {

struct PurgeCandidate {
  Bytes key;              // Of the record; of an element of a spilled collection without the chunk.
  size_t prefix_size = 0;
  Bytes row_key;          // Of the row that it is or belongs to; empty for deletions of partitions and ranges.
  int64_t since = 0;

  RecordKind kind() const { return static_cast<RecordKind>(key[prefix_size]); }
  ByteView prefix() const { return ByteView(key).substr(0, prefix_size); }
};

class PurgeScan {
 public:
  using Clock = std::chrono::steady_clock;

  PurgeScan(lmdb::TxnRef txn, const TableColumns& columns, PurgeTimes times) : txn_(txn), columns_(columns), times_(times) {}

  // Goes on from `from`, and moves it behind what has been looked at, until `end`, the time is up or there are enough
  // candidates. True: that was the end. Damaged records are passed over: who reads them will be told.
  Result<bool> Run(Bytes& from, ByteView end, Clock::time_point until);

  const std::vector<PurgeCandidate>& candidates() const { return candidates_; }
  uint64_t examined() const { return examined_; }
  // Records that are not due yet, and the earliest since among them.
  uint64_t left() const { return left_; }
  int64_t left_since() const { return left_since_; }

 private:
  void Look(ByteView key, ByteView value);
  std::optional<int64_t> SinceOf(RecordKind kind, ByteView value) const;
  void LookAtElement(ByteView key, size_t prefix_size, ByteView value);
  void Add(ByteView key, size_t prefix_size, Bytes row_key, int64_t since);

  const lmdb::TxnRef txn_;
  const TableColumns& columns_;
  const PurgeTimes times_;
  std::vector<PurgeCandidate> candidates_;
  uint64_t examined_ = 0, left_ = 0;
  int64_t left_since_ = std::numeric_limits<int64_t>::max();
};

}  // namespace widerow
