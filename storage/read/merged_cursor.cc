#include "storage/read/merged_cursor.h"

#include "storage/format/key_codec.h"

namespace widerow {

namespace {

// The cursor seeks after this many steps over keys that are not wanted. Fewer steps are cheaper than a seek.
constexpr int kStepsBeforeSeek = 16;

}  // namespace

const Memtable::Node* MergedCursor::SkipUnseen(const Memtable::Node* node) const {
  while (node != nullptr && node->VersionAt(source_.sequence) == nullptr) {
    node = forward_ ? node->next() : node->previous();
  }
  return node;
}

lmdb::Rc MergedCursor::SeekMemtables(lmdb::Rc base, ByteView wanted, bool forward) {
  base_rc_ = base;
  forward_ = forward;
  for (size_t i = 0; i < source_.memtable_count; ++i) {
    const Memtable& memtable = *source_.memtables[i];
    nodes_[i] = SkipUnseen(forward ? memtable.SeekAtOrAfter(wanted) : memtable.SeekBefore(wanted));
  }
  return Choose();
}

lmdb::Rc MergedCursor::Move() {
  for (size_t i = 0; i < source_.memtable_count; ++i) {
    const Memtable::Node* node = nodes_[i];
    if (node != nullptr && node->key() == key_) nodes_[i] = SkipUnseen(forward_ ? node->next() : node->previous());
  }
  // base_ is moved last, because key_ may point to its bytes.
  if (versions_.stored.has_value()) base_rc_ = forward_ ? base_.Next() : base_.Previous();
  return Choose();
}

void MergedCursor::SkipStored(ByteView prefix) {
  for (int step = 0; base_rc_.ok() && base_.key().starts_with(prefix); ++step) {
    base_rc_ = step < kStepsBeforeSeek ? base_.Next() : base_.SeekAtOrAfter(SuccessorOfPrefix(prefix));
  }
}

const Memtable::Node* MergedCursor::SkipNodes(const Memtable& memtable, const Memtable::Node* node, ByteView prefix) {
  for (int step = 0; node != nullptr && node->key().starts_with(prefix); ++step) {
    node = step < kStepsBeforeSeek ? node->next() : memtable.SeekAtOrAfter(SuccessorOfPrefix(prefix));
  }
  return node;
}

lmdb::Rc MergedCursor::SkipPrefix(ByteView prefix) {
  if (plain()) base_rc_ = lmdb::Rc::Done();
  SkipStored(prefix);
  if (plain()) return base_rc_;
  for (size_t i = 0; i < source_.memtable_count; ++i) {
    nodes_[i] = SkipUnseen(SkipNodes(*source_.memtables[i], nodes_[i], prefix));
  }
  return Choose();
}

lmdb::Rc MergedCursor::Choose() {
  versions_ = {};
  if (base_rc_.failed()) return base_rc_;
  bool any = base_rc_.ok();
  if (any) key_ = base_.key();
  for (size_t i = 0; i < source_.memtable_count; ++i) {
    if (nodes_[i] == nullptr) continue;
    const ByteView key = nodes_[i]->key();
    if (!any || Before(key, key_)) key_ = key;
    any = true;
  }
  if (!any) return lmdb::Rc::NotFound();
  if (base_rc_.ok() && base_.key() == key_) versions_.stored = base_.value();
  fence_ = nullptr;
  for (size_t i = 0; i < source_.memtable_count; ++i) {
    if (nodes_[i] == nullptr) continue;
    if (nodes_[i]->key() == key_) versions_.Add(nodes_[i]->VersionAt(source_.sequence));
    if (fence_ == nullptr || Before(nodes_[i]->key(), fence_->key())) fence_ = nodes_[i];
  }
  return lmdb::Rc::Done();
}

}  // namespace widerow
