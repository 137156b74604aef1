// Keys of any length over LMDB's 511 bytes, in order. A key shorter than that is stored as it is and pays nothing. Of a
// longer one the first 511 bytes are the stored key, its value (8 bytes) names a child space, and the remainder is a
// key of that space, by the same rule: FF FF FF FF | child id (8) | remainder. So a stored key of exactly 511 bytes is
// always such a link. A child space ends with its last key.
#pragma once

#include <vector>

#include "storage/lmdb/env.h"

namespace widerow {

inline constexpr size_t kChildPrefixBytes = 4 + 8;

// The value of a whole key.
lmdb::Rc GetLong(lmdb::TxnRef txn, ByteView key, ByteView& value);

// Where new child ids come from: a counter that the owner of the write transaction keeps and stores.
struct ChildIds {
  uint64_t next = 1;
};

lmdb::Rc PutLong(lmdb::WriteTxn& txn, ChildIds& ids, ByteView key, ByteView value);
// Removes the key and the child spaces that it leaves empty. not_found if it is not there.
lmdb::Rc DeleteLong(lmdb::WriteTxn& txn, ByteView key);

// Walks whole keys in order, both ways. Of a write transaction: any write invalidates key() and value(), seek again.
class LongKeyCursor {
 public:
  explicit LongKeyCursor(lmdb::Cursor cursor) : cursor_(std::move(cursor)) {}

  // On the first key ≥ `wanted`. not_found: there is none.
  lmdb::Rc SeekAtOrAfter(ByteView wanted);
  // On the last key < `wanted`.
  lmdb::Rc SeekBefore(ByteView wanted);
  // From a key to its neighbour. not_found leaves the cursor nowhere: seek.
  lmdb::Rc Next() {
    const lmdb::Rc rc = cursor_.Next(stored_, value_);
    if (rc.ok() && links_.empty() && stored_.size() < kLinkBytes && !InChildSpaces(stored_)) [[likely]]
      return rc;
    return SettleForward(rc);
  }
  lmdb::Rc Previous() {
    const lmdb::Rc rc = cursor_.Previous(stored_, value_);
    if (rc.ok() && links_.empty() && stored_.size() < kLinkBytes) [[likely]]
      return rc;
    return SettleBackward(rc);
  }

  // Good until the cursor moves.
  ByteView key() const { return links_.empty() ? stored_ : ByteView(assembled_); }
  ByteView value() const { return value_; }

  // For giving the LMDB cursor back to its pool.
  lmdb::Cursor Release() && { return std::move(cursor_); }

 private:
  static constexpr size_t kLinkBytes = 511;
  static bool InChildSpaces(ByteView stored) {
    return stored[0] == '\xFF' && stored.substr(0, 4) == "\xFF\xFF\xFF\xFF";
  }

  // A raw move ended with `rc`; go on until a whole key is under the cursor.
  lmdb::Rc SettleForward(lmdb::Rc rc);
  lmdb::Rc SettleBackward(lmdb::Rc rc);
  bool InSpace() const;
  lmdb::Rc Descend(bool to_first);
  lmdb::Rc Ascend();
  void Assemble();
  lmdb::Rc SeekEndOfRoot();

  lmdb::Cursor cursor_;
  ByteView stored_, value_;   // Under the cursor, as LMDB has them.
  std::vector<Bytes> links_;  // The stored keys of the links that lead here; empty: the key is an ordinary one.
  Bytes space_;               // Prefix of the child space we are in; empty at the root.
  Bytes assembled_;           // The whole key, if links_ is not empty.
};

}  // namespace widerow
