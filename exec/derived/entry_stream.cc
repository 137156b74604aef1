// A term is what an index is searched for: an indexed value, or a word of it, in stored form. TermStream reads the
// entries of one term; they are stored in the order in which they are returned. GatherStream reads the entries of
// ranges of terms. It reads all entries of the ranges and keeps the first ones in the order of base rows (Gather). When
// these are used up, it reads the ranges again for the next ones. AnyStream and AllStream combine other streams. Opener
// chooses the streams for a condition.

#include "exec/derived/entry_stream.h"

#include <algorithm>
#include <set>

#include "base/overloaded.h"
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

// Reads the entries of several terms, or of ranges of terms. The entries are stored in the order of terms, but are
// returned in the order of base rows. So the stream gathers the entries of the first base rows and returns them, then
// those of the next base rows. Memory is bounded for any number of entries.
class GatherStream final : public EntryStream {
 public:
  GatherStream(ReadView& view, std::vector<const BoundLookup*> lookups, EntryBounds bounds, int64_t now_seconds,
               uint64_t wanted)
      : view_(view),
        lookups_(std::move(lookups)),
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
    if (!at_.empty()) bounds_.begin = at_ + '\0';  // Continues after the last entry returned.
    gathered_.clear();
    bytes_ = 0;
    all_gathered_ = true;
    for (const BoundLookup* const lookup : lookups_) {
      WR_ASSIGN_OR_RETURN(const std::unique_ptr<RowCursor> cursor, view_.OpenSlice(SliceOf(*lookup, bounds_)));
      RowView row;
      term_.clear();
      WR_ASSIGN_OR_RETURN([[maybe_unused]] const bool more, cursor->ForEach(row, [&] {
        Take(row, *lookup);
        return true;
      }));
    }
    room_ = std::min(room_ * 4, kMost);
    return OkStatus();
  }

  void Take(const RowView& row, const BoundLookup& lookup) {
    const ByteView entry = row.clustering;
    if (entry < ByteView(bounds_.begin) || (bounds_.end && entry >= ByteView(*bounds_.end))) return;
    if (!row.marker.LiveAt(now_seconds_) || !Matches(row.partition_key, lookup)) return;
    // If an entry has been left out, all entries after the last kept one must be left out too, so that the gathered
    // entries have no gaps.
    if (!all_gathered_ && entry >= ByteView(*gathered_.rbegin())) return;
    if (!gathered_.emplace(entry).second) return;
    bytes_ += entry.size();
    while (gathered_.size() > room_ || (bytes_ > kBytesMost && gathered_.size() > 1)) {
      const auto last = std::prev(gathered_.end());
      bytes_ -= last->size();
      gathered_.erase(last);
      all_gathered_ = false;
    }
  }

  // Decodes each term once: entries of one term are adjacent.
  bool Matches(ByteView term, const BoundLookup& lookup) {
    if (!lookup.like) return true;
    if (term == term_) return term_matches_;
    term_.assign(term);
    const Result<Value> text = TakeComparable(*ScalarType(TypeKind::kText), false, term);
    term_matches_ = text.ok() && *text && LikePattern{lookup.like->first, lookup.like->second}.Matches(**text);
    return term_matches_;
  }

  ReadView& view_;
  const std::vector<const BoundLookup*> lookups_;
  EntryBounds bounds_;
  const int64_t now_seconds_;
  Bytes term_;
  bool term_matches_ = false;
  Bytes at_;  // The last entry returned.
  std::set<Bytes, std::less<>> gathered_;
  size_t bytes_ = 0;  // The size of gathered_.
  bool all_gathered_ = false;
  size_t room_;
};

// A stream and the first of its entries that has not been used.
struct Source {
  std::unique_ptr<EntryStream> stream;
  Bytes head;
  bool begun = false, ended = false;
  // Figures for AllStream. `steps` is the number of entries read; a seek counts as several. `excluded` is the number of
  // entries of other streams that were passed because this stream does not have them.
  uint64_t steps = 0, excluded = 0;

