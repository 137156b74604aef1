// A PlaceSource returns the places of rows in order. IndexWalk and GatheredPlaces are for rows with a value in the
// indexed column, and NullPlaces is for rows without one. The cursor reads the row of each place and checks that the
// row still has the value of the place, because an entry of an index may be outdated.
#include "exec/derived/ordered_cursor.h"

#include <algorithm>
#include <set>

#include "base/bytes_map.h"
#include "exec/derived/entry_stream.h"
#include "exec/derived/index_entries.h"

namespace widerow {
namespace {

// Returns the term of the row's value; nullopt if it has none.
Result<std::optional<Bytes>> TermOf(const BoundOrder& order, const TableSchema& base, RowView& row,
                                    int64_t now_seconds) {
  row.ExpandUniform();
  DerivedRows derived;
  const BaseRow of{.table = base, .partition_key = row.partition_key, .clustering = row.clustering, .row = &row};
  WR_RETURN_IF_ERROR(order.index->KeysOf(of, derived));
  for (DerivedRow& entry : derived.rows) {
    if (entry.ttl == 0 || entry.expires_at > now_seconds) return std::optional(std::move(entry.partition_key));
  }
  return std::optional<Bytes>();
}

class PlaceSource {
 public:
  enum class Step : uint8_t {
    kEnd,
    kPlace,   // `place` is the next place.
    kPassed,  // Many entries or rows that are not wanted have been passed, up to `place`.
  };

  virtual ~PlaceSource() = default;
  virtual Result<Step> Next(OrderPlace& place) = 0;
};

// Counts what a source passes. After every Slice::kDeadRowsStep entries or rows, the source returns kPassed, so that
// the scan can check whether it may keep its view.
class Passed {
 public:
  // True if it is time to return kPassed.
  bool Add() {
    if (++count_ < Slice::kDeadRowsStep) return false;
    count_ = 0;
    return true;
  }

 private:
  uint32_t count_ = 0;
};

// Returns the places of the entries of the column's index, in the order of the index.
class IndexWalk final : public PlaceSource {
 public:
  // `among`: the entries of the rows that may be returned; null: all rows may be returned.
  IndexWalk(std::unique_ptr<RowCursor> cursor, const EntryBounds& bounds, std::unique_ptr<BytesSet> among,
            int64_t now_seconds)
      : cursor_(std::move(cursor)), bounds_(bounds), among_(std::move(among)), now_seconds_(now_seconds) {}

  Result<Step> Next(OrderPlace& place) override {
    while (true) {
      WR_ASSIGN_OR_RETURN(const bool more, cursor_->Next(row_));
      if (!more) return Step::kEnd;
      const bool wanted = IsWanted(row_.clustering);
      if (!wanted && !passed_.Add()) continue;
      place.value.emplace(row_.partition_key);
      place.entry.assign(row_.clustering);
      return wanted ? Step::kPlace : Step::kPassed;
    }
  }

 private:
  bool IsWanted(ByteView entry) const {
    if (entry < ByteView(bounds_.begin) || (bounds_.end && entry >= ByteView(*bounds_.end))) return false;
    return row_.marker.LiveAt(now_seconds_) && (among_ == nullptr || among_->contains(entry));
  }

  const std::unique_ptr<RowCursor> cursor_;
  const EntryBounds& bounds_;
  const std::unique_ptr<BytesSet> among_;
  const int64_t now_seconds_;
  RowView row_;
  Passed passed_;
};

// Returns the places of rows that are read in the order of the table. It gathers the places that come first in the
// wanted order and returns them, then the places that come next. Memory is bounded for any number of rows.
class GatheredPlaces final : public PlaceSource {
 public:
  using OpenRows = std::function<Result<std::unique_ptr<RowCursor>>()>;

  GatheredPlaces(const RowsToOrder& rows, OpenRows open, std::optional<OrderPlace> after, int64_t now_seconds,
                 uint64_t wanted)
      : order_(rows.order),
        base_(*rows.slice.table),
        meter_(rows.meter),
        open_(std::move(open)),
        now_seconds_(now_seconds),
        after_(std::move(after)),
        gathered_(Before{order_.descending}),
        room_(std::clamp<uint64_t>(wanted, kFirst, kMost)) {}

