// The entries of one lookup in the order of the base table's rows, each base row once.
#pragma once

#include "exec/derived/index_cursor.h"

namespace widerow {

class EntryStream {
 public:
  virtual ~EntryStream() = default;
  // The next one's clustering, good until the next call; false at the end.
  virtual Result<bool> Next(ByteView& entry) = 0;
  // Goes on with entries from `begin` on, which is not behind where it stands.
  virtual Status Seek(Bytes begin) = 0;
};

// `view` and `lookup` outlive it. `wanted`: how many of them the caller reckons with.
Result<std::unique_ptr<EntryStream>> OpenEntries(ReadView& view, const BoundLookup& lookup, EntryBounds bounds, int64_t now_seconds,
                                                 uint64_t wanted);

// How many entries the lookup has within the bounds; stops counting at `most`.
Result<uint64_t> CountEntries(ReadView& view, const BoundLookup& lookup, const EntryBounds& bounds, uint64_t most);

}  // namespace widerow
