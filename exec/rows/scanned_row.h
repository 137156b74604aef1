// A stored row as selectors and filters see it: values by column, live ones only, multi-cell columns put together.
// One thread; one object serves all rows of a scan.
#pragma once

#include <vector>

#include "planner/evaluate/evaluate.h"
#include "planner/plan.h"
#include "storage/row.h"

namespace widerow {

// What stays the same for all rows of a table: where a column id's cells belong.
class RowLayout {
 public:
  struct Place {
    ColumnId id = 0;
    bool single_cell = false;  // Neither key nor collection.
    bool is_static = false;
    bool asked = true;         // Selected or filtered, if it is a SELECT's layout.
  };
  explicit RowLayout(const TableSchema& table);
  explicit RowLayout(const SelectPlan& plan);
  const TableSchema& table() const { return table_; }
  // Index into TableSchema::columns; -1 for a dropped column's id.
  int32_t ColumnOf(ColumnId id) const { return id < column_of_id_.size() ? column_of_id_[id] : -1; }
  const Place& place(uint32_t column) const { return places_[column]; }

 private:
  const TableSchema& table_;
  std::vector<Place> places_;  // By column.
  std::vector<int32_t> column_of_id_;
};

// The static row of the partition at hand, copied out of the cursor so that it outlives the rows that follow.
class StaticRow {
 public:
  void Assign(const RowView& row);
  void Clear();
  bool present() const { return present_; }
  const RowView& view() const { return view_; }

 private:
  bool present_ = false;
  Bytes storage_;  // Everything `view_` points to.
  RowView view_;
};

// What a row is refused with whose cells, though their checksum holds, are not whole.
Error DamagedCells();

class ScannedRow final : public RowValues {
 public:
  ScannedRow(const RowLayout& layout, int64_t now_seconds);

  // Looks at `row` and, for static columns, at `statics`; borrows both. A null `row` is the row of a partition that has
  // only static content.
  void Reset(ByteView partition_key, const RowView* row, const RowView* statics) {
    partition_key_ = partition_key;
    row_ = row;
    statics_ = statics;
    partition_decoded_ = clustering_decoded_ = uniform_decoded_ = damaged_ = false;
    if ((row != nullptr && !row->uniform) || statics != nullptr) IndexAllCells();
  }

  // Whether the row exists: a live marker or a live cell. Under a marker that has expired a cell of a column that is not asked
  // for does not count if it is older than the marker: so it is in Cassandra, which does not read such cells (CASSANDRA-10657).
  bool RowLive() const { return row_ != nullptr && (row_->marker.LiveAt(now_seconds_) || AnyLive(*row_)); }
  // Whether any static cell is live.
  bool StaticsLive() const;

  // The row if it is of the uniform form and live, so that all its values in `packed` are; else null.
  const RowView* LiveUniform() const {
    return row_ != nullptr && row_->uniform && row_->times.LiveAt(now_seconds_) ? row_ : nullptr;
  }

  // A column stored in one cell.
  bool IsSingleCell(uint32_t column) const { return layout_.place(column).single_cell; }
  ValueView SingleCell(uint32_t column);

  Result<ValueView> Column(uint32_t column) override;
  Result<Value> CellTime(CellTimeExpression::Kind kind, uint32_t column, const CellPart& part) override;
  int64_t Token() override;

 private:
  struct CellSpan { uint32_t begin = 0, end = 0; };
  bool AnyLive(const RowView& row) const;
  // Of a uniform row; null data() where there is none.
  ByteView UniformValue(const RowView& row, ColumnId id);
  Result<Value> UniformTime(CellTimeExpression::Kind kind, ColumnId id, const RowView& row);
  void IndexAllCells();
  void IndexCells(const RowView& row);
  Status DecodePartitionKey();
  Status DecodeClustering();
  Result<ValueView> Derive(uint32_t column);
  ValueView Assemble(uint32_t column, const ColumnSchema& schema, const CellView* begin, const CellView* end);

  const RowLayout& layout_;
  const int64_t now_seconds_;
  ByteView partition_key_;
  const RowView* row_ = nullptr;
  const RowView* statics_ = nullptr;
  std::vector<ByteView> uniform_values_;  // Of row_ if it is uniform, by column id; filled when first asked for.
  // By column, for rows that are not uniform; of row_ or statics_, whichever the column lives in.
  std::vector<CellSpan> spans_;
  std::vector<ByteView> partition_components_;
  std::vector<Bytes> partition_values_;  // What they point to, where keys are not stored as they are.
  std::vector<Bytes> clustering_values_;
  std::vector<Bytes> assembled_;       // By column; multi-cell values, made when asked for.
  std::vector<Bytes> derived_;         // By column; generated columns that are not stored.
  bool partition_decoded_ = false, clustering_decoded_ = false, uniform_decoded_ = false;
  bool damaged_ = false;  // uniform_values_ are not all.
};

}  // namespace widerow
