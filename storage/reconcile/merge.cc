#include "storage/reconcile/merge.h"

#include <algorithm>

namespace widerow {
namespace {

// Merges the cells of two fragments. Each list is in the order of (column, path) and has no duplicates.
template <typename BytesType>
std::vector<BasicCell<BytesType>> MergeCells(const TableColumns& columns, std::vector<BasicCell<BytesType>> a,
                                             std::vector<BasicCell<BytesType>> b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  std::vector<BasicCell<BytesType>> out;
  out.reserve(a.size() + b.size());
  auto left = a.begin(), right = b.begin();
  while (left != a.end() && right != b.end()) {
    int order = left->column < right->column ? -1 : left->column > right->column ? 1 : 0;
    if (order == 0) order = columns.ComparePaths(left->column, left->path, right->path);
    if (order < 0) {
      out.push_back(std::move(*left++));
    } else if (order > 0) {
      out.push_back(std::move(*right++));
    } else {
      out.push_back(std::move(CellWins(*right, *left) ? *right : *left));
      ++left, ++right;
    }
  }
  std::move(left, a.end(), std::back_inserter(out));
  std::move(right, b.end(), std::back_inserter(out));
  return out;
}

std::vector<ColumnDeletion> MergeDeletions(std::vector<ColumnDeletion> a, const std::vector<ColumnDeletion>& b) {
  for (const ColumnDeletion& other : b) {
    const auto at = std::lower_bound(a.begin(), a.end(), other.column,
                                     [](const ColumnDeletion& d, ColumnId column) { return d.column < column; });
    if (at != a.end() && at->column == other.column) {
      at->deletion = Newer(at->deletion, other.deletion);
    } else {
      a.insert(at, other);
    }
  }
  return a;
}

}  // namespace

DeletionTime Newer(const DeletionTime& a, const DeletionTime& b) {
  if (a.timestamp != b.timestamp) return a.timestamp > b.timestamp ? a : b;
  return a.local_seconds >= b.local_seconds ? a : b;
}

Liveness Newer(const Liveness& a, const Liveness& b) {
  if (a.timestamp != b.timestamp) return a.timestamp > b.timestamp ? a : b;
  if ((a.ttl != 0) != (b.ttl != 0)) return a.ttl != 0 ? a : b;
  if (a.expires_at != b.expires_at) return a.expires_at > b.expires_at ? a : b;
  return a.ttl <= b.ttl ? a : b;
}

template <typename BytesType>
BasicRowFragment<BytesType> MergeRows(const TableColumns& columns, BasicRowFragment<BytesType> a,
                                      BasicRowFragment<BytesType> b) {
  BasicRowFragment<BytesType> out;
  out.marker = Newer(a.marker, b.marker);
  out.deletion = Newer(a.deletion, b.deletion);
  out.column_deletions = MergeDeletions(std::move(a.column_deletions), b.column_deletions);
  out.cells = MergeCells(columns, std::move(a.cells), std::move(b.cells));
  // The original clustering bytes of the newer row are kept; the markers show which row is newer.
  const bool keep_a =
      b.kept_clustering.empty() || (!a.kept_clustering.empty() && a.marker.timestamp > b.marker.timestamp);
  out.kept_clustering = std::move(keep_a ? a.kept_clustering : b.kept_clustering);
  ApplyDeletion(out, {});
  return out;
}

template <typename BytesType>
void ApplyDeletion(BasicRowFragment<BytesType>& row, const DeletionTime& covering) {
  if (covering.Deletes(row.deletion.timestamp)) row.deletion = {};
  const DeletionTime deletion = Newer(row.deletion, covering);
  if (deletion.Deletes(row.marker.timestamp)) row.marker = {};
  if (deletion.present()) {
    std::erase_if(row.column_deletions,
                  [&](const ColumnDeletion& column) { return deletion.Deletes(column.deletion.timestamp); });
  }
  if (!deletion.present() && row.column_deletions.empty()) return;
  auto column = row.column_deletions.begin();
  std::erase_if(row.cells, [&](const BasicCell<BytesType>& cell) {
    if (deletion.Deletes(cell.timestamp)) return true;
    while (column != row.column_deletions.end() && column->column < cell.column) ++column;
    return column != row.column_deletions.end() && column->column == cell.column &&
           column->deletion.Deletes(cell.timestamp);
  });
}

void DropPurgeable(RowFragment& row, const PurgeTimes& times) {
  if (row.deletion.present() && times.IsDue(row.deletion.local_seconds)) row.deletion = {};
  if (row.marker.ttl != 0 && times.IsDue(times.SinceOf(row.marker))) row.marker = {};
  std::erase_if(row.column_deletions,
                [&](const ColumnDeletion& column) { return times.IsDue(column.deletion.local_seconds); });
  std::erase_if(row.cells,
                [&](const Cell& cell) { return cell.expires_or_deletes() && times.IsDue(times.SinceOf(cell)); });
}

std::optional<int64_t> EarliestSince(const RowFragment& row, const PurgeTimes& times) {
  constexpr int64_t kNone = std::numeric_limits<int64_t>::max();
  int64_t earliest = kNone;
  if (row.deletion.present()) earliest = std::min(earliest, row.deletion.local_seconds);
  if (row.marker.ttl != 0) earliest = std::min(earliest, times.SinceOf(row.marker));
  for (const ColumnDeletion& column : row.column_deletions)
    earliest = std::min(earliest, column.deletion.local_seconds);
  for (const Cell& cell : row.cells) {
    if (cell.expires_or_deletes()) earliest = std::min(earliest, times.SinceOf(cell));
  }
  return earliest == kNone ? std::nullopt : std::optional(earliest);
}

bool IsEmpty(const RowFragment& row) {
  return !row.marker.present() && !row.deletion.present() && row.column_deletions.empty() && row.cells.empty();
}

template RowFragment MergeRows(const TableColumns&, RowFragment, RowFragment);
template RowFragmentView MergeRows(const TableColumns&, RowFragmentView, RowFragmentView);
template void ApplyDeletion(RowFragment&, const DeletionTime&);
template void ApplyDeletion(RowFragmentView&, const DeletionTime&);

}  // namespace widerow
