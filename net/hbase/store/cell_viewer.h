// Gathers the cells of one family that a SELECT shows, for one row or for the rows of a range. Used by one thread.
#pragma once

#include "exec/select/show_rows.h"
#include "net/hbase/store/read_spec.h"
#include "net/hbase/store/version_count.h"

namespace widerow::hbase {

// Views the rows of a SELECT of k, q, t, v or, for one row, of q, t, v.
class CellViewer final : public RowViewer {
 public:
  using Row = std::pair<Bytes, std::vector<Cell>>;

  // Borrows the arguments. `room` counts the memory; it may be null.
  CellViewer(const ReadFamily& read, AnswerRoom* room) : read_(read), room_(room) {}
  // Prepares for a SELECT without k. If `ran_long` is not null and the row is large, the SELECT fails, and *ran_long
  // becomes true.
  void ReadRow(const Bytes& row, bool* ran_long = nullptr);
  // Prepares for a SELECT with k. The SELECT ends before the next row when it has read about `cells` cells.
  void ReadRange(bool reversed, uint32_t cells);

  Mode mode() const override { return {.of_one_moment = !in_range_, .skips_alike = versions_.has_value()}; }
  void Begin(const ResultColumnsPtr& /*columns*/) override {}
  bool Show(std::span<const ByteView> values) override;
  bool SkipsAlike() const override { return versions_ && versions_->column_full(); }
  void EndEarly() override { row_cut_ = ended_early_ = true; }

  // Returns an error if a row has become too large, or if there is no memory for it.
  Status TakeStatus() { return std::move(status_); }
  // True if more rows may follow rows().
  bool more() const { return ended_early_; }
  // True if the last row may have more cells.
  bool row_cut() const { return row_cut_; }
  // The rows, with the cells in HBase's order.
  std::vector<Row> Take() &&;

 private:
  // Begins a row. Returns false, and ends the read before this row, if a limit is reached.
  bool BeginRow(ByteView row);
  bool AddCell(ByteView qualifier, int64_t timestamp, ByteView value);
  bool Fail(Status status);
  void Order(std::vector<Cell>& cells) const;

  const ReadFamily& read_;
  AnswerRoom* const room_;
  bool* ran_long_ = nullptr;
  bool in_range_ = false, reversed_ = false;
  uint32_t cells_max_ = 0;
  std::optional<VersionCount> versions_;  // nullopt: all versions are kept.
  std::vector<Row> rows_;
  size_t cells_ = 0, examined_ = 0;
  size_t bytes_ = 0, granted_ = 32u << 10;  // If granted_ is reached, room_ is asked for more.
  bool row_cut_ = false, ended_early_ = false;
  Status status_;
};

}  // namespace widerow::hbase
