// Removes the rows of indexes and views whose base rows disappeared with their partition, or in a large deletion.
// TRUNCATE and DROP PARTITION read no rows, and a large deletion reads only some of them, so they leave such derived
// rows stored. No reader sees them, because every read of an index or a view reads the base row. But they take space
// and slow reads down. After the statement, DerivedBuilder's thread removes them with this class.
//
// The removal needs no decide step (storage/mutation.h). A derived row has its own timestamp, greater than all earlier
// timestamps. If a snapshot shows that no base row of a derived row exists, the derived row is deleted at exactly its
// timestamp. If its base row comes back in the meantime, the new derived row is newer and stays. One requirement: when
// the snapshot was taken, the partitions of the base table must have been as in `base`.
#pragma once

#include "exec/derived/base_place.h"
#include "exec/derived/derivation.h"
#include "storage/storage_engine.h"

namespace widerow {

// Used by one thread.
class StaleEntries {
 public:
  // Returns true if HasSameRows (derivation.h) holds for `base` and the newest schema. Waits for schema changes that
  // began before the call.
  using StillSo = std::function<Result<bool>()>;

  enum class Of : uint8_t {
    kLostPartitions,  // Derived rows whose base rows were in a truncated or dropped partition.
    kAnyRows,
  };

  // `storage` must outlive this object. `derivation` is a derivation of `base` that is built. `of`: the derived rows to
  // check.
  StaleEntries(StorageEngine& storage, TablePtr base, DerivationPtr derivation, Of of)
      : storage_(storage), base_(std::move(base)), derivation_(std::move(derivation)), of_(of) {}

  // Checks the next few thousand derived rows and deletes those without a base row. True if no derived rows are left to
  // check, or if `still_so` returns false.
  Result<bool> RemoveSome(const StillSo& still_so);

 private:
  // Finds the stale rows among the next derived rows. Returns true if it has reached the last row.
  Result<bool> FindStale(Mutation& deletions);
  // False if the derived row need not be checked.
  bool MayBeStale(const BasePlace& place) const;

  StorageEngine& storage_;
  const TablePtr base_;
  const DerivationPtr derivation_;
  const Of of_;
  std::optional<Slice::ResumePoint> at_;
};

}  // namespace widerow
