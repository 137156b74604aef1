// Chooses the cells of one family in a row: by column, time range, versions, age and filter. It follows HBase's
// NormalUserScanQueryMatcher with its two column trackers, because filters see only the cells that pass the other
// conditions, and count what they see.
#pragma once

#include <chrono>
#include <span>

#include "net/hbase/store/read_spec.h"

namespace widerow::hbase {

// Matches the cells of one family in one row. Borrows the arguments.
class ColumnMatcher {
 public:
  // `deadline`: the time until which the filter must have seen all cells.
  ColumnMatcher(const ReadFamily& family, const ReadSpec& spec, int64_t now_ms,
                std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max());

  // Moves the chosen cells of `stored` to the end of `chosen`. Returns false if the filter has ended the read of the
  // family. As in HBase, later rows then show no cells of this family.
  bool Match(const Bytes& row, std::vector<Cell>& stored, std::vector<Cell>& chosen);

  // True if Match has ended at the deadline, before it had looked at all cells.
  bool too_slow() const { return too_slow_; }
  // Returns the position at which the read of the family goes on, if the filter wants to skip rows.
  const std::optional<FilterHint>& seek() const { return seek_; }

 private:
  // A code says whether the cell is included, and at which cell the match goes on.
  enum class Code : uint8_t {
    kInclude,
    kIncludeNextColumn,
    kIncludeNextRow,
    kSkip,
    kNextColumn,
    kNextRow,
    kHint,
    kEnd
  };

  Code Decide(const Bytes& row, const Cell& cell);
  Code CheckColumn(const Cell& cell);
  Code CheckVersion(const Cell& cell);
  Code Merge(const Cell& cell, Code code, FilterCode filtered);
  void DoneWithColumn(const Cell& cell);
  Code NextColumnOrRow(const Cell& cell);
  bool IsExpired(const Cell& cell) const { return cell.timestamp < oldest_; }
  bool is_explicit() const { return !columns_.empty(); }
  // Returns the index of the cell at which the match goes on after `code`; stored.size() if there is none. `at` is the
  // index of the present cell.
  size_t NextIndex(const Bytes& row, const std::vector<Cell>& stored, size_t at, Code code);
  size_t IndexOfHint(const Bytes& row, const std::vector<Cell>& stored, size_t at);

  const ReadSpec& spec_;
  TimeRange time_range_;
  const std::span<const Bytes> columns_;  // Sorted. If empty, all columns are read.
  const int32_t min_versions_;
  const int64_t oldest_;
  int32_t versions_max_;  // The most versions of a column that are examined.
  int32_t shown_max_;     // The most versions of a column that are shown.

  const std::chrono::steady_clock::time_point deadline_;
  bool too_slow_ = false;
  std::optional<FilterHint> seek_;
  size_t column_ = 0;  // The index of the present column in columns_.
  bool any_column_ = false;
  Bytes current_;  // The qualifier whose versions are counted.
  int32_t count_ = 0;
  bool any_shown_ = false;
  Bytes shown_column_;
  int32_t shown_ = 0;
};

}  // namespace widerow::hbase
