// A cursor over the base table that returns only the rows that an index finds. A scan uses it in place of a cursor over
// all rows. Rows come in the base table's order, static rows before the rows of their partition, without duplicates.
// Outdated entries may lead to rows that do not match; the scan's filter drops them.
#pragma once

#include "exec/derived/index_terms.h"
#include "planner/evaluate/evaluate.h"
#include "storage/storage_engine.h"

namespace widerow {

// A lookup with its values: the entries of the terms [first, end) or, if `one` is true, of the term `first` alone.
struct BoundLookup {
  TablePtr entries;
  bool one = false;
  Bytes first;
  std::optional<Bytes> end;
  std::optional<std::pair<LikePattern::Kind, Bytes>> like;  // If set: only terms that match.
  bool whole_partitions = false;  // The indexed column has one value for a whole partition: return all its rows.
};

// Evaluates a lookup's values. kReadFailure if the index is still being built; nullopt if it can find nothing.
Result<std::optional<BoundLookup>> BindLookup(const TableSchema& table, const IndexLookup& lookup,
                                              const EvaluationContext& context);
// Fails with BindLookup's error for the pattern of `column LIKE pattern`.
Status CheckLike(const TableSchema& table, const Comparison& like, const EvaluationContext& context);
// Checks the values of a lookup whose index is not read. Fails, as BindLookup does, for a value that is too long.
Status CheckLookup(const TableSchema& table, const IndexLookup& lookup, const EvaluationContext& context);

// The entries to read: those of rows whose stored keys (without the storage id) are in [begin, end).
struct EntryBounds {
  Bytes begin;
  std::optional<Bytes> end;
};
// Returns the bounds of the entries of these tokens.
EntryBounds EntriesOfTokens(const TableSchema& base, const Slice::TokenRange& tokens);

// Opens the cursor. It uses table, want_statics and resume of `slice` and ignores the rest. `view` and `lookup` must
// outlive the cursor. `wanted`: the number of rows that will be read if all rows found pass the filter.
Result<std::unique_ptr<RowCursor>> OpenIndexCursor(ReadView& view, const Slice& slice, const BoundLookup& lookup,
                                                   EntryBounds bounds, int64_t now_seconds, uint64_t wanted);

}  // namespace widerow
