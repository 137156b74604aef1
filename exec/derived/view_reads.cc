#include "exec/derived/view_reads.h"

#include "base/check.h"
#include "exec/rows/scanned_row.h"

namespace widerow {
namespace {

class ViewReads;

class ViewCursor final : public RowCursor {
 public:
  ViewCursor(std::unique_ptr<RowCursor> entries, ViewReads& reads) : entries_(std::move(entries)), reads_(reads) {}

  Result<bool> Next(RowView& row) override;
  Status SkipPartition() override { return entries_->SkipPartition(); }

 private:
  const std::unique_ptr<RowCursor> entries_;
  ViewReads& reads_;
  RowView entry_;
  Arena room_;  // Memory of the row returned.
};

class ViewReads final : public ReadView {
 public:
  ViewReads(std::unique_ptr<ReadView> stored, TablePtr view, TablePtr base, int64_t now_seconds)
      : stored_(std::move(stored)),
        view_(std::move(view)),
        base_(std::move(base)),
        keys_(*base_, *view_),
        layout_(*base_),
        base_row_(layout_, now_seconds),
        now_seconds_(now_seconds) {}

  Result<std::unique_ptr<RowCursor>> OpenSlice(const Slice& slice) override {
    WR_CHECK(slice.table->id == view_->id);
    Slice of_entries = slice;
    of_entries.shows_dead = false;
    WR_ASSIGN_OR_RETURN(std::unique_ptr<RowCursor> entries, stored_->OpenSlice(of_entries));
    return std::unique_ptr<RowCursor>(std::make_unique<ViewCursor>(std::move(entries), *this));
  }
  Result<bool> GetRow(const TableSchema& table, ByteView partition_key, ByteView clustering, RowView& row) override {
    WR_CHECK(table.id == view_->id);
    RowView entry;
    WR_ASSIGN_OR_RETURN(const bool found, stored_->GetRow(*view_, partition_key, clustering, entry));
    if (!found) return false;
    entry.partition_key = partition_key;
    entry.clustering = clustering;
    return Show(entry, room_, row);
  }
  Result<bool> GetStaticRow(const TableSchema&, ByteView, RowView&) override { return false; }
  Result<int64_t> NewestTimestamp(const TableSchema& table, ByteView partition_key, bool is_static,
                                  ByteView clustering) override {
    return stored_->NewestTimestamp(table, partition_key, is_static, clustering);
  }

  Result<std::unique_ptr<ReadView>> OpenSame() override {
    WR_ASSIGN_OR_RETURN(std::unique_ptr<ReadView> same, stored_->OpenSame());
    if (same == nullptr) return same;
    return std::unique_ptr<ReadView>(std::make_unique<ViewReads>(std::move(same), view_, base_, now_seconds_));
  }
  Result<uint64_t> PinnedBytes() const override { return stored_->PinnedBytes(); }

  // Reads the base row that `entry` names and shows it under the view's key. `row` borrows from `entry`, `room` and the
  // view. False if the base row does not exist or does not match.
  Result<bool> Show(const RowView& entry, Arena& room, RowView& row) {
    if (!entry.marker.LiveAt(now_seconds_)) return false;
    WR_RETURN_IF_ERROR(keys_.BaseKeyOf(entry, key_));
    WR_ASSIGN_OR_RETURN(const bool found, stored_->GetRowInto(room, *base_, key_.partition_key, key_.clustering, row));
    if (!found) return false;
    base_row_.Reset(key_.partition_key, &row, nullptr);
    if (!base_row_.RowLive()) return false;
    if (keys_.added()) {
      WR_ASSIGN_OR_RETURN(const ValueView value, base_row_.Column(*keys_.added()));
      if (!value || *value != key_.added) return false;
    }
    row.partition_key = entry.partition_key;
    row.is_static = false;
    row.clustering = entry.clustering;
    row.kept_clustering = entry.kept_clustering;
    // The row is live, even if none of the view's columns has a value.
    row.marker = {.timestamp = row.marker.present() ? row.marker.timestamp : 0};
    return true;
  }

 private:
  const std::unique_ptr<ReadView> stored_;
  const TablePtr view_, base_;
  const ViewKeys keys_;
  const RowLayout layout_;
  ScannedRow base_row_;
  const int64_t now_seconds_;
  ViewKeys::BaseKey key_;
  Arena room_;  // Memory of rows read by their keys.
};

Result<bool> ViewCursor::Next(RowView& row) {
  while (true) {
    WR_ASSIGN_OR_RETURN(const bool more, entries_->Next(entry_));
    if (!more) return false;
    room_.Clear();
    WR_ASSIGN_OR_RETURN(const bool shown, reads_.Show(entry_, room_, row));
    if (shown) return true;
  }
}

}  // namespace

std::unique_ptr<ReadView> ViewOfPlan(const Plan& plan, std::unique_ptr<ReadView> stored, int64_t now_seconds) {
  if (plan.tables[0]->view == nullptr) return stored;
  // planner/statement/plan_statement.cc puts the view and its table into `tables`.
  WR_CHECK(plan.tables.size() == 2 && plan.tables[1] != nullptr);
  return std::make_unique<ViewReads>(std::move(stored), plan.tables[0], plan.tables[1], now_seconds);
}

}  // namespace widerow