  Status Advance() {
    ByteView entry;
    begun = true;
    ++steps;
    WR_ASSIGN_OR_RETURN(const bool more, stream->Next(entry));
    ended = !more;
    head.assign(entry);
    return OkStatus();
  }
  // Moves to the first entry that is not before `target`. Nearby entries are reached step by step, because a seek costs
  // as much as several steps. Returns the number of entries from `first` on that it has passed, or a smaller number
  // after a seek.
  Result<uint64_t> AdvanceTo(const Bytes& target, const Bytes& first) {
    constexpr int kSteps = 8;
    uint64_t passed = 0;
    if (!begun) {
      if (!target.empty()) WR_RETURN_IF_ERROR(stream->Seek(target));
      WR_RETURN_IF_ERROR(Advance());
      return passed;
    }
    for (int i = 0; i < kSteps && !ended && head < target; ++i) {
      passed += head >= first ? 1 : 0;
      WR_RETURN_IF_ERROR(Advance());
    }
    if (ended || head >= target) return passed;
    WR_RETURN_IF_ERROR(stream->Seek(target));
    steps += kSteps;
    WR_RETURN_IF_ERROR(Advance());
    return passed + 1;
  }
  // True if it costs less to read the rows that the stream excludes than to read the stream. Always false before the
  // stream has taken kStepsBefore steps.
  bool Wasteful() const {
    constexpr uint64_t kStepsBefore = 256, kStepsOfRow = 10;
    return steps >= kStepsBefore && steps > excluded * kStepsOfRow;
  }
};

// A stream that combines other streams.
class CombinedStream : public EntryStream {
 public:
  explicit CombinedStream(std::vector<std::unique_ptr<EntryStream>> streams) {
    for (auto& stream : streams) sources_.push_back({.stream = std::move(stream)});
  }
  Status Seek(Bytes begin) override {
    next_ = std::move(begin);
    return OkStatus();
  }

 protected:
  // Sets `entry` to `found`, which is the entry that Next returns.
  void Return(const Bytes& found, ByteView& entry) {
    at_ = found;
    next_ = found + '\0';
    entry = at_;
  }

  std::vector<Source> sources_;
  Bytes at_, next_;  // The last entry returned; the least entry that may be returned next.
};

// Returns the entries that at least one of several streams has.
class AnyStream final : public CombinedStream {
 public:
  using CombinedStream::CombinedStream;

  Result<bool> Next(ByteView& entry) override {
    const Source* first = nullptr;
    for (Source& source : sources_) {
      WR_RETURN_IF_ERROR(source.AdvanceTo(next_, next_));
      if (!source.ended && (first == nullptr || source.head < first->head)) first = &source;
    }
    if (first == nullptr) return false;
    Return(first->head, entry);
    return true;
  }
};

// Returns the entries that all of several streams have: a leapfrog join (Veldhuizen, "Leapfrog Triejoin", 2014). A
// stream that excludes too few entries is dropped after a while. From then on, entries are also returned if the dropped
// stream does not have them, and the filter of the statement excludes their rows. The last stream is never dropped.
class AllStream final : public CombinedStream {
 public:
  using CombinedStream::CombinedStream;

  Result<bool> Next(ByteView& entry) override {
    for (size_t i = sources_.size(); i-- > 0 && sources_.size() > 1;) {
      if (sources_[i].Wasteful()) sources_.erase(sources_.begin() + static_cast<ptrdiff_t>(i));
    }
    const Bytes first = next_;
    size_t agreed = 0;           // The number of consecutive sources whose head is next_.
    Source* excluder = nullptr;  // The source that does not have the entries between `first` and next_.
    for (size_t i = 0; agreed < sources_.size(); i = (i + 1) % sources_.size()) {
      Source& source = sources_[i];
      WR_ASSIGN_OR_RETURN(const uint64_t passed, source.AdvanceTo(next_, first));
      if (excluder != nullptr) excluder->excluded += passed;
      if (source.ended) return false;
      const bool agrees = source.head == next_;
      if (!agrees) excluder = &source;
      agreed = agrees ? agreed + 1 : 1;
      next_ = source.head;
    }
    Return(Bytes(next_), entry);
    return true;
  }
};

// Opens the streams of one read.
class Opener {
 public:
  Opener(ReadView& view, EntryBounds bounds, int64_t now_seconds, uint64_t wanted)
      : view_(view), bounds_(std::move(bounds)), now_seconds_(now_seconds), wanted_(wanted) {}

  std::unique_ptr<EntryStream> Open(const BoundIndexCondition& condition) const {
    return std::visit([&](const auto& node) { return Open(node); }, condition.node);
  }

 private:
  // Each stream has a cursor of its own. If there are more single terms than this, one GatherStream reads them all.
  static constexpr size_t kMergedMax = 64;

