#include "exec/nearest/nearest_cursor.h"

#include <algorithm>

#include "base/overloaded.h"
#include "exec/derived/index_entries.h"
#include "exec/nearest/code_scan.h"

namespace widerow {
namespace {

// True if a look-up finds partitions instead of rows. The entries that it reads then do not name rows.
bool FindsPartitions(const BoundIndexCondition& condition) {
  return std::visit(
      Overloaded{[](const BoundLookup& lookup) { return lookup.whole_partitions; },
                 [](const auto& combined) { return std::ranges::any_of(combined.parts, FindsPartitions); }},
      condition.node);
}

class NearestCursor final : public RowCursor {
 public:
  NearestCursor(ReadView& view, RowsToCompare rows, int64_t now_seconds, uint64_t wanted)
      : view_(view),
        rows_(std::move(rows)),
        now_seconds_(now_seconds),
        want_statics_(std::exchange(rows_.slice.want_statics, false)),
        of_statics_(rows_.nearest.column.kind == ColumnKind::kStatic),
        query_(rows_.nearest.measure.similarity(), rows_.nearest.measure.query()),
        room_(std::clamp<uint64_t>(4 * std::min<uint64_t>(wanted, kMost), kFirst, kMost)) {}

  Status Begin() {
    // The index entry of a static vector names a partition, not a row. So the rows that the condition finds cannot be
    // the candidates.
    if (rows_.condition == nullptr || of_statics_) return OkStatus();
    const uint64_t most = rows_.rows_expected / kCodesOfRow + kFewRows;
    WR_ASSIGN_OR_RETURN(const uint64_t found, CountEntries(view_, *rows_.condition, rows_.bounds, most));
    gathers_ = found < most;
    return OkStatus();
  }

  Result<bool> Next(RowView& row) override {
    while (true) {
      if (partition_rows_ != nullptr) {
        WR_ASSIGN_OR_RETURN(const bool more, partition_rows_->Next(row));
        if (more) return true;
        partition_rows_.reset();
      }
      if (!pending_) {
        WR_ASSIGN_OR_RETURN(const bool more, NextPlace());
        if (!more) return false;
        if (of_statics_) {
          WR_RETURN_IF_ERROR(OpenPartition());
          continue;
        }
        if (want_statics_ && (!has_partition_ || place_.partition_key != partition_)) {
          partition_ = place_.partition_key;
          has_partition_ = true;
          room_of_row_.Clear();
          WR_ASSIGN_OR_RETURN(pending_, view_.GetStaticRowInto(room_of_row_, base(), partition_, row));
          if (pending_) return true;
        }
      }
      pending_ = false;
      room_of_row_.Clear();
      WR_ASSIGN_OR_RETURN(const bool found,
                          view_.GetRowInto(room_of_row_, base(), place_.partition_key, place_.clustering, row));
      if (found) return true;
    }
  }
  // In general, the rows of a partition do not follow each other, so there is nothing to skip. If the vectors are
  // static, the rest of the partition is skipped.
  Status SkipPartition() override {
    partition_rows_.reset();
    return OkStatus();
  }

 private:
  static constexpr size_t kFirst = 1'024, kMost = 65'536, kBytesMost = 16u << 20;
  // Reading a row and its vector costs as much as reading this number of codes.
  static constexpr uint64_t kCodesOfRow = 8;
  // If a condition finds fewer rows than this, the cursor always reads these rows in place of the codes.
  static constexpr uint64_t kFewRows = 64;

  const TableSchema& base() const { return *rows_.slice.table; }

  // Sets place_ to the key of the next row. Returns false if there are no more rows.
  Result<bool> NextPlace() {
    while (true) {
      const bool any_left = next_ < candidates_.size();
      if (!compared_.empty()) {
        const Candidate& best = compared_.front();
        const bool first =
            any_left ? Candidate::Before(best, candidates_[next_]) : all_found_ || Candidate::Before(best, *last_);
        if (first) return TakeBest();
      }
      if (any_left) {
        WR_RETURN_IF_ERROR(Compare(candidates_[next_++]));
      } else if (all_found_) {
        return false;
      } else {
        WR_RETURN_IF_ERROR(FindCandidates());
      }
    }
  }

  Result<bool> TakeBest() {
    std::pop_heap(compared_.begin(), compared_.end(), After);
    const Candidate best = std::move(compared_.back());
    compared_.pop_back();
    if (TakeEntryPlace(best.entry, place_)) return true;
    return Damaged();
  }

  // The order of the heap compared_: the first candidate is in front.
  static bool After(const Candidate& a, const Candidate& b) { return Candidate::Before(b, a); }

  // Reads a candidate's row, and puts it among the compared ones, with its own similarity.
  Status Compare(Candidate& candidate) {
    if (!gathers_) {
      EntryPlace place;
      if (!TakeEntryPlace(candidate.entry, place)) return Damaged();
      room_of_row_.Clear();
      WR_ASSIGN_OR_RETURN(
          const bool found,
          place.is_static
              ? view_.GetStaticRowInto(room_of_row_, base(), place.partition_key, compared_row_)
              : view_.GetRowInto(room_of_row_, base(), place.partition_key, place.clustering, compared_row_));
      if (!found) return OkStatus();
      WR_ASSIGN_OR_RETURN(const std::optional<float> similarity,
                          SimilarityOfRow(place.partition_key, place.is_static, place.clustering, compared_row_));
      if (!similarity) return OkStatus();
      candidate.similarity = *similarity;
    }
    compared_.push_back(std::move(candidate));
    std::push_heap(compared_.begin(), compared_.end(), After);
    return OkStatus();
  }

