// A cursor over the base table that returns only the rows that indexes find. A scan uses it in place of a cursor over
// all rows. Rows come in the base table's order, static rows before the rows of their partition, without duplicates.
// Outdated entries may lead to rows that do not match; the scan's filter drops them.
#pragma once

#include "exec/derived/bind_lookup.h"
#include "storage/storage_engine.h"

namespace widerow {

// The entries to read: those of rows whose stored keys (without the storage id) are in [begin, end).
struct EntryBounds {
  Bytes begin;
  std::optional<Bytes> end;
};
// Returns the bounds of the entries of base rows with these tokens. If `base` is not partitioned by token, returns the
// bounds of all entries.
EntryBounds EntriesOfTokens(const TableSchema& base, const Slice::TokenRange& tokens);

// Opens the cursor. It uses table, want_statics and resume of `slice` and ignores the rest. `view` and `condition` must
// outlive the cursor. `wanted`: the number of rows that will be read if all rows found pass the filter.
Result<std::unique_ptr<RowCursor>> OpenIndexCursor(ReadView& view, const Slice& slice,
                                                   const BoundIndexCondition& condition, EntryBounds bounds,
                                                   int64_t now_seconds, uint64_t wanted);

}  // namespace widerow
