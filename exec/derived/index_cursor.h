// The rows that an index finds, as a cursor over the base table: what a scan gets instead of one over all rows. They come in the
// base table's order, static rows before those of their partition, each once. Entries that are out of date lead to rows that the
// scan's filter drops.
#pragma once

#include "exec/derived/index_terms.h"
#include "planner/evaluate/evaluate.h"
#include "storage/engine.h"

namespace widerow {

// A lookup with its values known: entries of the terms [first, end); `one`: of the term `first` alone.
struct BoundLookup {
  TablePtr entries;
  bool one = false;
  Bytes first;
  std::optional<Bytes> end;
  std::optional<std::pair<LikePattern::Kind, Bytes>> like;  // Of these terms only those that match.
  bool whole_partitions = false;  // What is indexed is of the partition: all its rows are wanted.
};

// kReadFailure if the index is still being built. nullopt: it can find nothing.
Result<std::optional<BoundLookup>> BindLookup(const TableSchema& table, const IndexLookup& lookup, const EvaluationContext& context);

// What of the entries is wanted: those of rows whose stored keys (behind the storage id) lie in [begin, end).
struct EntryBounds {
  Bytes begin;
  std::optional<Bytes> end;
};
EntryBounds EntriesOfTokens(const TableSchema& base, const Slice::TokenRange& tokens);

// Of `slice` counts: table, want_statics, resume. `view` and `lookup` outlive the cursor. `wanted`: how many rows will be asked for,
// if all that are found will do.
Result<std::unique_ptr<RowCursor>> OpenIndexCursor(ReadView& view, const Slice& slice, const BoundLookup& lookup, EntryBounds bounds,
                                                   int64_t now_seconds, uint64_t wanted);

}  // namespace widerow
