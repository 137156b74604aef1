// Record appends an operation to gathered_. PutOnAxes adds gathered operations to the cells of the current slice, on
// the key axis and the token axis. TurnTo closes the slice when its ten seconds are over (CloseSlice) and adds it to
// history_. RenewAxis makes a new key axis as the number of known keys grows. Busy partitions are counted per slice
// (FindHot) and over ten minutes (busy_, busy_before_).

#include "exec/heat/table_heat.h"

#include <xxhash.h>

#include <algorithm>

namespace widerow {

TableHeat::TableHeat(Bytes prefix, const std::vector<StorageNote>& stored)
    : prefix_(std::move(prefix)), by_key_(kHeatBuckets), by_token_(kHeatBuckets) {
  MutexLock lock(mutex_);
  gathered_.reserve(kGatheredMax);
  history_.Load(prefix_, stored);
  for (const HeatSlice& slice : history_.Slices()) {
    // A restart loses the key sample. Only the ranges of the newest axis remain.
    if (axis_ == nullptr || slice.axis->id() > axis_->id()) axis_ = slice.axis;
    greatest_written_ = std::max(greatest_written_, slice.high);
  }
  if (axis_ == nullptr) {
    axis_ = keys_.MakeAxis(history_.NextAxisId());
    return;
  }
  for (const Bytes& first : axis_->firsts()) keys_.Add(first);
  axis_keys_ = keys_.distinct();
}

bool TableHeat::Record(const Operation& operation, int64_t now_seconds) {
  const uint64_t hash = XXH3_64bits(operation.partition_key.data(), operation.partition_key.size());
  MutexLock lock(mutex_);
  TurnTo(now_seconds);
  keys_.Add(operation.ordered_key);
  if (operation.done.writes > 0 && operation.ordered_key > ByteView(greatest_written_)) {
    if (!greatest_written_.empty()) appended_ += operation.done.writes;
    greatest_written_.assign(operation.ordered_key);
  }
  gathered_.push_back({gathered_keys_.size(), operation.ordered_key.size(),
                       static_cast<uint8_t>(operation.token_position >> 56), operation.done});
  gathered_keys_ += operation.ordered_key;
  const BusyPartition done{.operations = operation.done.reads + operation.done.writes,
                           .reads = operation.done.reads,
                           .writes = operation.done.writes,
                           .bytes = operation.done.bytes,
                           .micros = operation.done.micros};
  busy_in_slice_.Add(hash, operation.partition_key, done);
  busy_.Add(hash, operation.partition_key, done);
  if (gathered_.size() >= kGatheredMax) PutOnAxes();
  return !hot_.empty() && hot_.contains(hash);
}

void TableHeat::TurnTo(int64_t now_seconds) {
  const int64_t begin = now_seconds - now_seconds % HeatHistory::kSliceSeconds;
  if (begin <= slice_begin_ && slice_begin_ != 0) return;  // A clock that goes back starts no slice.
  CloseSlice();
  slice_begin_ = begin;
  if (busy_begin_ == 0) busy_begin_ = begin;
  if (begin - busy_begin_ < kBusySeconds) return;
  busy_before_ = begin - busy_begin_ < 2 * kBusySeconds ? std::move(busy_) : BusyPartitions();
  busy_.Clear();
  busy_begin_ = begin;
}

void TableHeat::CloseSlice() {
  PutOnAxes();
  if (any_) {
    FindHot();
    history_.Add(SliceSoFar());
  }
  busy_in_slice_.Clear();
  std::fill(by_key_.begin(), by_key_.end(), HeatCell());
  std::fill(by_token_.begin(), by_token_.end(), HeatCell());
  low_.clear();
  high_.clear();
  any_ = false;
  appended_ = 0;
}

HeatSlice TableHeat::SliceSoFar() const {
  return {.begin_seconds = slice_begin_,
          .seconds = HeatHistory::kSliceSeconds,
          .axis = axis_,
          .low = low_,
          .high = high_,
          .appended = appended_,
          .by_key = EncodeCells(std::span(by_key_).first(axis_->size())),
          .by_token = EncodeCells(by_token_)};
}

void TableHeat::PutOnAxes() {
  if (gathered_.empty()) return;
  RenewAxis();
  for (const Gathered& one : gathered_) {
    const ByteView key = ByteView(gathered_keys_).substr(one.key_begin, one.key_size);
    by_key_[axis_->BucketOf(key)].Add(one.done);
    by_token_[one.token_bucket].Add(one.done);
    if (!any_ || key < ByteView(low_)) low_.assign(key);
    if (!any_ || key > ByteView(high_)) high_.assign(key);
    any_ = true;
  }
  gathered_.clear();
  gathered_keys_.clear();
}

// Makes a new axis when the number of keys has grown by a quarter; a growing table gets some dozens of axes in its
// life.
void TableHeat::RenewAxis() {
  const uint64_t keys = keys_.distinct();
  if (keys <= axis_keys_ + axis_keys_ / 4) return;
  const KeyAxisPtr next = keys_.MakeAxis(history_.NextAxisId());
  std::vector<HeatCell> moved(kHeatBuckets);
  if (any_) Project(*axis_, by_key_, low_, high_, *next, moved);
  by_key_ = std::move(moved);
  axis_ = next;
  axis_keys_ = keys;
}

void TableHeat::FindHot() {
  constexpr double kSeconds = HeatHistory::kSliceSeconds;
  for (const BusyPartition& busy : busy_in_slice_.List()) {
    const double reads = static_cast<double>(busy.reads) / kSeconds,
                 writes = static_cast<double>(busy.writes) / kSeconds;
    if (reads < kHotReads && writes < kHotWrites) continue;
    HotPartition& hot = hot_[busy.hash];
    if (reads + writes <= hot.reads_a_second + hot.writes_a_second) continue;
    hot = {.key = busy.key, .reads_a_second = reads, .writes_a_second = writes, .at_seconds = slice_begin_};
  }
  while (hot_.size() > kHotMax) {
    hot_.erase(std::min_element(hot_.begin(), hot_.end(), [](const auto& a, const auto& b) {
      return a.second.at_seconds < b.second.at_seconds;
    }));
  }
}

HeatSnapshot TableHeat::Snapshot(int64_t now_seconds) {
  HeatSnapshot snapshot;
  MutexLock lock(mutex_);
  TurnTo(now_seconds);
  PutOnAxes();
  snapshot.slices = history_.Slices();
  if (any_) snapshot.slices.push_back(SliceSoFar());
  snapshot.axis = axis_;
  snapshot.distinct_keys = keys_.distinct();
  BusyPartitions both = busy_before_;
  for (const BusyPartition& busy : busy_.List()) both.Add(busy.hash, busy.key, busy);
  snapshot.busy = both.List();
  snapshot.busy_seconds = now_seconds - busy_begin_ + (busy_before_.operations() > 0 ? kBusySeconds : 0);
  for (const auto& [hash, hot] : hot_) snapshot.hot.push_back(hot);
  return snapshot;
}

std::vector<StorageNote> TableHeat::TakeChanges(int64_t now_seconds) {
  MutexLock lock(mutex_);
  TurnTo(now_seconds);
  CloseSlice();  // Later operations of the same ten seconds are added to it.
  return history_.TakeChanges(prefix_);
}

int64_t TableHeat::last_used_seconds() const {
  MutexLock lock(mutex_);
  return slice_begin_;
}

}  // namespace widerow
