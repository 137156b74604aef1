// Returns the entries that one lookup finds in an index, in the order of the base table's rows, without duplicate base
// rows. One thread.
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

// Opens the entries within `bounds`. `view` and `lookup` must outlive the stream. `wanted`: the number of entries that
// the caller expects to read.
Result<std::unique_ptr<EntryStream>> OpenEntries(ReadView& view, const BoundLookup& lookup, EntryBounds bounds,
                                                 int64_t now_seconds, uint64_t wanted);

// Counts the entries of the lookup, including outdated ones; stops at `most`. `bounds` limits the count for a single
// term only, not for a range of terms.
Result<uint64_t> CountEntries(ReadView& view, const BoundLookup& lookup, const EntryBounds& bounds, uint64_t most);

}  // namespace widerow
