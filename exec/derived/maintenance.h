// Updates indexes and views with each write to their base tables (storage/derived_writes.h). It deletes the derived
// rows that do not follow from the base rows any more after the write, and writes the new ones. It refuses a write that
// gives two rows the same value of a unique index. Only storage's writer thread uses it.
#pragma once

#include <functional>
#include <map>
#include <tuple>

#include "base/limits.h"
#include "exec/derived/derivation.h"
#include "storage/derived_writes.h"

namespace widerow {

class DerivedMaintenance final : public DerivedWrites {
 public:
  // A write with range or partition deletions deletes the derived rows of at most this many base rows. The derived rows
  // of further deleted base rows become stale, and stale_sweep.h removes them.
  static constexpr size_t kRowsMax = 1'024;
  // Such a write also stops looking for base rows when it has passed about this number of rows that were deleted
  // earlier, which takes some milliseconds. The derived rows of the base rows that it has not reached become stale too.
  static constexpr size_t kDeadRowsMax = 20'000;
  // The greatest number of bytes that the derived rows of one write may take while they are computed.
  static constexpr size_t kBytesMax = limits::kWriteMemoryMax / 2;

  // `storage` must outlive the last call. `stale_rows_left` is called on the writer's thread after a write that leaves
  // stale rows.
  DerivedMaintenance(StorageEngine& storage, std::function<void()> stale_rows_left, size_t rows_max = kRowsMax,
                     size_t bytes_max = kBytesMax)
      : storage_(storage), stale_rows_left_(std::move(stale_rows_left)), rows_max_(rows_max), bytes_max_(bytes_max) {}

  void Begin() override;
  Result<bool> Before(ReadView& view, const SchemaPtr& schema, const TouchedRows& touched) override;
  Result<DerivedChanges> After(ReadView& view, const SchemaPtr& schema) override;
  void StaleRowsLeft() override { stale_rows_left_(); }

 private:
  using Derivations = std::vector<DerivationPtr>;
  // The derived rows of a base row before the write, one entry per derivation.
  struct Before_ {
    TablePtr table;
    std::vector<DerivedRows> keys;
  };
  using Place = std::tuple<StorageId, Bytes, bool, Bytes>;  // Table, partition key, whether it is static, clustering.

  const Derivations& DerivationsFor(const TablePtr& table, const SchemaPtr& schema);
  Status NoteRow(const TouchedRows& touched, const Derivations& derivations, bool is_static, ByteView clustering,
                 RowView* row);
  Status NoteNamed(ReadView& view, const TouchedRows& touched, const Derivations& derivations, bool is_static,
                   ByteView clustering);
  // Records the rows that a range or partition deletion affects. True if there may be more of them than rows_max_, or
  // if more than kDeadRowsMax deleted rows are between them.
  Result<bool> NoteRanges(ReadView& view, const TouchedRows& touched, const Derivations& derivations);
  // Adds the size of a row's derived rows to bytes_. Refuses the write if the sum exceeds bytes_max_.
  Status CountBytes(const TableSchema& table, const DerivedRows& derived);

  StorageEngine& storage_;
  const std::function<void()> stale_rows_left_;
  const size_t rows_max_, bytes_max_;
  SchemaPtr schema_;  // The schema of derivations_.
  std::map<const TableSchema*, Derivations> derivations_;
  std::map<Place, Before_> rows_;  // The rows of the current write.
  size_t rows_of_ranges_ = 0;      // The number of rows that were found in deleted ranges and partitions.
  size_t dead_rows_ = 0;           // About the number of passed rows in these ranges that had been deleted earlier.
  size_t bytes_ = 0;               // The approximate size of all derived rows computed for the current write.
};

// Appends the changes that turn the rows `before` of a derived table into `after`; both are results of SortedKeysOf.
// `timestamp` must be greater than all timestamps written to the table before.
void AppendDerivedChanges(const TablePtr& table, const std::vector<DerivedRow>& before,
                          const std::vector<DerivedRow>& after, int64_t timestamp, int64_t now_seconds, Mutation& out);

}  // namespace widerow
