// The cursor reads entries from an EntryStream, converts each to the place of its base row, and reads that row by its
// key. If whole partitions are wanted, it opens a slice of each partition instead. BindLookup, at the end, evaluates a
// condition's values into a range of terms.

#include "exec/derived/index_cursor.h"

#include <algorithm>

#include "base/check.h"
#include "exec/derived/entry_stream.h"
#include "exec/derived/index_entries.h"
#include "storage/format/key_codec.h"
#include "types/order_codec.h"

namespace widerow {
namespace {

class IndexCursor final : public RowCursor {
 public:
  IndexCursor(ReadView& view, const Slice& slice, const BoundLookup& lookup, std::unique_ptr<EntryStream> entries)
      : view_(view),
        table_(slice.table),
        want_statics_(slice.want_statics),
        whole_partitions_(lookup.whole_partitions),
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
    WR_CHECK(range.end.has_value());  // A partition's prefix has bytes other than 0xFF.
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

Result<Value> NeedValue(const Expression& expression, const EvaluationContext& context) {
  if (IsUnset(expression, context)) return Value();  // The filter's check refuses an unset value with its own message.
  return Evaluate(expression, context);
}

// Refuses values that a plain index cannot have, as Cassandra does.
Status CheckValues(const IndexSchema& index, const std::vector<Bytes>& values) {
  constexpr size_t kValueBytesMax = 65'535;
  if (index.kind != IndexKind::kComposites || values.empty()) return OkStatus();
  // In Cassandra, an entry holds the key and the value of a map, each with a length of two bytes and one byte after it.
  const size_t bytes = values.size() == 1 ? values[0].size() : values[0].size() + values[1].size() + 6;
  if (bytes <= kValueBytesMax) return OkStatus();
  return InvalidError("Index expression values may not be larger than 64K",
                      "the index " + index.name + " has no longer values");
}

// Returns the values of a look-up; none if one of them is null or unset.
Result<std::vector<Bytes>> ValuesOf(const IndexLookup& lookup, const EvaluationContext& context) {
  std::vector<Bytes> values;
  for (const Expression& expression : lookup.values) {
    WR_ASSIGN_OR_RETURN(Value value, NeedValue(expression, context));
    if (!value) return std::vector<Bytes>();
    values.push_back(std::move(*value));
  }
  return values;
}

// Refuses patterns that the index does not serve.
Status CheckPattern(const std::optional<LikePattern>& like, const IndexSchema& index, const ColumnSchema& column) {
  if (!like) return InvalidError("LIKE value can't be empty.");
  const auto mode = index.options.find("mode");
  const bool contains = mode != index.options.end() && mode->second == "CONTAINS";
  const bool suffix = like->kind == LikePattern::Kind::kSuffix;
  if (contains || (!suffix && like->kind != LikePattern::Kind::kContains)) return OkStatus();
  return InvalidError(column.name + " LIKE '%<term>" + (suffix ? "' " : "%' ") + Bytes(like->term) +
                          " is only supported on properly indexed columns",
                      "an index WITH OPTIONS = {'mode': 'CONTAINS'} serves it");
}

// Binds a LIKE condition. `pattern` is converted as the index's values are.
Result<std::optional<BoundLookup>> BindLike(ByteView pattern, const IndexSchema& index, const ColumnSchema& column,
                                            const IndexTerms& terms, BoundLookup bound) {
  const std::optional<LikePattern> like = LikePattern::Parse(pattern);
  WR_RETURN_IF_ERROR(CheckPattern(like, index, column));
  switch (like->kind) {
    case LikePattern::Kind::kMatches:
      bound.one = true;
      AppendComparable(terms.type(), false, like->term, bound.first);
      break;
    case LikePattern::Kind::kPrefix:
      bound.first = terms.FirstWithPrefix(like->term);
      bound.end = ByteSuccessor(bound.first);
      break;
    case LikePattern::Kind::kSuffix:
    case LikePattern::Kind::kContains: bound.like.emplace(like->kind, like->term); break;
  }
  return std::optional(std::move(bound));
}

}  // namespace

Status CheckLike(const TableSchema& table, const Comparison& like, const EvaluationContext& context) {
  const auto* const analyzed = std::get_if<CallExpression>(&like.left.node);  // The call that analyzed.h makes.
  const Expression& left = analyzed != nullptr ? analyzed->arguments[0] : like.left;
  const ColumnSchema& column = table.columns[std::get<ColumnExpression>(left.node).column];
  const auto index = std::find_if(table.indexes.begin(), table.indexes.end(), [&](const IndexSchema& of) {
    return of.kind == IndexKind::kSasi && of.column == column.id;
  });
  if (index == table.indexes.end()) return OkStatus();
  WR_ASSIGN_OR_RETURN(const Value pattern, NeedValue(like.right[0], context));
  return pattern ? CheckPattern(LikePattern::Parse(*pattern), *index, column) : OkStatus();
}

Result<std::optional<BoundLookup>> BindLookup(const TableSchema& table, const IndexLookup& lookup,
                                              const EvaluationContext& context) {
  const IndexSchema* const index = table.FindIndex(lookup.index);
  WR_CHECK(index != nullptr);
  if (!index->built) {
    return Error{ErrorCode::kReadFailure,
                 "The secondary index '" + index->name + "' is not yet available as it is building",
                 {},
                 "system_views.index_builds shows how far it is"};
  }
  const ColumnSchema& column = *table.FindId(index->column);
  const IndexTerms terms(column, *index);
  BoundLookup bound{.entries = index->entries};
  bound.whole_partitions = column.kind == ColumnKind::kStatic || column.kind == ColumnKind::kPartitionKey;
  WR_ASSIGN_OR_RETURN(const std::vector<Bytes> values, ValuesOf(lookup, context));
  if (values.empty() && !lookup.values.empty()) return std::optional<BoundLookup>();
  WR_RETURN_IF_ERROR(CheckValues(*index, values));
  switch (lookup.kind) {
    case IndexLookup::Kind::kTerm: {
      std::vector<Bytes> found;
      terms.OfValue(values[0], found);
      if (found.empty()) return std::optional<BoundLookup>();
      bound.one = true;
      bound.first = std::move(found[0]);
      return std::optional(std::move(bound));
    }
    case IndexLookup::Kind::kEntry:
      bound.one = true;
      bound.first = terms.OfEntry(values[0], values[1]);
      return std::optional(std::move(bound));
    case IndexLookup::Kind::kLike: return BindLike(values[0], *index, column, terms, std::move(bound));
    case IndexLookup::Kind::kRange: break;
  }
  const auto edge = [&](const IndexBound& of, bool behind) -> Result<std::optional<Bytes>> {
    WR_ASSIGN_OR_RETURN(const Value value, NeedValue(of.value, context));
    if (!value) return std::optional<Bytes>();
    Bytes term;
    AppendComparable(terms.type(), false, *value, term);
    return std::optional(behind ? ByteSuccessor(term) : std::move(term));
  };
  if (lookup.lower) {
    WR_ASSIGN_OR_RETURN(const std::optional<Bytes> first, edge(*lookup.lower, !lookup.lower->inclusive));
    if (!first) return std::optional<BoundLookup>();
    bound.first = *first;
  }
  if (lookup.upper) {
    WR_ASSIGN_OR_RETURN(bound.end, edge(*lookup.upper, lookup.upper->inclusive));
    if (!bound.end || *bound.end <= bound.first) return std::optional<BoundLookup>();
  }
  return std::optional(std::move(bound));
}

EntryBounds EntriesOfTokens(const TableSchema& base, const Slice::TokenRange& tokens) {
  EntryBounds bounds;
  if (!base.partitioning.by_token()) return bounds;
  bounds.begin = PositionOfToken(tokens.first);
  if (tokens.last != std::numeric_limits<int64_t>::max()) bounds.end = PositionOfToken(tokens.last + 1);
  return bounds;
}

Result<std::unique_ptr<RowCursor>> OpenIndexCursor(ReadView& view, const Slice& slice, const BoundLookup& lookup,
                                                   EntryBounds bounds, int64_t now_seconds, uint64_t wanted) {
  WR_ASSIGN_OR_RETURN(auto entries, OpenEntries(view, lookup, std::move(bounds), now_seconds, wanted));
  auto cursor = std::make_unique<IndexCursor>(view, slice, lookup, std::move(entries));
  if (slice.resume) WR_RETURN_IF_ERROR(cursor->Resume(*slice.resume));
  return std::unique_ptr<RowCursor>(std::move(cursor));
}

Status CheckLookup(const TableSchema& table, const IndexLookup& lookup, const EvaluationContext& context) {
  const IndexSchema* const index = table.FindIndex(lookup.index);
  WR_CHECK(index != nullptr);
  WR_ASSIGN_OR_RETURN(const std::vector<Bytes> values, ValuesOf(lookup, context));
  return CheckValues(*index, values);
}

}  // namespace widerow
