// Applies changes to one partition in a write transaction. It keeps an invariant of the data file: if a stored
// tombstone deletes some content, that content is not stored (docs/internals/storage-format.md, "Deletions"). Folds,
// sweeps and bulk loads use it on the folder's thread.
#pragma once

#include "storage/fold/spill_store.h"
#include "storage/fold/write_context.h"
#include "storage/format/key_codec.h"
#include "storage/format/row_codec.h"
#include "storage/large_object.h"
#include "storage/mutation.h"
#include "storage/reconcile/purge_times.h"

namespace widerow {

// A write applies a deletion to at most this many rows. For the other rows it becomes a pending deletion: the sweeper
// applies it to them later, and until then the overlay (overlay.h) hides them.
inline constexpr size_t kRowsDeletedAtOnceMax = 10'000;

class PartitionWriter {
 public:
  // `partition_prefix`: see key_codec.h.
  PartitionWriter(WriteContext& context, const TableColumns& columns, Bytes partition_prefix);

  // Applies the mutation, and moves the content out of its rows. A deletion that covers too many rows adds a pending
  // deletion to the GroupState of the context. Errors: kServerError if LMDB fails or a record is damaged.
  Status Apply(PartitionMutation&& mutation);

  // Applies `deletion` to at most `rows_max` rows in [begin, end). Returns the clustering where the rest begins;
  // nullopt if all rows are done.
  Result<std::optional<Bytes>> DeleteRows(Bytes begin, const std::optional<Bytes>& end, const DeletionTime& deletion,
                                          size_t rows_max);
  // The next three functions remove content that is due (purge_times.h) from one row, from the partition's header, or
  // from one range tombstone. PurgeRow does not examine spilled elements. But if a spilled column has no elements left,
  // it removes the column from the record of the row.
  Status PurgeRow(bool is_static, ByteView clustering);
  Status PurgeHeader();
  Status PurgeRangeTombstone(ByteView begin);
  // Removes one spilled element. The keys of its records begin with `cell_prefix`.
  Status PurgeElement(ByteView cell_prefix) { return spills_.DropElement(cell_prefix); }
  Result<bool> HasElements(ByteView clustering, ColumnId column) { return spills_.AnyElement(clustering, column); }

  // The number of records that this object has stored and that may be purged one day, and the earliest `since`
  // (purge_times.h) of their content.
  uint64_t purgeable_records() const { return purgeable_records_; }
  int64_t purgeable_since() const { return purgeable_since_; }

  int64_t rows_delta() const { return rows_delta_; }
  int64_t bytes_delta() const { return bytes_delta_ + spills_.bytes_delta(); }

 private:
  struct RowChange {
    enum class Kind : uint8_t {
      kMerge,   // Merges `incoming` into the stored row, to which `covering` has been applied before.
      kDelete,  // Applies `covering`, a new deletion, to the stored row.
      kPurge,   // Removes what is due. Never in a fold: see docs/internals/tombstones.md.
    };
    Kind kind;
    bool is_static = false;
    ByteView clustering;
    RowFragment* incoming = nullptr;  // ChangeRow moves the content out of it. Null if the kind is not kMerge.
    // The newest of the partition and range tombstones that cover the row.
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
  RowFragment SplitOffSpilledElements(RowFragment incoming, const StoredRow& row, std::vector<Cell>& elements);
  Status SettleSpills(const RowChange& change, const StoredRow& before, const std::vector<Cell>& elements,
                      StoredRow& after);
  Status SettleElements(const RowChange& change, const StoredRow& before, ColumnId column,
                        const std::vector<Cell>& elements, const StoredRow& after, bool& any_left);
  Status PurgeContent(ByteView clustering, StoredRow& row);
  Status SpillBigColumns(ByteView clustering, StoredRow& row);
  Status NoteLargeObjects(const RowFragment& after);
  void NotePurgeable(int64_t since);

  Bytes KeyOf(RecordKind kind, ByteView rest = {}) const;
  Error Damaged(ByteView key, std::string_view what) const;

  WriteContext& context_;
  const TableColumns& columns_;
  const Bytes prefix_;
  const StorageId storage_id_;
  const PurgeTimes purge_times_;
  SpillStore spills_;
  std::vector<LargeReference> references_before_;  // The references that the row had before it was changed.
  DeletionTime header_;
  bool has_range_tombstones_ = false;
  int64_t rows_delta_ = 0;
  int64_t bytes_delta_ = 0;
  uint64_t purgeable_records_ = 0;
  int64_t purgeable_since_ = std::numeric_limits<int64_t>::max();
};

}  // namespace widerow
