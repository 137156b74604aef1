// Keys of the data file and of the memtables over it as one sequence. Without anything in the memtables it costs a test.
#pragma once

#include "storage/read_source.h"

namespace widerow {

class MergedCursor {
 public:
  MergedCursor(lmdb::Cursor cursor, const ReadSource& source) : source_(source), base_(std::move(cursor)) {}

  // As LongKeyCursor's. After SeekAtOrAfter() only Next(), after SeekBefore() only Previous().
  lmdb::Rc SeekAtOrAfter(ByteView wanted) {
    const lmdb::Rc rc = base_.SeekAtOrAfter(wanted);
    if (plain()) [[likely]] return rc;
    return SeekMemtables(rc, wanted, true);
  }
  lmdb::Rc SeekBefore(ByteView wanted) {
    const lmdb::Rc rc = base_.SeekBefore(wanted);
    if (plain()) [[likely]] return rc;
    return SeekMemtables(rc, wanted, false);
  }
  lmdb::Rc Next() {
    if (plain()) [[likely]] return base_.Next();
    return Move();
  }
  lmdb::Rc Previous() {
    if (plain()) [[likely]] return base_.Previous();
    return Move();
  }

  // Good until the cursor moves.
  ByteView key() const { return plain() ? base_.key() : key_; }
  RowVersions versions() const { return plain() ? RowVersions::Stored(base_.value()) : versions_; }

  lmdb::Cursor Release() && { return std::move(base_).Release(); }

 private:
  bool plain() const { return source_.memtable_count == 0; }
  lmdb::Rc SeekMemtables(lmdb::Rc base, ByteView wanted, bool forward);
  lmdb::Rc Move();
  // The next key of all that the parts stand on.
  lmdb::Rc Choose();
  const Memtable::Node* SkipUnseen(const Memtable::Node* node) const;

  const ReadSource& source_;
  LongKeyCursor base_;
  lmdb::Rc base_rc_ = lmdb::Rc::NotFound();
  std::array<const Memtable::Node*, kMemtablesMax> nodes_ = {};
  bool forward_ = true;
  ByteView key_;
  RowVersions versions_;
};

}  // namespace widerow
