#include "storage/large/pieces.h"

#include "base/checksum.h"
#include "storage/lmdb/long_keys.h"

namespace widerow {

Bytes PieceKey(ByteView prefix, uint64_t piece) {
  Bytes key(prefix);
  AppendBigEndian(key, static_cast<uint32_t>(piece));
  return key;
}

Result<std::optional<ByteView>> ReadPiece(lmdb::TxnRef txn, ByteView prefix, uint64_t piece) {
  const Bytes key = PieceKey(prefix, piece);
  ByteView record;
  const lmdb::Rc rc = GetLong(txn, key, record);
  if (rc.failed()) return lmdb::ToError(rc, "reading a piece of a large object");
  if (rc.not_found()) return std::optional<ByteView>();
  if (!Unseal(record)) return ServerError("Damaged piece of a large object, key 0x" + ToHex(key));
  return std::optional(record);
}

}  // namespace widerow
