// The cursor reads entries from an EntryStream, converts each to the place of its base row, and reads that row by its
// key. If whole partitions are wanted, it opens a slice of each partition instead.

#include "exec/derived/index_cursor.h"

#include "base/check.h"
#include "exec/derived/entry_stream.h"
#include "exec/derived/index_entries.h"
#include "storage/format/key_codec.h"

namespace widerow {
namespace {

class IndexCursor final : public RowCursor {
 public:
  IndexCursor(ReadView& view, const Slice& slice, bool whole_partitions, std::unique_ptr<EntryStream> entries)
      : view_(view),
        table_(slice.table),
        want_statics_(slice.want_statics),
        whole_partitions_(whole_partitions),
        entries_(std::move(entries)) {}

  // Continues after the place where an earlier cursor stopped.
  Status Resume(const Slice::ResumePoint& at) {
    partition_ = at.partition_key;
    has_partition_ = true;
    if (at.partition_done) return SkipPartition();
    if (whole_partitions_) return OpenPartition(at);
    Bytes begin = EntryClustering(*table_, at.partition_key, at.after_static, at.clustering);
    begin.push_back('\0');
    return entries_->Seek(std::move(begin));
  }

  Result<bool> Next(RowView& row) override {
    while (true) {
      if (rows_ != nullptr) {
        WR_ASSIGN_OR_RETURN(const bool more, rows_->Next(row));
        if (more) return true;
        WR_RETURN_IF_ERROR(SkipPartition());
      }
      if (!pending_) {
        ByteView entry;
        WR_ASSIGN_OR_RETURN(const bool more, entries_->Next(entry));
        if (!more) return false;
        if (!TakeEntryPlace(entry, place_))
          return ServerError("Damaged index of " + table_->keyspace + "." + table_->name);
      }
      const bool new_partition = !has_partition_ || place_.partition_key != partition_;
      if (new_partition) {
        partition_ = place_.partition_key;
        has_partition_ = true;
        if (whole_partitions_) {
          WR_RETURN_IF_ERROR(OpenPartition({}));
          continue;
        }
        if (want_statics_) {
          pending_ = true;  // The entry's own row comes after the static row.
          room_.Clear();
          WR_ASSIGN_OR_RETURN(const bool found, view_.GetStaticRowInto(room_, *table_, partition_, row));
          if (found) return true;
        }
      }
      pending_ = false;
      room_.Clear();
      WR_ASSIGN_OR_RETURN(const bool found, view_.GetRowInto(room_, *table_, partition_, place_.clustering, row));
      if (found) return true;
    }
  }

  Status SkipPartition() override {
    rows_.reset();
    pending_ = false;
    if (!has_partition_) return OkStatus();
    ClusteringRange range = EntriesOfPartition(*table_, partition_);
    WR_CHECK(range.end.has_value());  // A partition's prefix has bytes other than 0xFF, so the range has an end.
    return entries_->Seek(std::move(*range.end));
  }

 private:
  Status OpenPartition(std::optional<Slice::ResumePoint> resume) {
    Slice slice;
    slice.table = table_;
    slice.partitions = Slice::OnePartition{partition_};
    slice.want_statics = want_statics_;
    slice.resume = std::move(resume);
    WR_ASSIGN_OR_RETURN(rows_, view_.OpenSlice(slice));
    return OkStatus();
  }

  ReadView& view_;
  const TablePtr table_;
  const bool want_statics_, whole_partitions_;
  const std::unique_ptr<EntryStream> entries_;
  EntryPlace place_;
  bool pending_ = false;  // The row at place_ has not been read yet.
  bool has_partition_ = false;
  Bytes partition_;
  Arena room_;                       // Memory of the row returned.
  std::unique_ptr<RowCursor> rows_;  // The rows of partition_, if whole partitions are wanted.
};

}  // namespace

EntryBounds EntriesOfTokens(const TableSchema& base, const Slice::TokenRange& tokens) {
  EntryBounds bounds;
  if (!base.partitioning.by_token()) return bounds;
  bounds.begin = PositionOfToken(tokens.first);
  if (tokens.last != std::numeric_limits<int64_t>::max()) bounds.end = PositionOfToken(tokens.last + 1);
  return bounds;
}

Result<std::unique_ptr<RowCursor>> OpenIndexCursor(ReadView& view, const Slice& slice,
                                                   const BoundIndexCondition& condition, EntryBounds bounds,
                                                   int64_t now_seconds, uint64_t wanted) {
  auto entries = OpenEntries(view, condition, std::move(bounds), now_seconds, wanted);
  const auto* const lookup = std::get_if<BoundLookup>(&condition.node);
  const bool whole_partitions = lookup != nullptr && lookup->whole_partitions;
  auto cursor = std::make_unique<IndexCursor>(view, slice, whole_partitions, std::move(entries));
  if (slice.resume) WR_RETURN_IF_ERROR(cursor->Resume(*slice.resume));
  return std::unique_ptr<RowCursor>(std::move(cursor));
}

}  // namespace widerow
