// A long key is stored as a path of links, each in the child space of the previous link. The last part of the path is a
// short key in the last space. GetLong, PutLong and DeleteLong follow the path from the beginning. LongKeyCursor keeps
// the path in links_. On a link it moves into the child space. After the end of a space it moves back to the link and
// then on (SettleForward, SettleBackward).
#include "storage/lmdb/long_keys.h"

#include <array>

#include "base/limits.h"
#include "storage/format/key_codec.h"

namespace widerow {

using lmdb::Db;
using lmdb::Rc;

namespace {

constexpr size_t kStoredMax = limits::kLmdbKeyBytesMax;
static_assert(kStoredMax == 511, "the format: links are stored keys of 511 bytes");
constexpr size_t kLinkValueBytes = 8;
// Twice the number of links in the longest key. More links mean that the file is damaged.
constexpr size_t kDepthMax = 4'096;

Bytes ChildPrefix(ByteView child_id) {
  Bytes out;
  out.reserve(kStoredMax);
  AppendStorageId(kChildSpaceId, out);
  out.append(child_id);
  return out;
}

// Returns the stored key for `prefix` + `rest`: at most kStoredMax bytes of it. Removes from `rest` what is stored
// here. What remains in `rest` is stored in the child space.
Bytes StoredPart(ByteView prefix, ByteView& rest) {
  Bytes stored(prefix);
  const size_t taken = std::min(rest.size(), kStoredMax - prefix.size());
  stored.append(rest.substr(0, taken));
  rest.remove_prefix(taken);
  return stored;
}

}  // namespace

Rc GetLong(lmdb::TxnRef txn, ByteView key, ByteView& value) {
  if (key.size() < kStoredMax) [[likely]]
    return txn.Get(Db::kData, key, value);
  Bytes prefix;
  ByteView rest = key;
  while (true) {
    const Bytes stored = StoredPart(prefix, rest);
    const Rc rc = txn.Get(Db::kData, stored, value);
    if (!rc.ok() || stored.size() < kStoredMax) return rc;
    if (value.size() != kLinkValueBytes) return Rc::Damaged();
    prefix = ChildPrefix(value);
  }
}

Rc PutLong(lmdb::WriteTxn& txn, ChildIds& ids, ByteView key, ByteView value) {
  if (key.size() < kStoredMax) [[likely]]
    return txn.Put(Db::kData, key, value);
  Bytes prefix;
  ByteView rest = key;
  while (true) {
    const Bytes stored = StoredPart(prefix, rest);
    if (stored.size() < kStoredMax) return txn.Put(Db::kData, stored, value);
    ByteView link;
    Rc rc = txn.ref().Get(Db::kData, stored, link);
    if (rc.failed()) return rc;
    if (rc.ok() && link.size() != kLinkValueBytes) return Rc::Damaged();
    Bytes child(link);
    if (rc.not_found()) {
      child.clear();
      AppendBigEndian(child, ids.next++);
      if (rc = txn.Put(Db::kData, stored, child); !rc.ok()) return rc;
    }
    prefix = ChildPrefix(child);
  }
}

Rc DeleteLong(lmdb::WriteTxn& txn, ByteView key) {
  if (key.size() < kStoredMax) [[likely]]
    return txn.Delete(Db::kData, key);
  std::vector<Bytes> path;  // The stored keys of the links, from the first one on.
  Bytes prefix;
  ByteView rest = key;
  while (true) {
    path.push_back(StoredPart(prefix, rest));
    if (path.back().size() < kStoredMax) break;
    ByteView link;
    const Rc rc = txn.ref().Get(Db::kData, path.back(), link);
    if (!rc.ok()) return rc;
    if (link.size() != kLinkValueBytes) return Rc::Damaged();
    prefix = ChildPrefix(link);
  }
  while (true) {
    const Rc rc = txn.Delete(Db::kData, path.back());
    if (!rc.ok() || path.size() == 1) return rc;
    const Bytes space = path.back().substr(0, kChildPrefixBytes);
    ByteView found, value;
    const Rc seek = txn.ref().GetAtOrAfter(Db::kData, space, found, value);
    if (seek.failed()) return seek;
    if (seek.ok() && found.starts_with(space)) return Rc::Done();
    path.pop_back();
  }
}

bool LongKeyCursor::InSpace() const { return space_.empty() ? !InChildSpaces(stored_) : stored_.starts_with(space_); }

void LongKeyCursor::Assemble() {
  if (links_.empty()) return;
  assembled_.assign(links_[0]);
  for (size_t i = 1; i < links_.size(); ++i) assembled_.append(links_[i], kChildPrefixBytes);
  assembled_.append(stored_.substr(kChildPrefixBytes));
}

// Moves from a link to the first or the last entry of its child space.
Rc LongKeyCursor::Descend(bool to_first) {
  if (value_.size() != kLinkValueBytes || links_.size() >= kDepthMax) return Rc::Damaged();
  links_.emplace_back(stored_);
  space_ = ChildPrefix(value_);
  Rc rc = Rc::Done();
  if (to_first) {
    rc = cursor_.SeekAtOrAfter(space_, stored_, value_);
  } else {
    const Bytes past = SuccessorOfPrefix(space_);
    rc = past.empty() ? Rc::NotFound() : cursor_.SeekAtOrAfter(past, stored_, value_);
    if (rc.ok())
      rc = cursor_.Previous(stored_, value_);
    else if (rc.not_found())
      rc = cursor_.Last(stored_, value_);
  }
  // An empty child space means damage, because a space is removed with its last key.
  if (rc.not_found() || (rc.ok() && !InSpace())) return Rc::Damaged();
  return rc;
}

// Moves from a child space back to the link that leads to it.
Rc LongKeyCursor::Ascend() {
  const Bytes link = std::move(links_.back());
  links_.pop_back();
  space_ = links_.empty() ? Bytes() : link.substr(0, kChildPrefixBytes);
  const Rc rc = cursor_.SeekExact(link, stored_, value_);
  return rc.not_found() ? Rc::Damaged() : rc;
}

Rc LongKeyCursor::SettleForward(Rc rc) {
  while (true) {
    if (rc.failed()) return rc;
    if (rc.not_found() || !InSpace()) {
      if (links_.empty()) return Rc::NotFound();
      if (rc = Ascend(); !rc.ok()) return rc;
      rc = cursor_.Next(stored_, value_);
      continue;
    }
    if (stored_.size() < kStoredMax) {
      Assemble();
      return rc;
    }
    rc = Descend(true);
  }
}

Rc LongKeyCursor::SettleBackward(Rc rc) {
  while (true) {
    if (rc.failed()) return rc;
    if (rc.not_found() || !InSpace()) {
      if (links_.empty()) return Rc::NotFound();
      if (rc = Ascend(); !rc.ok()) return rc;
      rc = cursor_.Previous(stored_, value_);
      continue;
    }
    if (stored_.size() < kStoredMax) {
      Assemble();
      return rc;
    }
    rc = Descend(false);
  }
}

Rc LongKeyCursor::SeekAtOrAfter(ByteView wanted) {
  links_.clear();
  space_.clear();
  // LMDB has no empty keys, so an empty `wanted` is replaced by the smallest key.
  ByteView rest = wanted.empty() ? ByteView("\0", 1) : wanted;
  while (true) {
    if (space_.empty() && rest.size() < kStoredMax) [[likely]] {
      return SettleForward(cursor_.SeekAtOrAfter(rest, stored_, value_));
    }
    const Bytes stored = StoredPart(space_, rest);
    const Rc rc = cursor_.SeekAtOrAfter(stored, stored_, value_);
    if (stored.size() < kStoredMax || !rc.ok() || stored_ != stored) return SettleForward(rc);
    if (value_.size() != kLinkValueBytes || links_.size() >= kDepthMax) return Rc::Damaged();
    links_.push_back(stored);
    space_ = ChildPrefix(value_);
  }
}

// Moves to the last whole key. This is the last stored key before the child spaces or, if that is a link, the last key
// in its child space.
Rc LongKeyCursor::SeekEndOfRoot() {
  links_.clear();
  space_.clear();
  Bytes past;
  AppendStorageId(kChildSpaceId, past);
  Rc rc = cursor_.SeekAtOrAfter(past, stored_, value_);
  if (rc.ok())
    rc = cursor_.Previous(stored_, value_);
  else if (rc.not_found())
    rc = cursor_.Last(stored_, value_);
  return SettleBackward(rc);
}

Rc LongKeyCursor::SeekBefore(ByteView wanted) {
  const Rc rc = SeekAtOrAfter(wanted);
  if (rc.failed()) return rc;
  return rc.ok() ? Previous() : SeekEndOfRoot();
}

}  // namespace widerow
