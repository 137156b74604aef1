// A stored row as selectors and filters see it: live values by column, with multi-cell columns assembled. One thread;
// one object serves all rows of a scan.
#pragma once

#include <functional>
#include <vector>

#include "planner/evaluate/evaluate.h"
#include "planner/plan.h"
#include "storage/row.h"

namespace widerow {

// The facts that hold for all rows of a table: which column each column id belongs to, and how the columns are stored.
class RowLayout {
 public:
  struct Place {
    ColumnId id = 0;
    // True for a column that is stored in one cell: not for key columns, multi-cell columns and generated columns.
    bool single_cell = false;
    bool is_static = false;
    bool asked = true;  // False: the SELECT neither shows nor filters the column.
  };
  explicit RowLayout(const TableSchema& table);
  explicit RowLayout(const SelectPlan& plan);
  const TableSchema& table() const { return table_; }
  // Returns an index into TableSchema::columns; -1 for a dropped column's id.
  int32_t ColumnOf(ColumnId id) const { return id < column_of_id_.size() ? column_of_id_[id] : -1; }
  const Place& place(uint32_t column) const { return places_[column]; }

 private:
  const TableSchema& table_;
  std::vector<Place> places_;  // By column.
  std::vector<int32_t> column_of_id_;
};

// The static row of the current partition, copied from the cursor so that it stays valid for the rows that follow.
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

// Returns the error for a row whose checksum is correct but whose cells are incomplete.
Error DamagedCells();

class ScannedRow final : public RowValues {
 public:
  ScannedRow(const RowLayout& layout, int64_t now_seconds);

  // Sets the row to read and, for static columns, the static row; borrows both. A null `row` is the row of a partition
  // with static content only.
  void Reset(ByteView partition_key, const RowView* row, const RowView* statics) {
    partition_key_ = partition_key;
    row_ = row;
    statics_ = statics;
    partition_decoded_ = clustering_decoded_ = uniform_decoded_ = damaged_ = false;
    ++row_number_;
    if ((row != nullptr && !row->uniform) || statics != nullptr) IndexAllCells();
  }

  // Asks for memory of `bytes` for values of the row. If it fails, reading the value fails too.
  using AskForRoom = std::function<Status(size_t bytes)>;
  // Before the row reads a value that is stored in pieces (BasicCell::large), it calls `ask` with the bytes of this
  // value and of all values that it has made (Made). Without SetRoom it asks for nothing.
  void SetRoom(AskForRoom ask) { ask_for_room_ = std::move(ask); }

  // True if the row exists: it has a live marker or a live cell. If the marker has expired, a cell that is older than
  // the marker counts only if the query asks for its column, as in Cassandra (CASSANDRA-10657).
  bool RowLive() const { return row_ != nullptr && (row_->marker.LiveAt(now_seconds_) || AnyLive(*row_)); }
  // True if any static cell is live.
  bool StaticsLive() const;

  // Returns the row if it is uniform (storage/row.h) and live, so that all its values are in `packed`; else null.
  const RowView* LiveUniform() const {
    return row_ != nullptr && row_->uniform && row_->times.LiveAt(now_seconds_) ? row_ : nullptr;
  }

  // True if the column is stored in one cell.
  bool IsSingleCell(uint32_t column) const { return layout_.place(column).single_cell; }

  Result<ValueView> Column(uint32_t column) override;
  Result<Value> CellTime(CellTimeExpression::Kind kind, uint32_t column, const CellPart& part) override;
  int64_t Token() override;

 private:
  struct CellSpan {
    uint32_t begin = 0, end = 0;
  };
  ValueView SingleCell(uint32_t column);
  bool AnyLive(const RowView& row) const;
  // Returns the column's value in a uniform row; null data() if there is none.
  ByteView UniformValue(const RowView& row, ColumnId id);
  Result<Value> UniformTime(CellTimeExpression::Kind kind, ColumnId id, const RowView& row);
  // Returns the value of a column whose cell is large.
  Result<ValueView> ReadLarge(uint32_t column);
  void IndexAllCells();
  void IndexCells(const RowView& row);
  Status DecodePartitionKey();
  Status DecodeClustering();
  // A value that is not stored in the form in which it is shown. It is made only once for each row, because an
  // expression can use a column twice, and the view from the first use must stay valid.
  struct Made {
    Bytes bytes;
    uint64_t row_number = 0;
  };
  const Bytes* FindMade(uint32_t column) const;
  ValueView Keep(uint32_t column, Bytes bytes);
  Result<ValueView> Derive(uint32_t column);
  ValueView Assemble(uint32_t column, const ColumnSchema& schema, const CellView* begin, const CellView* end);

  const RowLayout& layout_;
  const int64_t now_seconds_;
  AskForRoom ask_for_room_;
  ByteView partition_key_;
  const RowView* row_ = nullptr;
  const RowView* statics_ = nullptr;
  std::vector<ByteView> uniform_values_;  // Values of row_ if it is uniform, by column id; filled on first use.
  // For rows that are not uniform: the range of each column's cells in row_, or in statics_ for a static column.
  std::vector<CellSpan> spans_;
  std::vector<ByteView> partition_components_;
  std::vector<Bytes> partition_values_;  // Decoded key values; partition_components_ refers to them.
  std::vector<Bytes> clustering_values_;
  std::vector<Made> made_;   // By column; multi-cell and large values, and generated columns that are not stored.
  uint64_t row_number_ = 0;  // The number of calls of Reset.
  bool partition_decoded_ = false, clustering_decoded_ = false, uniform_decoded_ = false;
  bool damaged_ = false;    // True if uniform_values_ is incomplete.
  bool any_large_ = false;  // If row_ is not uniform: true if a cell of row_ is large. Static cells are never large.
};

}  // namespace widerow
