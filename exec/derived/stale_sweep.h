// Removes the stale rows that large deletions leave in indexes and views. Storage marks a base table when a deletion
// leaves such rows (storage/derived_writes.h), but no record says where they are. So a pass reads all rows of the
// indexes and views of a marked table. Passes take at most a quarter of the time of DerivedBuilder's thread, which owns
// the object.
#pragma once

#include <chrono>

#include "exec/derived/stale_entries.h"

namespace widerow {

// Used by one thread.
class StaleSweep {
 public:
  using Clock = std::chrono::steady_clock;
  // Returns false if the schema has changed so that `base` no longer shows the table's rows (DerivedBuilder::Publish).
  using StillSo = std::function<Result<bool>(const TablePtr& base, const TableDerivation& derivation)>;

  StaleSweep(StorageEngine& storage, std::function<SchemaPtr()> schema, StillSo still_so)
      : storage_(storage), schema_(std::move(schema)), still_so_(std::move(still_so)) {}

  // Checks the next few thousand derived rows. Returns the time that the caller should wait before the next call.
  // nullopt: there is nothing to do. A marked table that has an index or view under construction waits for the build,
  // because rows that were built before the deletion may be stale too.
  Result<std::optional<Clock::duration>> Some();

 private:
  // A pass over the derived rows of one base table.
  struct Pass {
    StorageId table = 0;
    uint64_t mark = 0;  // The table's mark before the pass.
    TablePtr base;
    std::vector<DerivationPtr> derivations;
    size_t next = 0;                        // The first of `derivations` that is not finished.
    std::unique_ptr<StaleEntries> entries;  // Checks the rows of derivations[next]; null: not begun.
    Clock::time_point begun;
  };

  // Sets pass_ for a marked table, or clears the mark of a table that is gone. False if there is nothing to do now.
  Result<bool> Begin();
  Status Step();

  StorageEngine& storage_;
  const std::function<SchemaPtr()> schema_;
  const StillSo still_so_;
  std::optional<Pass> pass_;
  // The next pass does not begin before this time.
  Clock::time_point rest_until_;
};

}  // namespace widerow