  std::unique_ptr<EntryStream> Open(const BoundLookup& lookup) const {
    if (lookup.one) return std::make_unique<TermStream>(view_, lookup, bounds_, now_seconds_);
    return Gather({&lookup});
  }
  // If an All has a range of terms and other parts, the range is left to the filter of the statement: gathering its
  // entries costs more than testing the rows of the other parts.
  std::unique_ptr<EntryStream> Open(const BoundIndexCondition::All& all) const {
    std::vector<std::unique_ptr<EntryStream>> streams;
    for (const BoundIndexCondition& part : all.parts) {
      if (!IsGathered(part)) streams.push_back(Open(part));
    }
    if (streams.empty()) return Open(all.parts[0]);
    if (streams.size() == 1) return std::move(streams[0]);
    return std::make_unique<AllStream>(std::move(streams));
  }
  std::unique_ptr<EntryStream> Open(const BoundIndexCondition::Any& any) const {
    std::vector<const BoundLookup*> terms, gathered;
    std::vector<std::unique_ptr<EntryStream>> streams;
    Divide(any, terms, gathered, streams);
    if (terms.size() > kMergedMax) gathered.insert(gathered.end(), terms.begin(), terms.end());
    for (size_t i = 0; terms.size() <= kMergedMax && i < terms.size(); ++i) streams.push_back(Open(*terms[i]));
    if (!gathered.empty()) streams.push_back(Gather(std::move(gathered)));
    if (streams.size() == 1) return std::move(streams[0]);
    return std::make_unique<AnyStream>(std::move(streams));
  }
  void Divide(const BoundIndexCondition::Any& any, std::vector<const BoundLookup*>& terms,
              std::vector<const BoundLookup*>& gathered, std::vector<std::unique_ptr<EntryStream>>& streams) const {
    for (const BoundIndexCondition& part : any.parts) {
      std::visit(Overloaded{
                     [&](const BoundLookup& lookup) { (lookup.one ? terms : gathered).push_back(&lookup); },
                     [&](const BoundIndexCondition::Any& inner) { Divide(inner, terms, gathered, streams); },
                     [&](const BoundIndexCondition::All& inner) { streams.push_back(Open(inner)); },
                 },
                 part.node);
    }
  }
  std::unique_ptr<EntryStream> Gather(std::vector<const BoundLookup*> lookups) const {
    return std::make_unique<GatherStream>(view_, std::move(lookups), bounds_, now_seconds_, wanted_);
  }

  ReadView& view_;
  const EntryBounds bounds_;
  const int64_t now_seconds_;
  const uint64_t wanted_;
};

}  // namespace

std::unique_ptr<EntryStream> OpenEntries(ReadView& view, const BoundIndexCondition& condition, EntryBounds bounds,
                                         int64_t now_seconds, uint64_t wanted) {
  return Opener(view, std::move(bounds), now_seconds, wanted).Open(condition);
}

bool IsGathered(const BoundIndexCondition& condition) {
  return std::visit(Overloaded{
                        [](const BoundLookup& lookup) { return !lookup.one; },
                        [](const BoundIndexCondition::All& all) { return std::ranges::all_of(all.parts, IsGathered); },
                        [](const BoundIndexCondition::Any& any) { return std::ranges::any_of(any.parts, IsGathered); },
                    },
                    condition.node);
}

Result<uint64_t> CountEntries(ReadView& view, const BoundIndexCondition& condition, const EntryBounds& bounds,
                              uint64_t most) {
  if (most == 0) return uint64_t{0};
  return std::visit(Overloaded{
                        [&](const BoundLookup& lookup) -> Result<uint64_t> {
                          WR_ASSIGN_OR_RETURN(const auto cursor, view.OpenSlice(SliceOf(lookup, bounds)));
                          RowView row;
                          uint64_t count = 0;
                          WR_ASSIGN_OR_RETURN([[maybe_unused]] const bool more,
                                              cursor->ForEach(row, [&] { return ++count < most; }));
                          return count;
                        },
                        [&](const BoundIndexCondition::All& all) -> Result<uint64_t> {
                          uint64_t least = most;
                          for (const BoundIndexCondition& part : all.parts) {
                            WR_ASSIGN_OR_RETURN(least, CountEntries(view, part, bounds, least));
                          }
                          return least;
                        },
                        [&](const BoundIndexCondition::Any& any) -> Result<uint64_t> {
                          uint64_t sum = 0;
                          for (const BoundIndexCondition& part : any.parts) {
                            WR_ASSIGN_OR_RETURN(const uint64_t count, CountEntries(view, part, bounds, most - sum));
                            sum += count;
                          }
                          return sum;
                        },
                    },
                    condition.node);
}

}  // namespace widerow