  Result<Step> Next(OrderPlace& place) override {
    if (gathered_.empty() && !all_gathered_) WR_RETURN_IF_ERROR(Gather());
    if (gathered_.empty()) return Step::kEnd;
    place = std::move(gathered_.extract(gathered_.begin()).value());
    after_ = place;
    return Step::kPlace;
  }

 private:
  // At most room_ places are kept at once. At first, room_ is at least kFirst; it grows up to kMost. All places take at
  // most about kBytesMost bytes.
  static constexpr size_t kFirst = 1'024, kMost = 16'384, kBytesMost = 4u << 20;

  struct Before {
    bool descending;
    bool operator()(const OrderPlace& a, const OrderPlace& b) const {
      const auto order =
          std::pair(ByteView(*a.value), ByteView(a.entry)) <=> std::pair(ByteView(*b.value), ByteView(b.entry));
      return descending ? order > 0 : order < 0;
    }
  };

  Status Gather() {
    all_gathered_ = true;
    size_t bytes = 0;
    WR_ASSIGN_OR_RETURN(const std::unique_ptr<RowCursor> rows, open_());
    PartitionMeter metered(meter_);
    for (RowView row;;) {
      WR_ASSIGN_OR_RETURN(const bool more, rows->Next(row));
      if (!more) break;
      metered.Count(row);
      if (row.is_static) continue;
      WR_ASSIGN_OR_RETURN(std::optional<Bytes> term, TermOf(order_, base_, row, now_seconds_));
      if (!term || !Allowed(*term)) continue;
      OrderPlace place{std::move(term), EntryClustering(base_, row.partition_key, false, row.clustering)};
      if (after_ && !gathered_.key_comp()(*after_, place)) continue;
      // If a place has been left out, all places after the last kept one must be left out too, so that the gathered
      // places have no gaps.
      if (!all_gathered_ && !gathered_.key_comp()(place, *gathered_.rbegin())) continue;
      bytes += SizeOf(place);
      gathered_.insert(std::move(place));
      while (gathered_.size() > room_ || (bytes > kBytesMost && gathered_.size() > 1)) {
        const auto last = std::prev(gathered_.end());
        bytes -= SizeOf(*last);
        gathered_.erase(last);
        all_gathered_ = false;
      }
    }
    room_ = std::min(room_ * 4, kMost);
    return OkStatus();
  }
  static size_t SizeOf(const OrderPlace& place) {
    constexpr size_t kNode = 48;
    return kNode + sizeof(OrderPlace) + place.value->size() + place.entry.size();
  }
  bool Allowed(const Bytes& term) const {
    return term >= order_.values.first && (!order_.values.end || term < *order_.values.end);
  }

  const BoundOrder& order_;
  const TableSchema& base_;
  ScanMeter* const meter_;
  const OpenRows open_;
  const int64_t now_seconds_;
  std::optional<OrderPlace> after_;
  std::set<OrderPlace, Before> gathered_;
  bool all_gathered_ = false;
  size_t room_;
};

// The places of rows that have no value.
class NullPlaces final : public PlaceSource {
 public:
  NullPlaces(const RowsToOrder& rows, std::unique_ptr<RowCursor> cursor, int64_t now_seconds)
      : order_(rows.order),
        base_(*rows.slice.table),
        rows_(std::move(cursor)),
        now_seconds_(now_seconds),
        metered_(rows.meter) {}

  Result<Step> Next(OrderPlace& place) override {
    while (true) {
      WR_ASSIGN_OR_RETURN(const bool more, rows_->Next(row_));
      if (!more) return Step::kEnd;
      metered_.Count(row_);
      if (row_.is_static) continue;
      WR_ASSIGN_OR_RETURN(const std::optional<Bytes> term, TermOf(order_, base_, row_, now_seconds_));
      if (term && !passed_.Add()) continue;
      place = {std::nullopt, EntryClustering(base_, row_.partition_key, false, row_.clustering)};
      return term ? Step::kPassed : Step::kPlace;
    }
  }

 private:
  const BoundOrder& order_;
  const TableSchema& base_;
  const std::unique_ptr<RowCursor> rows_;
  const int64_t now_seconds_;
  RowView row_;
  Passed passed_;
  PartitionMeter metered_;
};

class Cursor final : public OrderedCursor {
 public:
  Cursor(ReadView& view, RowsToOrder rows, std::optional<OrderPlace> after, int64_t now_seconds, uint64_t wanted)
      : view_(view),
        rows_(std::move(rows)),
        now_seconds_(now_seconds),
        wanted_(wanted),
        want_statics_(std::exchange(rows_.slice.want_statics, false)),
        place_(std::move(after)) {}

