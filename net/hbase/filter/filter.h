// HBase's filters. A filter decides for each row and for each of its cells whether an answer contains it. It keeps the
// same state and returns the same codes as the Java class of its name, so that lists of filters give the same results
// as in HBase. A filter belongs to one read, which runs on one thread.
//
// For each row, a read calls these functions in this order: AllRemaining; FilterRowKey; FilterCell for each cell;
// FilterRowCells if HasFilterRow; FilterRow; Reset.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "net/hbase/cells/cell.h"

namespace widerow::hbase {

enum class FilterCode : uint8_t {
  kInclude,
  kIncludeAndNextColumn,
  kIncludeAndNextRow,
  kSkip,
  kNextColumn,
  kNextRow,
  kSeekUsingHint,
};

// A position that a filter proposes as the next one: before all cells of the row, or before a version of a column.
struct FilterHint {
  Bytes row;
  bool in_row = false;  // True: before the version given by family, qualifier, timestamp. False: before the row.
  Bytes family, qualifier;
  int64_t timestamp = kLatestTimestamp;
};

class Filter {
 public:
  virtual ~Filter() = default;
  // Begins a new row.
  virtual void Reset() {}
  // True if no further row can pass.
  virtual bool AllRemaining() { return false; }
  // True if the row is excluded. `first` is its first cell.
  virtual bool FilterRowKey(const Bytes& /*row*/, const Cell& /*first*/) { return AllRemaining(); }
  virtual FilterCode FilterCell(const Bytes& row, const Cell& cell) = 0;
  // Changes a cell that was included.
  virtual void Transform(Cell& /*cell*/) {}
  // Removes cells of the row.
  virtual void FilterRowCells(std::vector<Cell>& /*cells*/) {}
  virtual bool HasFilterRow() const { return false; }
  // True if the row is excluded after all its cells were seen.
  virtual bool FilterRow() { return false; }
  // Called after FilterCell has returned kSeekUsingHint.
  virtual std::optional<FilterHint> NextHint(const Bytes& /*row*/, const Cell& /*cell*/) { return std::nullopt; }
  virtual bool IsFamilyEssential(const Bytes& /*family*/) { return true; }
  virtual void SetReversed(bool reversed) { reversed_ = reversed; }
  // True if a list of filters asks this filter for a hint even after another filter has excluded the cell.
  virtual bool is_hinting() const { return false; }

 protected:
  bool reversed_ = false;
};
using FilterPtr = std::unique_ptr<Filter>;

// Compares a hint with a cell: -1, 0 or 1.
int CompareHint(const FilterHint& hint, const Bytes& row, const Cell& cell);
int CompareHints(const FilterHint& a, const FilterHint& b);
// Returns the hint for the position before all versions of the column `qualifier`, in `row` and the family of `cell`.
FilterHint HintAt(const Bytes& row, const Cell& cell, const Bytes& qualifier);
// Compares the bytes as unsigned numbers. Returns -1, 0 or 1.
inline int CompareBytes(ByteView a, ByteView b) {
  const int order = a.compare(b);
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}

}  // namespace widerow::hbase
