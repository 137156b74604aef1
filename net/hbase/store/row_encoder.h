// Encodes the rows of a range as the cell block of an answer, while a SELECT of k, q, t, v shows them. Cells do not
// become objects, which makes a scan much cheaper. RowEncoder serves only reads that show the newest versions of all
// columns of one family, in ascending order, without a filter. Used by one thread.
#pragma once

#include "exec/rows/answer_room.h"
#include "exec/select/show_rows.h"
#include "net/hbase/store/read_spec.h"
#include "net/hbase/store/version_count.h"

namespace widerow::hbase {

class RowEncoder final : public RowViewer {
 public:
  // The output of rows stops when one of these limits is reached. `bytes` counts ObjectBytes, `examined` counts stored
  // cells.
  struct Limits {
    size_t rows = 0, bytes = 0, examined = 0;
    AnswerRoom* room = nullptr;  // Counts the memory; may be null.
  };
  // True if the read can be encoded. `families` are those that it reads.
  static bool Fits(const std::vector<ReadFamily>& families, const ReadSpec& spec);

  // Borrows `read`. Cells with a timestamp below `oldest` are not shown.
  RowEncoder(const ReadFamily& read, int64_t oldest, const Limits& limits);

  Mode mode() const override { return {.of_one_moment = false, .skips_alike = true}; }
  // Called at the beginning of each SELECT. Several SELECTs may show parts of a range, one after the other.
  void Begin(const ResultColumnsPtr& columns) override;
  bool Show(std::span<const ByteView> values) override;
  bool SkipsAlike() const override { return versions_.column_full(); }
  void EndEarly() override;
  // Called after each SELECT. Returns true if the SELECT has shown all its rows.
  bool End();

  // True if a limit is reached.
  bool full() const;
  // True if the last SELECT has shown a whole row.
  bool any_row() const { return any_row_; }
  // The last row that was shown whole.
  const Bytes& last_row() const { return last_row_; }
  size_t examined() const { return examined_; }
  // The number of rows that have cells.
  size_t rows() const { return cells_of_rows_.size(); }

  // The cells, in the encoding of cells/key_value.h, and the number of each row's cells.
  Bytes TakeCells() { return std::move(cells_); }
  std::vector<uint32_t> TakeCellsOfRows() { return std::move(cells_of_rows_); }

 private:
  // Ends the present row.
  void EndRow();
  // Forgets the present row.
  void DropRow();
  // Ends the SELECT early. Returns false, which Show then returns.
  bool Stop();
  bool GrowMemory();

  const ReadFamily& read_;
  const Limits limits_;
  VersionCount versions_;
  Bytes cells_;
  std::vector<uint32_t> cells_of_rows_;
  size_t object_bytes_ = 0, examined_ = 0;
  size_t granted_ = 32u << 10;  // If cells_ reaches this size, GrowMemory asks for more memory.
  bool no_memory_ = false;
  Bytes row_, last_row_;
  bool in_row_ = false, stopped_ = false, any_row_ = false;
  size_t row_begin_ = 0, row_object_bytes_ = 0;  // Where the present row begins in cells_, and its ObjectBytes.
  uint32_t row_cells_ = 0;
  size_t qualifier_begin_ = 0, qualifier_size_ = 0;  // The qualifier of the row's last cell, in cells_.
};

// The size of HBase's object for the cell: a header, and the serialized cell. If a client sets a bound of bytes for an
// answer, HBase counts these sizes.
size_t ObjectBytes(size_t row, size_t family, size_t qualifier, size_t value);

}  // namespace widerow::hbase
