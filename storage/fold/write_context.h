// One write transaction on the data file, with keys of any length. It also gathers the changes of counters and pending
// deletions that are stored by the same commit. Used on the folder's thread.
#pragma once

#include <map>

#include "storage/count/partition_counters.h"
#include "storage/count/partition_sizes.h"
#include "storage/large/large_objects.h"
#include "storage/lmdb/long_keys.h"
#include "storage/reconcile/overlay.h"

namespace widerow {

// The changes of a transaction that are not rows. StoreState takes them over after the commit. If the transaction
// fails, they are dropped.
struct GroupState {
  ChildIds child_ids;
  PartitionDeltas counters;
  std::vector<PendingDeletionPtr> pending_deletions;  // All pending deletions, old and new.
  uint64_t next_pending_sequence = 1;
  bool pending_changed = false;
  // By storage id: the earliest `since` (purge_times.h) of the content stored by this transaction.
  std::map<StorageId, int64_t> earliest_purgeable;
  // The large objects to which this transaction has stored a reference, and those whose reference it has removed.
  std::vector<uint64_t> objects_stored;
  std::vector<LargeObjects::Loose> objects_removed;
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
  // Removes the key if it is stored.
  Status Delete(ByteView key);
  // False if the key is not stored. `value` is valid until the next write.
  Result<bool> Get(ByteView key, ByteView& value);
  // Returns the transaction's only cursor. The next write invalidates everything that the cursor points to.
  Result<LongKeyCursor*> cursor();

 private:
  lmdb::WriteTxn& txn_;
  GroupState& state_;
  PartitionSizes& sizes_;
  const int64_t now_seconds_;
  std::optional<LongKeyCursor> cursor_;
};

// Makes a Status of an Rc. not_found is no error here.
Status CheckRc(lmdb::Rc rc, std::string_view doing);

}  // namespace widerow
