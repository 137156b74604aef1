// A cursor over the keys of the data file and of the memtables, merged in order. If the memtables are empty, a move
// costs one test more than a move in the data file. One thread at a time may use it.
#pragma once

#include "storage/read/read_source.h"

namespace widerow {

class MergedCursor {
 public:
  MergedCursor(lmdb::Cursor cursor, const ReadSource& source) : source_(source), base_(std::move(cursor)) {}

  // Move the cursor as LongKeyCursor does. After SeekAtOrAfter() only Next() may be called, after SeekBefore() only
  // Previous().
  lmdb::Rc SeekAtOrAfter(ByteView wanted) {
    const lmdb::Rc rc = base_.SeekAtOrAfter(wanted);
    if (plain()) [[likely]]
      return rc;
    return SeekMemtables(rc, wanted, true);
  }
  lmdb::Rc SeekBefore(ByteView wanted) {
    const lmdb::Rc rc = base_.SeekBefore(wanted);
    if (plain()) [[likely]]
      return rc;
    return SeekMemtables(rc, wanted, false);
  }
  lmdb::Rc Next() {
    if (plain()) [[likely]]
      return base_.Next();
    return stored_only() ? MoveStored() : Move();
  }
  lmdb::Rc Previous() {
    if (plain()) [[likely]]
      return base_.Previous();
    return stored_only() ? MoveStored() : Move();
  }

  // Moves forward to the first key that does not begin with `prefix`. The current key must begin with `prefix`.
  lmdb::Rc SkipPrefix(ByteView prefix);

  // Valid until the cursor moves.
  ByteView key() const { return plain() ? base_.key() : key_; }
  RowVersions versions() const { return plain() ? RowVersions::Stored(base_.value()) : versions_; }
  // True if no memtable has the key. Then stored() is the record.
  bool stored_only() const { return plain() || (versions_.stored.has_value() && versions_.fragment_count == 0); }
  ByteView stored() const { return base_.value(); }

  lmdb::Cursor Release() && { return std::move(base_).Release(); }

 private:
  bool plain() const { return source_.memtable_count == 0; }
  // True if `key` comes before `other` in the direction of the cursor.
  bool Before(ByteView key, ByteView other) const { return forward_ ? key < other : other < key; }
  // Moves on from a key that is only in the data file. Until the cursor reaches fence_, the next key of a memtable,
  // nothing has to be merged.
  lmdb::Rc MoveStored() {
    base_rc_ = forward_ ? base_.Next() : base_.Previous();
    if (!base_rc_.ok() || (fence_ != nullptr && !Before(base_.key(), fence_->key()))) return Choose();
    key_ = base_.key();
    versions_.stored = base_.value();
    return base_rc_;
  }
  lmdb::Rc SeekMemtables(lmdb::Rc base, ByteView wanted, bool forward);
  lmdb::Rc Move();
  // Chooses the current key: of the keys of base_ and nodes_, the first one in the direction of the cursor. Collects
  // all versions of this key. base_ and each of nodes_ must be on a key or at the end.
  lmdb::Rc Choose();
  const Memtable::Node* SkipUnseen(const Memtable::Node* node) const;
  void SkipStored(ByteView prefix);
  static const Memtable::Node* SkipNodes(const Memtable& memtable, const Memtable::Node* node, ByteView prefix);

  const ReadSource& source_;
  LongKeyCursor base_;
  lmdb::Rc base_rc_ = lmdb::Rc::NotFound();
  std::array<const Memtable::Node*, kMemtablesMax> nodes_ = {};
  bool forward_ = true;
  const Memtable::Node* fence_ = nullptr;  // The first of nodes_ in the direction of the cursor.
  ByteView key_;
  RowVersions versions_;
};

}  // namespace widerow
