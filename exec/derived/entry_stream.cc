// A term is what an index is searched for: an indexed value, or a word of it, in stored form. TermStream reads the
// entries of one term; they are stored in the order in which they are returned. RangeStream reads the entries of
// several terms. It reads all entries of the range and keeps the first ones in the order of base rows (Gather). When
// these are used up, it reads the range again for the next ones.

#include "exec/derived/entry_stream.h"

#include <algorithm>
#include <set>

#include "types/order_codec.h"

namespace widerow {
namespace {

Slice SliceOf(const BoundLookup& lookup, const EntryBounds& bounds) {
  Slice slice;
  slice.table = lookup.entries;
  if (lookup.one) {
    slice.partitions = Slice::OnePartition{lookup.first};
    slice.clustering = {{.begin = bounds.begin, .end = bounds.end}};
  } else {
    slice.partitions = Slice::KeyRange{lookup.first, lookup.end};
  }
  return slice;
}

// Reads the entries of one term; they are stored in order.
class TermStream final : public EntryStream {
 public:
  TermStream(ReadView& view, const BoundLookup& lookup, EntryBounds bounds, int64_t now_seconds)
      : view_(view), lookup_(lookup), bounds_(std::move(bounds)), now_seconds_(now_seconds) {}

  Result<bool> Next(ByteView& entry) override {
    if (cursor_ == nullptr) { WR_ASSIGN_OR_RETURN(cursor_, view_.OpenSlice(SliceOf(lookup_, bounds_))); }
    while (true) {
      WR_ASSIGN_OR_RETURN(const bool more, cursor_->Next(row_));
      if (!more) return false;
      if (!row_.marker.LiveAt(now_seconds_)) continue;
      entry = row_.clustering;
      return true;
    }
  }
  Status Seek(Bytes begin) override {
    bounds_.begin = std::move(begin);
    cursor_.reset();
    return OkStatus();
  }

 private:
  ReadView& view_;
  const BoundLookup& lookup_;
  EntryBounds bounds_;
  const int64_t now_seconds_;
  std::unique_ptr<RowCursor> cursor_;
  RowView row_;
};

// Reads the entries of several terms. They are stored in the order of terms, but are returned in the order of base
// rows. So the first entries in that order are gathered and returned, then the next ones. Memory is bounded for a range
// of any size.
class RangeStream final : public EntryStream {
 public:
  RangeStream(ReadView& view, const BoundLookup& lookup, EntryBounds bounds, int64_t now_seconds, uint64_t wanted)
      : view_(view),
        lookup_(lookup),
        bounds_(std::move(bounds)),
        now_seconds_(now_seconds),
        room_(std::clamp<uint64_t>(wanted, kFirst, kMost)) {}

  Result<bool> Next(ByteView& entry) override {
    if (!at_.empty() || !gathered_.empty()) {
      if (!gathered_.empty()) {
        at_ = std::move(gathered_.extract(gathered_.begin()).value());
        entry = at_;
        return true;
      }
      if (all_gathered_) return false;
    }
    WR_RETURN_IF_ERROR(Gather());
    if (gathered_.empty()) return false;
    at_ = std::move(gathered_.extract(gathered_.begin()).value());
    entry = at_;
    return true;
  }
  Status Seek(Bytes begin) override {
    gathered_.erase(gathered_.begin(), gathered_.lower_bound(begin));
    if (gathered_.empty() && !all_gathered_) at_.clear();
    bounds_.begin = std::max(bounds_.begin, begin);
    return OkStatus();
  }

 private:
  static constexpr size_t kFirst = 1'024, kMost = 65'536, kBytesMost = 16u << 20;

  Status Gather() {
    if (!at_.empty()) bounds_.begin = at_ + '\0';  // After the last entry returned.
    gathered_.clear();
    all_gathered_ = true;
    WR_ASSIGN_OR_RETURN(const std::unique_ptr<RowCursor> cursor, view_.OpenSlice(SliceOf(lookup_, bounds_)));
    RowView row;
    size_t bytes = 0;
    const auto take = [&] {
      const ByteView entry = row.clustering;
      if (entry < ByteView(bounds_.begin) || (bounds_.end && entry >= ByteView(*bounds_.end))) return true;
      if (!row.marker.LiveAt(now_seconds_) || !Matches(row.partition_key)) return true;
      // If an entry has been left out, all entries after the last kept one must be left out too, so that the gathered
      // entries have no gaps.
      if (!all_gathered_ && entry >= ByteView(*gathered_.rbegin())) return true;
      if (!gathered_.emplace(entry).second) return true;
      bytes += entry.size();
      while (gathered_.size() > room_ || (bytes > kBytesMost && gathered_.size() > 1)) {
        const auto last = std::prev(gathered_.end());
        bytes -= last->size();
        gathered_.erase(last);
        all_gathered_ = false;
      }
      return true;
    };
    WR_ASSIGN_OR_RETURN([[maybe_unused]] const bool more, cursor->ForEach(row, take));
    room_ = std::min(room_ * 4, kMost);
    return OkStatus();
  }

  // Decodes each term once: entries of one term are adjacent.
  bool Matches(ByteView term) {
    if (!lookup_.like) return true;
    if (term == term_) return term_matches_;
    term_.assign(term);
    const Result<Value> text = TakeComparable(*ScalarType(TypeKind::kText), false, term);
    term_matches_ = text.ok() && *text && LikePattern{lookup_.like->first, lookup_.like->second}.Matches(**text);
    return term_matches_;
  }

  ReadView& view_;
  const BoundLookup& lookup_;
  EntryBounds bounds_;
  const int64_t now_seconds_;
  Bytes term_;
  bool term_matches_ = false;
  Bytes at_;  // The last entry returned.
  std::set<Bytes, std::less<>> gathered_;
  bool all_gathered_ = false;
  size_t room_;
};

}  // namespace

Result<std::unique_ptr<EntryStream>> OpenEntries(ReadView& view, const BoundLookup& lookup, EntryBounds bounds,
                                                 int64_t now_seconds, uint64_t wanted) {
  std::unique_ptr<EntryStream> stream;
  if (lookup.one) {
    stream = std::make_unique<TermStream>(view, lookup, std::move(bounds), now_seconds);
  } else {
    stream = std::make_unique<RangeStream>(view, lookup, std::move(bounds), now_seconds, wanted);
  }
  return stream;
}

Result<uint64_t> CountEntries(ReadView& view, const BoundLookup& lookup, const EntryBounds& bounds, uint64_t most) {
  WR_ASSIGN_OR_RETURN(const std::unique_ptr<RowCursor> cursor, view.OpenSlice(SliceOf(lookup, bounds)));
  RowView row;
  uint64_t count = 0;
  if (most == 0) return count;
  WR_ASSIGN_OR_RETURN([[maybe_unused]] const bool more, cursor->ForEach(row, [&] { return ++count < most; }));
  return count;
}

}  // namespace widerow