  Status Begin() {
    if (place_ && !place_->value) return OpenNulls(place_);
    WR_ASSIGN_OR_RETURN(source_, OpenValues());
    return OkStatus();
  }

  Result<bool> Next(RowView& row) override {
    while (true) {
      if (!pending_) {
        WR_ASSIGN_OR_RETURN(const PlaceSource::Step step, NextPlace());
        if (step == PlaceSource::Step::kEnd) return false;
        if (step == PlaceSource::Step::kPassed) {
          place_ = next_;
          row = {.partition_key = at_.partition_key, .clustering = at_.clustering};
          return true;
        }
        if (want_statics_ && at_.partition_key != partition_) {
          partition_ = at_.partition_key;
          room_.Clear();
          WR_ASSIGN_OR_RETURN(pending_, view_.GetStaticRowInto(room_, base(), partition_, row));
          if (pending_) return true;
        }
      }
      pending_ = false;
      room_.Clear();
      WR_ASSIGN_OR_RETURN(const bool found, view_.GetRowInto(room_, base(), at_.partition_key, at_.clustering, row));
      if (!found) continue;
      if (next_.value) {
        WR_ASSIGN_OR_RETURN(const std::optional<Bytes> term, TermOf(rows_.order, base(), row, now_seconds_));
        if (term != next_.value) continue;
      }
      place_ = next_;
      return true;
    }
  }
  // The rows of a partition do not follow each other, so there is nothing to skip.
  Status SkipPartition() override { return OkStatus(); }
  const std::optional<OrderPlace>& place() const override { return place_; }

 private:
  // OpenWalk gets the entries of a condition only if there are fewer than kAmongMax and they take at most
  // kAmongBytesMax bytes of memory. An entry takes kAmongNode bytes besides its own.
  static constexpr uint64_t kAmongMax = 65'536;
  static constexpr size_t kAmongBytesMax = 8u << 20, kAmongNode = 48;
  // Reading a row that an entry names costs as much as reading kEntriesOfRow entries. Reading the next row of a
  // partition costs as much as reading kEntriesOfNextRow entries.
  static constexpr uint64_t kEntriesOfRow = 10, kEntriesOfNextRow = 3;

  const TableSchema& base() const { return *rows_.slice.table; }

  // Sets next_ and at_.
  Result<PlaceSource::Step> NextPlace() {
    PlaceSource::Step step;
    while (true) {
      WR_ASSIGN_OR_RETURN(step, source_->Next(next_));
      if (step != PlaceSource::Step::kEnd) break;
      if (in_nulls_ || !rows_.order.nulls) return step;
      WR_RETURN_IF_ERROR(OpenNulls(std::nullopt));
    }
    if (TakeEntryPlace(next_.entry, at_)) return step;
    return ServerError("Damaged index of " + base().keyspace + "." + base().name);
  }

  Result<std::unique_ptr<PlaceSource>> OpenValues() {
    const uint64_t all = std::max<uint64_t>(rows_.table_size.rows, 1);
    // Estimates how many entries a walk passes until it has found the wanted rows, if `found` rows of the table are to
    // be ordered.
    const auto walked = [&](uint64_t found) { return wanted_ * (all / std::max<uint64_t>(found, 1) + 1); };
    if (rows_.condition == nullptr) {
      const bool one = std::holds_alternative<Slice::OnePartition>(rows_.slice.partitions);
      const uint64_t found = rows_.slice_size.rows;
      if (one && found * kEntriesOfNextRow <= walked(found)) return OpenGathered();
      return OpenWalk(nullptr);
    }
    WR_ASSIGN_OR_RETURN(const uint64_t found, CountEntries(view_, *rows_.condition, rows_.bounds, kAmongMax));
    if (found == kAmongMax) return OpenWalk(nullptr);
    const auto* const lookup = std::get_if<BoundLookup>(&rows_.condition->node);
    const bool of_partitions = lookup != nullptr && lookup->whole_partitions;  // True if entries name partitions.
    if (of_partitions || found * kEntriesOfRow <= walked(found)) return OpenGathered();
    auto among = std::make_unique<BytesSet>();
    size_t bytes = 0;
    const auto entries = OpenEntries(view_, *rows_.condition, rows_.bounds, now_seconds_, found);
    for (ByteView entry;;) {
      WR_ASSIGN_OR_RETURN(const bool more, entries->Next(entry));
      if (!more) return OpenWalk(std::move(among));
      bytes += entry.size() + kAmongNode;
      if (bytes > kAmongBytesMax) return OpenWalk(nullptr);
      among->insert(Bytes(entry));
    }
  }

