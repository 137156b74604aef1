// The overlay has the deletions that cover too many rows for one transaction. Each of them is stored as a tombstone at
// once, and the sweeper applies it to its rows part by part. Until all rows are done, the overlay hides the deleted
// rows from reads. Usually there is no such deletion, and no overlay.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "storage/row.h"

namespace widerow {

// The rows of one partition in [begin, end) to which `deletion` has not been applied yet.
struct PendingDeletion {
  uint64_t sequence = 0;   // The key of its record in the meta database.
  uint64_t txn_id = 0;     // The commit that stored the deletion. Earlier snapshots ignore it.
  Bytes partition_prefix;  // The prefix of the rows' keys (key_codec.h).
  Bytes begin;             // An encoded clustering, like `end`.
  std::optional<Bytes> end;
  DeletionTime deletion;
};
using PendingDeletionPtr = std::shared_ptr<const PendingDeletion>;

Bytes EncodePendingDeletion(const PendingDeletion& pending);  // `sequence` and `txn_id` are left out.
bool DecodePendingDeletion(ByteView record, PendingDeletion& pending);

// Immutable.
class Overlay {
 public:
  explicit Overlay(std::vector<PendingDeletionPtr> deletions);

  // Returns the newest deletion that covers a row, for a snapshot of the commit `txn_id`. Later deletions are ignored.
  DeletionTime Find(ByteView partition_prefix, ByteView clustering, uint64_t txn_id) const;
  const std::vector<PendingDeletionPtr>& deletions() const { return deletions_; }

 private:
  std::vector<PendingDeletionPtr> deletions_;
  std::multimap<Bytes, const PendingDeletion*, std::less<>> by_partition_;
};
using OverlayPtr = std::shared_ptr<const Overlay>;  // Null if the overlay has no deletions.

}  // namespace widerow
