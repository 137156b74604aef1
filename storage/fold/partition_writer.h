// Applies changes to one partition in a write transaction and keeps the invariant of the data file: nothing is stored
// that a stored tombstone deletes (docs/internals/storage-format.md, "Deletions"). Used on the folder's thread: by
// folds, sweeps and bulk loads.
#pragma once

#include "storage/fold/spill_store.h"
#include "storage/fold/write_context.h"
#include "storage/format/key_codec.h"
#include "storage/format/row_codec.h"
#include "storage/mutation.h"
#include "storage/reconcile/purge_times.h"

namespace widerow {

// A deletion is applied to this many rows at once. The overlay hides the other rows until the sweeper has applied it to
// them.
inline constexpr size_t kRowsDeletedAtOnceMax = 10'000;

class PartitionWriter {
 public:
  // `partition_prefix`: see key_codec.h.
  PartitionWriter(WriteContext& context, const TableColumns& columns, Bytes partition_prefix);

  // Applies the mutation. A deletion that covers too many rows leaves a pending deletion in the context's GroupState.
  // Errors: kServerError from LMDB or for a damaged record.
  Status Apply(const PartitionMutation& mutation);

  // Applies `deletion` to at most `rows_max` rows in [begin, end). Returns the clustering where the rest begins;
  // nullopt if all rows are done.
  Result<std::optional<Bytes>> DeleteRows(Bytes begin, const std::optional<Bytes>& end, const DeletionTime& deletion,
                                          size_t rows_max);
  // The next three functions remove content that is due (purge_times.h): from one row, the header, or one range
  // tombstone. PurgeRow does not examine spilled elements; it only notices if a column has none left.
  Status PurgeRow(bool is_static, ByteView clustering);
  Status PurgeHeader();
  Status PurgeRangeTombstone(ByteView begin);
  // Removes one spilled element; `cell_prefix` is the beginning of its records' keys.
  Status PurgeElement(ByteView cell_prefix) { return spills_.DropElement(cell_prefix); }
  Result<bool> HasElements(ByteView clustering, ColumnId column) { return spills_.AnyElement(clustering, column); }

  // The number of stored records that may be purged one day, and the earliest `since` of their content.
  uint64_t purgeable_records() const { return purgeable_records_; }
  int64_t purgeable_since() const { return purgeable_since_; }

  int64_t rows_delta() const { return rows_delta_; }
  int64_t bytes_delta() const { return bytes_delta_ + spills_.bytes_delta(); }

 private:
  struct RowChange {
    enum class Kind : uint8_t {
      kMerge,   // Merges `incoming` into the stored row; `covering` is applied to the stored row already.
      kDelete,  // Applies `covering`, which is new.
      kPurge,   // Removes what is due. Never in a fold: see docs/internals/tombstones.md.
    };
    Kind kind;
    bool is_static = false;
    ByteView clustering;
    const RowFragment* incoming = nullptr;
    // The partition and range tombstones over the row.
    DeletionTime covering;
  };

  Status LoadTombstones();
  Status DeletePartition(const DeletionTime& deletion);
  Status DeleteRange(const RangeDeletion& deletion);
  Status DeleteOrDefer(Bytes begin, const std::optional<Bytes>& end, const DeletionTime& deletion);
  Status StoreRangeTombstone(const RangeTombstone& added);
  Status DropCoveredRangeTombstones(const DeletionTime& deletion);
  // Returns the stored tombstones that overlap or touch [begin, end).
  Result<std::vector<RangeTombstone>> RangeTombstonesIn(const Bytes& begin, const std::optional<Bytes>& end);
  Result<DeletionTime> CoveringOf(ByteView clustering);

  Status ChangeRow(const RowChange& change);
  Status LoadRow(ByteView key, ByteView clustering, StoredRow& row, size_t& stored_bytes, Bytes& stored_record);
  Status ForgetDroppedColumns(ByteView clustering, StoredRow& row);
  void ApplyDrops(RowFragment& row) const;
  Status LoadTiedSpills(const RowChange& change, StoredRow& row);
  RowFragment SplitOffSpilledElements(const RowFragment& incoming, const StoredRow& row, std::vector<Cell>& elements);
  Status SettleSpills(const RowChange& change, const StoredRow& before, const std::vector<Cell>& elements,
                      StoredRow& after);
  Status SettleElements(const RowChange& change, const StoredRow& before, ColumnId column,
                        const std::vector<Cell>& elements, const StoredRow& after, bool& any_left);
  Status PurgeContent(ByteView clustering, StoredRow& row);
  Status SpillBigColumns(ByteView clustering, StoredRow& row);
  void NotePurgeable(int64_t since);

  Bytes KeyOf(RecordKind kind, ByteView rest = {}) const;
  Error Damaged(ByteView key, std::string_view what) const;

  WriteContext& context_;
  const TableColumns& columns_;
  const Bytes prefix_;
  const StorageId storage_id_;
  const PurgeTimes purge_times_;
  SpillStore spills_;
  DeletionTime header_;
  bool has_range_tombstones_ = false;
  int64_t rows_delta_ = 0;
  int64_t bytes_delta_ = 0;
  uint64_t purgeable_records_ = 0;
  int64_t purgeable_since_ = std::numeric_limits<int64_t>::max();
};

}  // namespace widerow