  Result<std::unique_ptr<PlaceSource>> OpenWalk(std::unique_ptr<BytesSet> among) {
    Slice slice{.table = rows_.order.values.entries};
    slice.partitions = Slice::KeyRange{rows_.order.values.first, rows_.order.values.end};
    slice.direction = rows_.order.descending ? Direction::kBackward : Direction::kForward;
    if (place_) slice.resume = {.partition_key = *place_->value, .clustering = place_->entry};
    WR_ASSIGN_OR_RETURN(auto cursor, view_.OpenSlice(slice));
    return std::unique_ptr<PlaceSource>(
        std::make_unique<IndexWalk>(std::move(cursor), rows_.bounds, std::move(among), now_seconds_));
  }

  Result<std::unique_ptr<PlaceSource>> OpenGathered() {
    return std::unique_ptr<PlaceSource>(std::make_unique<GatheredPlaces>(
        rows_, [this] { return OpenRows({}); }, place_, now_seconds_, wanted_));
  }

  // Opens the rows to order, in the order of the table.
  Result<std::unique_ptr<RowCursor>> OpenRows(std::optional<Slice::ResumePoint> resume) {
    Slice slice = rows_.slice;
    slice.resume = std::move(resume);
    if (rows_.condition == nullptr) return view_.OpenSlice(slice);
    return OpenIndexCursor(view_, slice, *rows_.condition, rows_.bounds, now_seconds_, wanted_);
  }

  Status OpenNulls(const std::optional<OrderPlace>& after) {
    in_nulls_ = true;
    std::optional<Slice::ResumePoint> resume;
    if (after) {
      EntryPlace at;
      if (!TakeEntryPlace(after->entry, at)) return ServerError("a place in an order is malformed");
      resume = {.partition_key = std::move(at.partition_key),
                .clustering = std::move(at.clustering),
                .partition_done = base().clustering_size == 0};
    }
    WR_ASSIGN_OR_RETURN(auto rows, OpenRows(std::move(resume)));
    source_ = std::make_unique<NullPlaces>(rows_, std::move(rows), now_seconds_);
    return OkStatus();
  }

  ReadView& view_;
  RowsToOrder rows_;
  const int64_t now_seconds_;
  const uint64_t wanted_;
  const bool want_statics_;
  std::optional<OrderPlace> place_;
  std::unique_ptr<PlaceSource> source_;
  bool in_nulls_ = false;
  OrderPlace next_;       // The place of the next row.
  EntryPlace at_;         // The row of next_.
  bool pending_ = false;  // The static row has been returned, and the row of next_ follows.
  Bytes partition_;       // The partition of the last row, if statics are wanted.
  Arena room_;            // Memory of the row returned.
};

}  // namespace

Result<std::optional<BoundOrder>> BindOrder(const TablePtr& table, const IndexOrder& order,
                                            const EvaluationContext& context) {
  WR_ASSIGN_OR_RETURN(std::optional<BoundLookup> values, BindOrderValues(*table, order, context));
  if (!values) return std::optional<BoundOrder>();
  BoundOrder bound{.index = MakeIndexDerivation(table, *table->FindIndex(order.index)), .values = std::move(*values)};
  bound.descending = order.descending;
  bound.nulls = !order.lower && !order.upper && !table->columns[order.column].is_key();
  return std::optional(std::move(bound));
}

Result<std::unique_ptr<OrderedCursor>> OpenOrdered(ReadView& view, RowsToOrder rows, std::optional<OrderPlace> after,
                                                   int64_t now_seconds, uint64_t wanted) {
  auto cursor = std::make_unique<Cursor>(view, std::move(rows), std::move(after), now_seconds, wanted);
  WR_RETURN_IF_ERROR(cursor->Begin());
  return std::unique_ptr<OrderedCursor>(std::move(cursor));
}

}  // namespace widerow