  Result<std::optional<float>> SimilarityOfRow(ByteView partition_key, bool is_static, ByteView clustering,
                                               RowView& row) {
    if (rows_.meter != nullptr) ++rows_.meter->vectors_compared;
    row.ExpandUniform();
    const BaseRow of{base(), partition_key, is_static, clustering, &row};
    WR_ASSIGN_OR_RETURN(const Value value, LiveValueOf(rows_.nearest.column, of, now_seconds_));
    if (!value) return std::optional<float>();
    const std::vector<float> vector = ToFloats(*value);
    // A row that is older than the index may have a vector that the index cannot contain.
    if (vector.size() != query_.dimension() || !CheckIndexable(rows_.nearest.measure.similarity(), vector).ok())
      return std::optional<float>();
    return std::optional(rows_.nearest.measure.Of(vector));
  }

  // Finds the candidates that follow *last_.
  Status FindCandidates() {
    TopCandidates top(room_, kBytesMost, last_);
    if (gathers_) {
      WR_RETURN_IF_ERROR(GatherRows(top));
    } else {
      const auto* const tokens = std::get_if<Slice::TokenRange>(&rows_.slice.partitions);
      const bool by_condition = rows_.condition != nullptr && !of_statics_ && !FindsPartitions(*rows_.condition);
      const CodeScan scan{.nearest = rows_.nearest,
                          .query = query_,
                          .base = base(),
                          .tokens = tokens != nullptr ? *tokens : Slice::TokenRange{},
                          .bounds = rows_.bounds,
                          .among = by_condition ? rows_.condition : nullptr,
                          .now_seconds = now_seconds_,
                          .codes_expected = rows_.rows_expected,
                          .divisible = tokens != nullptr};
      WR_ASSIGN_OR_RETURN(const uint64_t read, ScanCodes(view_, scan, top));
      if (rows_.meter != nullptr) rows_.meter->codes_compared += read;
    }
    all_found_ = !top.left_out();
    candidates_ = std::move(top).Take();
    next_ = 0;
    if (!candidates_.empty()) last_ = candidates_.back();
    room_ = std::min(room_ * 4, kMost);
    return OkStatus();
  }

  Status GatherRows(TopCandidates& top) {
    WR_ASSIGN_OR_RETURN(const auto cursor, OpenIndexCursor(view_, rows_.slice, *rows_.condition, rows_.bounds,
                                                           now_seconds_, rows_.rows_expected));
    for (RowView row;;) {
      WR_ASSIGN_OR_RETURN(const bool more, cursor->Next(row));
      if (!more) return OkStatus();
      if (row.is_static) continue;
      const Bytes entry = EntryClustering(base(), row.partition_key, false, row.clustering);
      WR_ASSIGN_OR_RETURN(const std::optional<float> similarity,
                          SimilarityOfRow(row.partition_key, false, row.clustering, row));
      if (similarity) top.Offer(*similarity, entry);
    }
  }

  Status OpenPartition() {
    Slice slice{.table = rows_.slice.table};
    slice.partitions = Slice::OnePartition{place_.partition_key};
    slice.want_statics = true;
    WR_ASSIGN_OR_RETURN(partition_rows_, view_.OpenSlice(slice));
    return OkStatus();
  }

  Error Damaged() const { return ServerError("Damaged index of " + base().keyspace + "." + base().name); }

  ReadView& view_;
  RowsToCompare rows_;
  const int64_t now_seconds_;
  const bool want_statics_, of_statics_;
  const CodedQuery query_;
  size_t room_;           // The number of candidates to keep at once.
  bool gathers_ = false;  // True if the candidates are all rows of the condition, with their own similarities.

  std::vector<Candidate> candidates_;  // In order; those before next_ have been compared.
  size_t next_ = 0;
  bool all_found_ = false;         // True if no candidates follow candidates_.
  std::optional<Candidate> last_;  // The last candidate that was found, if others may follow.
  std::vector<Candidate> compared_;

  EntryPlace place_;      // The key of the row to return.
  bool pending_ = false;  // True if the static row has been returned, and the row at place_ follows.
  Bytes partition_;       // The partition of the last row, if statics are wanted.
  bool has_partition_ = false;
  RowView compared_row_;
  Arena room_of_row_;                          // Memory of the row returned, or of compared_row_.
  std::unique_ptr<RowCursor> partition_rows_;  // If the vectors are static: the rows of the current partition.
};

}  // namespace

Result<std::unique_ptr<RowCursor>> OpenNearest(ReadView& view, RowsToCompare rows, int64_t now_seconds,
                                               uint64_t wanted) {
  auto cursor = std::make_unique<NearestCursor>(view, std::move(rows), now_seconds, wanted);
  WR_RETURN_IF_ERROR(cursor->Begin());
  return std::unique_ptr<RowCursor>(std::move(cursor));
}

}  // namespace widerow
