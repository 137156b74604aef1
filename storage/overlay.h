// Deletions that cover too many rows to be applied in one transaction. They are stored as tombstones like any other and
// hide what they cover through this overlay, until the sweeper has applied them in slices. Normally empty.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "storage/row.h"

namespace widerow {

// Rows of one partition in [begin, end) that `deletion` has not been applied to yet.
struct PendingDeletion {
  uint64_t sequence = 0;   // Its name in the meta database.
  uint64_t txn_id = 0;     // The commit that stored it: snapshots before it must not see it.
  Bytes partition_prefix;  // As in keys: storage id, position, partition key.
  Bytes begin;             // Encoded clusterings.
  std::optional<Bytes> end;
  DeletionTime deletion;
};
using PendingDeletionPtr = std::shared_ptr<const PendingDeletion>;

Bytes EncodePendingDeletion(const PendingDeletion& pending);  // Without sequence and txn_id.
bool DecodePendingDeletion(ByteView record, PendingDeletion& pending);

// Immutable.
class Overlay {
 public:
  explicit Overlay(std::vector<PendingDeletionPtr> deletions);

  // The newest deletion over a row that a snapshot of `txn_id` must see.
  DeletionTime Find(ByteView partition_prefix, ByteView clustering, uint64_t txn_id) const;
  const std::vector<PendingDeletionPtr>& deletions() const { return deletions_; }

 private:
  std::vector<PendingDeletionPtr> deletions_;
  std::multimap<Bytes, const PendingDeletion*, std::less<>> by_partition_;
};
using OverlayPtr = std::shared_ptr<const Overlay>;  // Null: empty.

}  // namespace widerow
