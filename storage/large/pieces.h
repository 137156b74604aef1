// Reads the pieces of large objects (storage/large_object.h) in a read transaction. A piece is a part of the value with
// a checksum, under a key of kind 6 (key_codec.h).
#pragma once

#include <optional>

#include "storage/large_object.h"
#include "storage/lmdb/env.h"

namespace widerow {

// The key of a piece. `prefix` is what AppendPiecePrefix makes.
Bytes PieceKey(ByteView prefix, uint64_t piece);

// Returns the bytes of a piece, borrowed from the data file until the transaction ends; nullopt if there is no such
// piece. kServerError if it is damaged.
Result<std::optional<ByteView>> ReadPiece(lmdb::TxnRef txn, ByteView prefix, uint64_t piece);

// Appends the bytes [from, from + count) of an object to `out`. Returns false if a piece is missing.
template <typename Out>
Result<bool> ReadPieces(lmdb::TxnRef txn, ByteView prefix, uint64_t from, uint64_t count, Out& out) {
  while (count > 0) {
    WR_ASSIGN_OR_RETURN(const std::optional<ByteView> piece, ReadPiece(txn, prefix, from / kPieceBytes));
    const uint64_t skipped = from % kPieceBytes;
    if (!piece || piece->size() <= skipped) return false;
    const ByteView part = piece->substr(skipped, count);
    out.append(part);
    from += part.size();
    count -= part.size();
  }
  return true;
}

}  // namespace widerow
