// One write transaction as the stores see it: keys of any length, and what must be accounted for when it commits.
#pragma once

#include <map>

#include "storage/long_keys.h"
#include "storage/overlay.h"
#include "storage/partition_counters.h"
#include "storage/partition_sizes.h"

namespace widerow {

// What a transaction changes beside rows. Copied for a part that may be undone.
struct GroupState {
  ChildIds child_ids;
  PartitionDeltas counters;
  std::vector<PendingDeletionPtr> pending_deletions;         // All, new ones included.
  uint64_t next_pending_sequence = 1;
  bool pending_changed = false;
  // Per table written to, the earliest second at which something in it was deleted or will expire.
  std::map<StorageId, int64_t> earliest_purgeable;
};

class WriteContext {
 public:
  WriteContext(lmdb::WriteTxn& txn, GroupState& state, PartitionSizes& sizes, int64_t now_seconds)
      : txn_(txn), state_(state), sizes_(sizes), now_seconds_(now_seconds) {}

  lmdb::WriteTxn& txn() { return txn_; }
  GroupState& state() { return state_; }
  PartitionSizes& sizes() { return sizes_; }
  int64_t now_seconds() const { return now_seconds_; }

  Status Put(ByteView key, ByteView value);
  // Fine if it is not there.
  Status Delete(ByteView key);
  // The value is good until the next write.
  Result<bool> Get(ByteView key, ByteView& value);
  // The transaction's one cursor. Everything it points to dies with the next write.
  Result<LongKeyCursor*> cursor();

 private:
  lmdb::WriteTxn& txn_;
  GroupState& state_;
  PartitionSizes& sizes_;
  const int64_t now_seconds_;
  std::optional<LongKeyCursor> cursor_;
};

// Rc to Status, where not_found is no failure.
Status CheckRc(lmdb::Rc rc, std::string_view doing);

}  // namespace widerow
