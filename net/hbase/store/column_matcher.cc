#include "net/hbase/store/column_matcher.h"

#include <algorithm>

namespace widerow::hbase {

ColumnMatcher::ColumnMatcher(const ReadFamily& family, const ReadSpec& spec, int64_t now_ms,
                             std::chrono::steady_clock::time_point deadline)
    : spec_(spec),
      time_range_(spec.time_range),
      columns_(family.columns == nullptr ? std::span<const Bytes>() : family.columns->qualifiers),
      min_versions_(family.family->options.min_versions),
      oldest_(family.family->options.OldestUnexpired(now_ms)),
      deadline_(deadline) {
  const auto own_range = spec.family_time_ranges.find(family.family->name);
  if (own_range != spec.family_time_ranges.end()) time_range_ = own_range->second;
  const int32_t kept = family.family->options.max_versions;
  shown_max_ = std::min(spec.max_versions, kept);
  versions_max_ = spec.filter != nullptr ? kept : shown_max_;
}

void ColumnMatcher::DoneWithColumn(const Cell& cell) {
  while (column_ < columns_.size()) {
    const int order = CompareBytes(cell.qualifier, columns_[column_]);
    if (order < 0) return;
    ++column_;
    count_ = 0;
    if (order == 0) return;
  }
}

ColumnMatcher::Code ColumnMatcher::NextColumnOrRow(const Cell& cell) {
  if (!is_explicit()) return Code::kNextColumn;
  DoneWithColumn(cell);
  return column_ < columns_.size() ? Code::kNextColumn : Code::kNextRow;
}

ColumnMatcher::Code ColumnMatcher::CheckColumn(const Cell& cell) {
  if (!is_explicit()) return Code::kInclude;
  while (column_ < columns_.size()) {
    const int order = CompareBytes(cell.qualifier, columns_[column_]);
    if (order == 0) return Code::kInclude;
    if (order < 0) return Code::kNextColumn;
    ++column_;
    count_ = 0;
  }
  return Code::kNextRow;
}

ColumnMatcher::Code ColumnMatcher::CheckVersion(const Cell& cell) {
  if (is_explicit()) {
    ++count_;
    if (count_ < versions_max_ && !(count_ >= min_versions_ && IsExpired(cell))) return Code::kInclude;
    ++column_;
    count_ = 0;
    return column_ < columns_.size() ? Code::kIncludeNextColumn : Code::kIncludeNextRow;
  }
  if (!any_column_ || cell.qualifier != current_) {
    any_column_ = true;
    current_ = cell.qualifier;
    count_ = 0;
  }
  ++count_;
  if (count_ > versions_max_) return Code::kNextColumn;
  return count_ <= min_versions_ || !IsExpired(cell) ? Code::kInclude : Code::kNextColumn;
}

ColumnMatcher::Code ColumnMatcher::Merge(const Cell& cell, Code code, FilterCode filtered) {
  switch (filtered) {
    case FilterCode::kSkip:
      if (code == Code::kInclude) return Code::kSkip;
      return code == Code::kIncludeNextColumn ? Code::kNextColumn : Code::kNextRow;
    case FilterCode::kNextColumn: return code == Code::kIncludeNextRow ? Code::kNextRow : NextColumnOrRow(cell);
    case FilterCode::kNextRow: return Code::kNextRow;
    case FilterCode::kSeekUsingHint: return Code::kHint;
    case FilterCode::kInclude: break;
    case FilterCode::kIncludeAndNextColumn:
      if (code == Code::kInclude) code = Code::kIncludeNextColumn;
      break;
    case FilterCode::kIncludeAndNextRow: code = Code::kIncludeNextRow; break;
  }
  if (!any_shown_ || shown_column_ != cell.qualifier) {
    any_shown_ = true;
    shown_column_ = cell.qualifier;
    shown_ = 0;
  }
  if (++shown_ > shown_max_) code = code == Code::kIncludeNextRow ? Code::kNextRow : Code::kNextColumn;
  if (code == Code::kIncludeNextColumn || code == Code::kNextColumn) DoneWithColumn(cell);
  return code;
}

ColumnMatcher::Code ColumnMatcher::Decide(const Bytes& row, const Cell& cell) {
  if (spec_.filter != nullptr && spec_.filter->AllRemaining()) return Code::kEnd;
  if (is_explicit() && column_ >= columns_.size()) return Code::kNextRow;
  if (min_versions_ <= 0 && IsExpired(cell)) return NextColumnOrRow(cell);
  const int order = time_range_.Compare(cell.timestamp);
  if (order > 0) return Code::kSkip;
  if (order < 0) return NextColumnOrRow(cell);
  Code code = CheckColumn(cell);
  if (code != Code::kInclude) return code;
  code = CheckVersion(cell);
  if (code == Code::kNextColumn || spec_.filter == nullptr) return code;
  return Merge(cell, code, spec_.filter->FilterCell(row, cell));
}

size_t ColumnMatcher::IndexOfHint(const Bytes& row, const std::vector<Cell>& stored, size_t at) {
  std::optional<FilterHint> hint = spec_.filter->NextHint(row, stored[at]);
  if (!hint) return at + 1;
  const int order = CompareBytes(hint->row, row);
  if (spec_.reversed ? order < 0 : order > 0) {
    seek_ = std::move(hint);
    return stored.size();
  }
  if (spec_.reversed) return at + 1;  // In a reversed read, HBase follows only hints to later rows.
  size_t next = at + 1;
  while (next < stored.size() && CompareHint(*hint, row, stored[next]) > 0) ++next;
  return next;
}

size_t ColumnMatcher::NextIndex(const Bytes& row, const std::vector<Cell>& stored, size_t at, Code code) {
  const Cell& cell = stored[at];
  switch (code) {
    case Code::kInclude:
    case Code::kSkip: return at + 1;
    case Code::kIncludeNextColumn:
    case Code::kNextColumn: {
      // For the column with the empty name, HBase does not skip the other versions. So filters see all of them.
      if (cell.qualifier.empty()) return at + 1;
      const Bytes qualifier = cell.qualifier;
      while (at < stored.size() && stored[at].qualifier == qualifier) ++at;
      return at;
    }
    case Code::kHint: return IndexOfHint(row, stored, at);
    case Code::kIncludeNextRow:
    case Code::kNextRow:
    case Code::kEnd: break;
  }
  return stored.size();
}

bool ColumnMatcher::Match(const Bytes& row, std::vector<Cell>& stored, std::vector<Cell>& chosen) {
  constexpr size_t kCellsPerLook = 16;
  int64_t in_row = 0;
  size_t seen = 0;
  for (size_t at = 0; at < stored.size();) {
    if (spec_.filter != nullptr && ++seen % kCellsPerLook == 0 && std::chrono::steady_clock::now() > deadline_) {
      too_slow_ = true;
      return false;
    }
    const Code code = Decide(row, stored[at]);
    if (code == Code::kEnd) return false;
    const size_t next = NextIndex(row, stored, at, code);
    const bool included = code == Code::kInclude || code == Code::kIncludeNextColumn || code == Code::kIncludeNextRow;
    if (included && ++in_row > spec_.store_offset) {
      Cell cell = std::move(stored[at]);
      if (spec_.filter != nullptr) spec_.filter->Transform(cell);
      chosen.push_back(std::move(cell));
      if (spec_.store_limit >= 0 && in_row >= int64_t{spec_.store_limit} + spec_.store_offset) return true;
    }
    at = next;
  }
  // As in HBase, the filter is asked once more, after the last cell of the row, whether all further rows are excluded.
  return spec_.filter == nullptr || !spec_.filter->AllRemaining();
}

}  // namespace widerow::hbase
