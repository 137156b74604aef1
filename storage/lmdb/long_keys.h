// Stores keys of any length in LMDB, whose keys have at most 511 bytes, and keeps their order.
//
// A key of less than 511 bytes is stored unchanged, at no further cost. Of any other key the first 511 bytes are stored
// as a *link*. The value of a link (8 bytes) is the id of a *child space*. The remainder of the key is stored in this
// space as the key FF FF FF FF | id (8) | remainder. If that is too long again, it becomes another link. So each stored
// key of exactly 511 bytes is a link. A child space is removed together with its last key.
//
// The rules for a transaction (lmdb/env.h) also hold for the functions and cursors that use it.
#pragma once

#include <vector>

#include "storage/lmdb/env.h"

namespace widerow {

inline constexpr size_t kChildPrefixBytes = 4 + 8;

// Reads the value of a whole key.
lmdb::Rc GetLong(lmdb::TxnRef txn, ByteView key, ByteView& value);

// The counter from which new child spaces get their ids. The owner of the write transaction keeps it and stores it.
struct ChildIds {
  uint64_t next = 1;
};

lmdb::Rc PutLong(lmdb::WriteTxn& txn, ChildIds& ids, ByteView key, ByteView value);
// Removes the key, and the child spaces that become empty. Returns not_found if the key is not stored.
lmdb::Rc DeleteLong(lmdb::WriteTxn& txn, ByteView key);

// A cursor over whole keys in order, in both directions. In a write transaction every write invalidates key() and
// value(). Seek again after a write.
class LongKeyCursor {
 public:
  explicit LongKeyCursor(lmdb::Cursor cursor) : cursor_(std::move(cursor)) {}

  // Moves to the first key ≥ `wanted`. not_found if there is none.
  lmdb::Rc SeekAtOrAfter(ByteView wanted);
  // Moves to the last key < `wanted`. not_found if there is none.
  lmdb::Rc SeekBefore(ByteView wanted);
  // Moves to the next or to the previous key. After not_found the cursor has no position and must seek.
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

  // Valid until the cursor moves.
  ByteView key() const { return links_.empty() ? stored_ : ByteView(assembled_); }
  ByteView value() const { return value_; }

  // Gives up the LMDB cursor, so that it can be used again.
  lmdb::Cursor Release() && { return std::move(cursor_); }

 private:
  static constexpr size_t kLinkBytes = 511;
  static bool InChildSpaces(ByteView stored) {
    return stored[0] == '\xFF' && stored.substr(0, 4) == "\xFF\xFF\xFF\xFF";
  }

  // Called after a move in LMDB that ended with `rc`. Moves on until the cursor is on a whole key.
  lmdb::Rc SettleForward(lmdb::Rc rc);
  lmdb::Rc SettleBackward(lmdb::Rc rc);
  bool InSpace() const;
  lmdb::Rc Descend(bool to_first);
  lmdb::Rc Ascend();
  void Assemble();
  lmdb::Rc SeekEndOfRoot();

  lmdb::Cursor cursor_;
  ByteView stored_, value_;  // The record at the cursor, as stored in LMDB.
  // The stored keys of the links that lead to the current key. Empty if the key is short.
  std::vector<Bytes> links_;
  Bytes space_;      // The prefix of the current child space. Empty outside of all child spaces.
  Bytes assembled_;  // The whole key, if links_ is not empty.
};

}  // namespace widerow
