// The changes that mutations make to one family of one row. They are computed from the stored cells, one mutation after
// another, and then added to one atomic write. The row's lock is held. Used by one thread.
#pragma once

#include <map>
#include <set>

#include "net/hbase/store/markers.h"

namespace widerow::hbase {

class FamilyChanges {
 public:
  // Borrows all arguments. The row is read from `database`. `unseen`: the client learns nothing of what is read,
  // because all mutations are Puts and Deletes.
  FamilyChanges(Catalog& catalog, const Database& database, const HFamily& family, const Bytes& row, int64_t now_ms,
                bool unseen)
      : catalog_(catalog), database_(database), family_(family), row_(row), now_ms_(now_ms), unseen_(unseen) {}

  const HFamily& family() const { return family_; }
  // Puts a cell, unless a delete marker hides it.
  Status Put(Cell cell, int64_t ttl_ms);
  // Deletes the cells that the delete hides, and keeps its marker. A timestamp of kLatestTimestamp stands for now. For
  // kDelete, it stands for the timestamp of the `nth` newest cell, counted from 1, that a read of the column would have
  // shown before the request.
  Status Delete(const Cell& cell, int32_t nth);
  // Finds the newest cell of a column that is in the time range and that a read would have shown before the request.
  Result<std::optional<Cell>> Newest(const Bytes& qualifier, const TimeRange& range);
  // Returns the timestamp for a new cell of an Increment or Append: `timestamp`, or one of the next milliseconds if a
  // stored marker hides that. Without this, the cell would be lost if the column was deleted in the same millisecond.
  // As in HBase, a Delete of the same request does hide the cell.
  Result<int64_t> VisibleFrom(const Bytes& qualifier, int64_t timestamp);
  // Returns how many milliseconds after its timestamp a stored cell expires; 0: never.
  Result<int64_t> LifeMs(const Cell& cell) const;
  // Appends the writes that make the changes.
  Status AppendWrites(std::vector<BatchEntry>& entries);

 private:
  // The values of a column by timestamp, the newest first.
  using Versions = std::map<int64_t, Bytes, std::greater<>>;
  struct PutCell {
    Bytes value;
    int64_t ttl_ms = 0;
  };

  Status NeedRow();
  Status NeedColumn(const Bytes& qualifier);
  Status NeedMarkers();
  // Remove the cell with this timestamp, or all cells up to it: stored cells, and cells from puts of this request.
  void RemoveTime(const Bytes& qualifier, int64_t timestamp);
  void RemoveUpTo(const Bytes& qualifier, int64_t timestamp);
  // Removes the cells that family_deletes_ hide.
  void RemoveInAllColumns();
  // Returns the timestamp of the `nth` newest cell that a read would have shown before the request, counted from 1.
  std::optional<int64_t> ShownTime(const Bytes& qualifier, int32_t nth);
  // Returns the `count` newest cells in the range that a read would have shown before the request.
  std::vector<Cell> Shown(const Bytes& qualifier, const TimeRange& range, int32_t count) const;
  BatchEntry Entry(const PreparedPtr& statement, std::vector<BoundValue> values) const;
  void AppendPut(const Bytes& qualifier, int64_t timestamp, const PutCell& put, std::vector<BatchEntry>& entries) const;
  void AppendDeletes(std::vector<BatchEntry>& entries) const;

  Catalog& catalog_;
  const Database& database_;
  const HFamily& family_;
  const Bytes& row_;
  const int64_t now_ms_;
  const bool unseen_;
  std::optional<RowMarkers> markers_;
  bool whole_row_ = false;
  std::map<Bytes, Versions> before_;   // The columns that were read, as they were before the request.
  std::map<Bytes, Versions> columns_;  // The columns after the changes. Complete for the columns in known_.
  std::set<Bytes> known_;
  std::map<std::pair<Bytes, int64_t>, PutCell> puts_;
  std::set<std::pair<Bytes, int64_t>> deletes_;  // Stored cells that are removed.
  HiddenTimes family_deletes_;  // The deletes of this request that concern all columns. AppendWrites carries them out.
  std::map<Bytes, std::vector<int64_t>> shown_times_;  // The results of ShownTime, by column.
};

}  // namespace widerow::hbase
