#include "exec/scan/slice_merger.h"

#include <cstring>

namespace widerow {
namespace {

// Returns eight bytes of `key` from `at` on, padded with zeros, as a number that compares as the bytes do.
uint64_t WordAt(ByteView key, size_t at) {
  if (key.size() >= at + sizeof(uint64_t)) return ReadBigEndian<uint64_t>(key.data() + at);
  char bytes[sizeof(uint64_t)] = {};
  if (key.size() > at) std::memcpy(bytes, key.data() + at, key.size() - at);
  return ReadBigEndian<uint64_t>(bytes);
}

}  // namespace

Status SliceMerger::Open(ReadView& view, std::span<const Slice> slices) {
  Close();
  heads_.resize(slices.size());
  for (size_t i = 0; i < slices.size(); ++i) {
    Head& head = heads_[i];
    WR_ASSIGN_OR_RETURN(head.cursor, view.OpenSlice(slices[i]));
    WR_ASSIGN_OR_RETURN(const bool found, head.cursor->Next(head.row));
    if (!found) continue;
    TakeWords(head);
    heap_.push_back(static_cast<uint32_t>(i));
  }
  for (size_t at = heap_.size() / 2; at-- > 0;) SiftDown(at);
  return OkStatus();
}

void SliceMerger::Close() {
  heap_.clear();
  heads_.clear();
}

void SliceMerger::TakeWords(Head& head) {
  head.first = WordAt(head.row.clustering, 0);
  head.second = WordAt(head.row.clustering, sizeof(uint64_t));
}

bool SliceMerger::ComesBefore(uint32_t left, uint32_t right) const {
  const Head& l = heads_[left];
  const Head& r = heads_[right];
  if (l.first != r.first) return (l.first < r.first) == forward_;
  if (l.second != r.second) return (l.second < r.second) == forward_;
  return DiffersBehindWords(left, right);
}

bool SliceMerger::DiffersBehindWords(uint32_t left, uint32_t right) const {
  const int order = heads_[left].row.clustering.compare(heads_[right].row.clustering);
  return order != 0 ? (order < 0) == forward_ : left < right;
}

void SliceMerger::SiftDown(size_t at) {
  const uint32_t moved = heap_[at];
  while (true) {
    size_t child = 2 * at + 1;
    if (child >= heap_.size()) break;
    if (child + 1 < heap_.size() && ComesBefore(heap_[child + 1], heap_[child])) ++child;
    if (!ComesBefore(heap_[child], moved)) break;
    heap_[at] = heap_[child];
    at = child;
  }
  heap_[at] = moved;
}

Status SliceMerger::Next() {
  Head& head = heads_[heap_[0]];
  WR_ASSIGN_OR_RETURN(const bool found, head.cursor->Next(head.row));
  if (!found) {
    DropSlice();
    return OkStatus();
  }
  TakeWords(head);
  SiftDown(0);
  return OkStatus();
}

void SliceMerger::DropSlice() {
  heads_[heap_[0]].cursor.reset();
  heap_[0] = heap_.back();
  heap_.pop_back();
  if (!heap_.empty()) SiftDown(0);
}

}  // namespace widerow
