// Add puts operations on the key axis (CountedRanges) and on the token axis, and counts their partitions. EndSlice adds
// the slice to history_, with an axis of its ranges. Busy partitions are counted per slice (FindHot) and over ten
// minutes (busy_, busy_before_).

#include "exec/heat/table_heat.h"

#include <xxhash.h>

#include <algorithm>

#include "exec/heat/heat_key.h"

namespace widerow {
namespace {

constexpr char kRangesNote = 'C';

uint64_t HashOf(ByteView partition_key) { return XXH3_64bits(partition_key.data(), partition_key.size()); }

std::vector<Bytes> RangesOf(ByteView prefix, const std::vector<StorageNote>& stored) {
  std::vector<Bytes> firsts;
  for (const StorageNote& note : stored) {
    const ByteView key = ByteView(note.key).substr(prefix.size());
    if (key == ByteView(&kRangesNote, 1)) firsts = DecodeFirsts(*note.value);
  }
  return firsts.empty() ? std::vector<Bytes>(1) : firsts;
}

}  // namespace

TableHeat::TableHeat(Bytes prefix, const std::vector<StorageNote>& stored)
    : prefix_(std::move(prefix)), ranges_(RangesOf(prefix_, stored)), by_token_(kHeatBuckets) {
  MutexLock lock(mutex_);
  history_.Load(prefix_, stored);
  for (const HeatSlice& slice : history_.Slices()) greatest_written_ = std::max(greatest_written_, slice.high);
  greatest_of_round_ = greatest_seen_ = greatest_written_;
  // A restart loses the key sample. The first keys of the stored ranges are the beginning of the new sample.
  for (const Bytes& first : ranges_.firsts()) {
    if (!first.empty()) keys_.Add(first);
  }
  RenewAxis();
  stored_version_ = axis_version_;
}

void TableHeat::Add(const HeatOperations& operations, const HeatOperations::Run& run, Source source,
                    int64_t slice_begin) {
  const TableSchema& table = *run.table;
  MutexLock lock(mutex_);
  slice_begin_ = std::max(slice_begin_, slice_begin);
  if (source.round != source_.round) greatest_written_ = greatest_of_round_;
  // The threads whose operations are added in one round ran at the same time. So a key counts as greater than all keys
  // before it if it is greater than those of earlier rounds and those of its own thread.
  if (source.round != source_.round || source.thread != source_.thread) greatest_seen_ = greatest_written_;
  source_ = source;
  size_t partition_size = 0;  // The size of the partition's part of key_.
  uint64_t hash = 0;
  uint8_t token_bucket = 0;
  ByteView partition_key;
  for (size_t i = run.begin; i < run.end; ++i) {
    const HeatOperations::Operation& operation = operations.operation(i);
    if (i == run.begin || operation.partition_begin != operations.operation(i - 1).partition_begin) {
      partition_key = operations.bytes(operation.partition_begin, operation.partition_size);
      hash = HashOf(partition_key);
      token_bucket = TokenBucketOf(table, partition_key);
      key_.clear();
      AppendOrderedPartition(table, partition_key, key_);
      partition_size = key_.size();
    }
    key_.resize(partition_size);
    key_ += operations.bytes(operation.clustering_begin, operation.clustering_size);
    if (key_.size() > kHeatKeyBytesMax) key_.resize(kHeatKeyBytesMax);
    AddRow(key_, operation.done);
    by_token_[token_bucket].Add(operation.done);
    busy_in_slice_.Add(hash, partition_key, operation.done.OfOne(operation.partitions));
  }
  busy_in_slice_.AddUnnamed(run.unnamed_reads, run.unnamed_reads_most);
  greatest_of_round_ = std::max(greatest_of_round_, greatest_seen_);
}

void TableHeat::AddRow(ByteView key, const HeatCell& done) {
  keys_.Add(key);
  ranges_.Add(key, done, keys_);
  if (!any_ || key < ByteView(low_)) low_.assign(key);
  if (!any_ || key > ByteView(high_)) high_.assign(key);
  any_ = true;
  if (done.writes == 0 || key <= ByteView(greatest_seen_)) return;
  if (!greatest_seen_.empty()) appended_ += done.writes;
  greatest_seen_.assign(key);
}

std::optional<HotPartition> TableHeat::HotPartitionOf(ByteView partition_key) const {
  MutexLock lock(mutex_);
  if (hot_.empty()) return std::nullopt;
  const auto found = hot_.find(HashOf(partition_key));
  return found == hot_.end() ? std::nullopt : std::optional(found->second);
}

void TableHeat::RenewAxis() {
  if (axis_ != nullptr && axis_version_ == ranges_.version()) return;
  axis_ = std::make_shared<const KeyAxis>(history_.NextAxisId(), ranges_.firsts());
  axis_version_ = ranges_.version();
}

HeatSlice TableHeat::SliceSoFar(const HeatTime& time) {
  HeatSlice slice{.begin_seconds = slice_begin_,
                  .seconds = HeatHistory::kSliceSeconds,
                  .low = low_,
                  .high = high_,
                  .appended = appended_,
                  .skipped = time.skipped - std::min(time.skipped, skipped_put_away_),
                  .by_token = EncodeCells(by_token_)};
  RenewAxis();
  slice.axis = axis_;
  slice.by_key = EncodeCells(ranges_.cells());
  return slice;
}

void TableHeat::PutAway(const HeatTime& time) {
  if (!any_) return;
  const bool same_axis = axis_version_ == ranges_.version();
  std::vector<Bytes> counted = ranges_.FirstsOfCounted();
  HeatSlice slice = SliceSoFar(time);
  if (!same_axis && 2 * counted.size() < axis_->size()) {
    // In a table with growing keys, the keys of a slice are in few of the ranges. The slice gets an axis of its own
    // with only the ranges that it needs.
    auto axis = std::make_shared<const KeyAxis>(history_.NextAxisId(), std::move(counted));
    std::vector<HeatCell> cells(axis->size());
    Project({*axis_, ranges_.cells(), low_, high_}, *axis, cells);
    slice.by_key = EncodeCells(cells);
    slice.axis = std::move(axis);
  }
  skipped_put_away_ += slice.skipped;
  history_.Add(std::move(slice));
  ranges_.Clear(keys_);
  std::fill(by_token_.begin(), by_token_.end(), HeatCell());
  low_.clear();
  high_.clear();
  any_ = false;
  appended_ = 0;
}

void TableHeat::EndSlice(const HeatTime& time) {
  MutexLock lock(mutex_);
  PutAway(time);
  skipped_put_away_ = 0;
  busy_.skipped += time.skipped;
  if (busy_in_slice_.operations() > 0) {
    FindHot(time);
    busy_.partitions.Add(busy_in_slice_);
    busy_in_slice_.Clear();
  }
  RenewBusy(time.slice_begin + HeatHistory::kSliceSeconds);
}

void TableHeat::RenewBusy(int64_t slice_begin) {
  if (busy_begin_ == 0) busy_begin_ = slice_begin;
  if (slice_begin - busy_begin_ < kBusySeconds) return;
  busy_before_ = slice_begin - busy_begin_ < 2 * kBusySeconds ? std::move(busy_) : Busy();
  busy_ = Busy();
  busy_begin_ = slice_begin;
}

void TableHeat::FindHot(const HeatTime& time) {
  constexpr double kSeconds = HeatHistory::kSliceSeconds;
  const auto a_second = [](uint64_t count) { return static_cast<double>(count) / kSeconds; };
  for (const BusyPartition& busy : busy_in_slice_.List()) {
    const HotPartition found{.key = busy.key,
                             .reads_a_second = a_second(busy.done.reads),
                             .writes_a_second = a_second(busy.done.writes),
                             .reads_error = a_second(busy.ReadsError(time.skipped)),
                             .writes_error = a_second(busy.WritesError()),
                             .at_seconds = time.slice_begin};
    const bool is_hot = found.reads_a_second - found.reads_error >= kHotReads ||
                        found.writes_a_second - found.writes_error >= kHotWrites;
    if (!is_hot) continue;
    HotPartition& hot = hot_[busy.hash];
    if (found.reads_a_second + found.writes_a_second > hot.reads_a_second + hot.writes_a_second) hot = found;
  }
  while (hot_.size() > kHotMax) {
    hot_.erase(std::min_element(hot_.begin(), hot_.end(), [](const auto& a, const auto& b) {
      return a.second.at_seconds < b.second.at_seconds;
    }));
  }
}

HeatSnapshot TableHeat::Snapshot(const HeatTime& time, int64_t now_seconds) {
  HeatSnapshot snapshot;
  MutexLock lock(mutex_);
  RenewBusy(time.slice_begin);
  snapshot.slices = any_ ? history_.SlicesWith(SliceSoFar(time)) : history_.Slices();
  RenewAxis();
  snapshot.axis = axis_;
  snapshot.distinct_keys = keys_.distinct();
  BusyPartitions all = busy_before_.partitions;
  all.Add(busy_.partitions);
  all.Add(busy_in_slice_);
  snapshot.busy = all.List();
  snapshot.busy_operations = all.operations();
  snapshot.busy_skipped = busy_before_.skipped + busy_.skipped + time.skipped;
  snapshot.busy_seconds = now_seconds - busy_begin_ + (busy_before_.partitions.operations() > 0 ? kBusySeconds : 0);
  for (const auto& [hash, hot] : hot_) snapshot.hot.push_back(hot);
  return snapshot;
}

std::vector<StorageNote> TableHeat::TakeChanges(const HeatTime& time) {
  MutexLock lock(mutex_);
  PutAway(time);  // Later operations of this slice of time are merged into the slice that this call adds.
  RenewAxis();
  std::vector<StorageNote> notes = history_.TakeChanges(prefix_);
  if (std::exchange(stored_version_, axis_version_) != axis_version_) {
    notes.push_back({prefix_ + kRangesNote, EncodeFirsts(axis_->firsts())});
  }
  return notes;
}

int64_t TableHeat::last_used_seconds() const {
  MutexLock lock(mutex_);
  return slice_begin_;
}

}  // namespace widerow
