// What indexes and views have of rows that went with their partition. TRUNCATE and DROP PARTITION read no row, so nothing that follows
// from them goes at once. Nobody sees it, since every read of an index or a view leads to the base row; but it takes room, and reads
// pass it. DerivedBuilder's thread takes it away with this, behind the statement.
//
// No step of the writer is needed. A derived row is written with a timestamp of its own, greater than all before it: one that a snapshot
// shows to follow from nothing is deleted at just that timestamp, and if its base row comes back meanwhile, what follows from that is
// newer. All that counts is that the base table's partitions were, when the snapshot was taken, where `base` says.
#pragma once

#include "exec/derived/derivation.h"
#include "storage/engine.h"

namespace widerow {

// One thread.
class StaleEntries {
 public:
  // Whether the table's partitions are still where they were when `base` was read, and no schema change is under way that began before.
  using StillSo = std::function<Result<bool>()>;

  // `storage` outlives it. `derivation` of `base`, built.
  StaleEntries(StorageEngine& storage, TablePtr base, DerivationPtr derivation)
      : storage_(storage), base_(std::move(base)), derivation_(std::move(derivation)) {}

  // Looks at the next thousands of derived rows and deletes those that follow from nothing. True: there are no more, or it is not so
  // any more.
  Result<bool> RemoveSome(const StillSo& still_so);

 private:
  struct Place {
    Bytes partition_key, clustering;
    bool is_static = false;
  };

  // Goes on where it stopped. True: that was the last.
  Result<bool> FindStale(Mutation& deletions);
  Result<Place> BasePlaceOf(const RowView& derived) const;
  Result<bool> Follows(ReadView& view, const Place& place, const RowView& derived) const;
  // It may have gone with its partition.
  bool MayBeStale(const Place& place) const;

  StorageEngine& storage_;
  const TablePtr base_;
  const DerivationPtr derivation_;
  std::optional<Slice::ResumePoint> at_;
};

}  // namespace widerow
