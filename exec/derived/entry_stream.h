// Returns the entries that a condition finds in indexes, in the order of the base table's rows, without duplicate base
// rows. Used by one thread.
#pragma once

#include "exec/derived/index_cursor.h"

namespace widerow {

class EntryStream {
 public:
  virtual ~EntryStream() = default;
  // Sets `entry` to the next entry's clustering, valid until the next call; false at the end.
  virtual Result<bool> Next(ByteView& entry) = 0;
  // Continues with the entries from `begin` on. `begin` must not be before the current position.
  virtual Status Seek(Bytes begin) = 0;
};

// Opens the entries within `bounds`. `view` and `condition` must outlive the stream. `wanted`: the number of entries
// that the caller expects to read. The stream may return entries that do not meet all parts of an All.
std::unique_ptr<EntryStream> OpenEntries(ReadView& view, const BoundIndexCondition& condition, EntryBounds bounds,
                                         int64_t now_seconds, uint64_t wanted);

// Estimates the number of entries that a stream reads, including outdated ones; stops counting at `most`. `bounds`
// limits the count for single terms only, not for ranges of terms.
Result<uint64_t> CountEntries(ReadView& view, const BoundIndexCondition& condition, const EntryBounds& bounds,
                              uint64_t most);

// True if the stream has to read all entries of a range of terms before it returns the first one, because these entries
// are not stored in the order of base rows.
bool IsGathered(const BoundIndexCondition& condition);

}  // namespace widerow
