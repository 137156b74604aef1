// Searches a snapshot, in the order of keys, for *candidates*: records that may be purged now. Changes nothing. Used on
// the folder's thread.
#pragma once

#include <chrono>
#include <vector>

#include "storage/format/key_codec.h"
#include "storage/format/row_codec.h"
#include "storage/lmdb/long_keys.h"
#include "storage/reconcile/purge_times.h"

namespace widerow {

// The greatest number of candidates that one PurgeScan collects. A fence is raised over the keys of their rows
// (purge_fence.h).
inline constexpr size_t kPurgeCandidatesMax = 1'024;

struct PurgeCandidate {
  // The key of the record. For an element of a spilled collection, the key without the chunk number.
  Bytes key;
  size_t prefix_size = 0;
  // The key of the row that contains the record. Empty for deletions of partitions and ranges.
  Bytes row_key;
  int64_t since = 0;

  RecordKind kind() const { return static_cast<RecordKind>(key[prefix_size]); }
  ByteView prefix() const { return ByteView(key).substr(0, prefix_size); }
};

class PurgeScan {
 public:
  using Clock = std::chrono::steady_clock;

  PurgeScan(lmdb::TxnRef txn, const TableColumns& columns, PurgeTimes times)
      : txn_(txn), columns_(columns), times_(times) {}

  // Scans the keys from `from` to `end`, until the time is up or enough candidates are found. Moves `from` past the
  // examined records. Returns true if the scan has reached `end`. Damaged records are skipped, because a read of them
  // will report the damage.
  Result<bool> Run(Bytes& from, ByteView end, Clock::time_point until);

  const std::vector<PurgeCandidate>& candidates() const { return candidates_; }
  uint64_t examined() const { return examined_; }
  // The number of records that may be purged one day but are not due yet, and the earliest `since` of them.
  uint64_t left() const { return left_; }
  int64_t left_since() const { return left_since_; }

 private:
  bool SkipPieces(const LongKeyCursor& cursor);
  void Look(ByteView key, ByteView value);
  std::optional<int64_t> SinceOf(RecordKind kind, ByteView value) const;
  void LookAtElement(ByteView key, size_t prefix_size, ByteView value);
  void Add(ByteView key, size_t prefix_size, Bytes row_key, int64_t since);

  const lmdb::TxnRef txn_;
  const TableColumns& columns_;
  const PurgeTimes times_;
  Bytes past_pieces_;
  std::vector<PurgeCandidate> candidates_;
  uint64_t examined_ = 0, left_ = 0;
  int64_t left_since_ = std::numeric_limits<int64_t>::max();
};

}  // namespace widerow
