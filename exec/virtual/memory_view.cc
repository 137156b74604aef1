#include "exec/virtual/memory_view.h"

#include <algorithm>
#include <tuple>

#include "planner/access/partition_key.h"

namespace widerow {

namespace {

auto KeyOf(const MemoryRow& row) { return std::tie(row.token, row.partition_key, row.clustering); }

void Show(const MemoryRow& from, RowView& row) {
  row.partition_key = from.partition_key;
  row.is_static = false;
  row.clustering = from.clustering;
  row.marker = {.timestamp = 0};
  row.kept_clustering.clear();
  row.uniform = false;
  row.cells.clear();
  for (const Cell& cell : from.cells) {
    row.cells.push_back({.column = cell.column, .path = cell.path, .timestamp = cell.timestamp, .value = cell.value});
  }
}

bool InRanges(const std::vector<ClusteringRange>& ranges, const Bytes& clustering) {
  if (ranges.empty()) return true;
  return std::any_of(ranges.begin(), ranges.end(), [&](const ClusteringRange& range) {
    if (range.exact) return clustering == range.begin;
    return clustering >= range.begin && (!range.end || clustering < *range.end);
  });
}

class MemoryCursor final : public RowCursor {
 public:
  explicit MemoryCursor(std::vector<MemoryRow> rows) : rows_(std::move(rows)) {}

  Result<bool> Next(RowView& row) override {
    if (next_ == rows_.size()) return false;
    Show(rows_[next_++], row);
    return true;
  }
  Status SkipPartition() override {
    if (next_ == 0) return OkStatus();
    const Bytes& current = rows_[next_ - 1].partition_key;
    while (next_ < rows_.size() && rows_[next_].partition_key == current) ++next_;
    return OkStatus();
  }

 private:
  std::vector<MemoryRow> rows_;
  size_t next_ = 0;
};

class MemoryView final : public ReadView {
 public:
  explicit MemoryView(RowMaker make_rows) : make_rows_(std::move(make_rows)) {}

  Result<std::unique_ptr<RowCursor>> OpenSlice(const Slice& slice) override {
    const auto* const one = std::get_if<Slice::OnePartition>(&slice.partitions);
    std::vector<MemoryRow> rows = make_rows_(one == nullptr ? nullptr : &one->partition_key, slice.clustering);
    std::erase_if(rows, [&](const MemoryRow& row) { return !Selected(slice, row); });
    std::sort(rows.begin(), rows.end(), [](const MemoryRow& a, const MemoryRow& b) { return KeyOf(a) < KeyOf(b); });
    if (slice.direction == Direction::kBackward) ReverseInPartitions(rows);
    if (slice.resume) DropUpTo(slice, rows);
    return std::unique_ptr<RowCursor>(std::make_unique<MemoryCursor>(std::move(rows)));
  }

  Result<bool> GetRow(const TableSchema&, ByteView partition_key, ByteView clustering, RowView& row) override {
    const Bytes key(partition_key);
    for (MemoryRow& candidate : make_rows_(&key, {{.begin = Bytes(clustering), .end = {}, .exact = true}})) {
      if (candidate.partition_key != partition_key || candidate.clustering != clustering) continue;
      Show(*lent_.emplace_back(std::make_unique<MemoryRow>(std::move(candidate))), row);
      return true;
    }
    return false;
  }
  Result<bool> GetStaticRow(const TableSchema&, ByteView, RowView&) override { return false; }
  Result<int64_t> NewestTimestamp(const TableSchema&, ByteView, bool, ByteView) override { return kNoTimestamp; }

 private:
  static bool Selected(const Slice& slice, const MemoryRow& row) {
    if (const auto* one = std::get_if<Slice::OnePartition>(&slice.partitions)) {
      if (row.partition_key != one->partition_key) return false;
    } else {
      const auto& tokens = std::get<Slice::TokenRange>(slice.partitions);
      if (row.token < tokens.first || row.token > tokens.last) return false;
    }
    return slice.want_rows && InRanges(slice.clustering, row.clustering);
  }

  static void ReverseInPartitions(std::vector<MemoryRow>& rows) {
    for (auto begin = rows.begin(); begin != rows.end();) {
      const auto end = std::find_if(begin, rows.end(),
                                    [&](const MemoryRow& row) { return row.partition_key != begin->partition_key; });
      std::reverse(begin, end);
      begin = end;
    }
  }

  // Drops the rows up to the resume point, where an earlier page stopped. Since then, the row at this point may have
  // gone, and rows before it may have been added.
  static void DropUpTo(const Slice& slice, std::vector<MemoryRow>& rows) {
    const Slice::ResumePoint& at = *slice.resume;
    const bool forward = slice.direction == Direction::kForward;
    const int64_t token = TokenOfStoredKey(*slice.table, at.partition_key);
    std::erase_if(rows, [&](const MemoryRow& row) {
      if (row.partition_key != at.partition_key)
        return std::tie(row.token, row.partition_key) < std::tie(token, at.partition_key);
      if (at.partition_done) return true;
      return !at.after_static && (forward ? row.clustering <= at.clustering : row.clustering >= at.clustering);
    });
  }

  const RowMaker make_rows_;
  std::vector<std::unique_ptr<MemoryRow>> lent_;  // Rows returned by GetRow: valid as long as the view.
};

}  // namespace

std::unique_ptr<ReadView> MakeMemoryView(RowMaker make_rows) {
  return std::make_unique<MemoryView>(std::move(make_rows));
}

}  // namespace widerow
