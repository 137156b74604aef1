#include "exec/heat/busy_partitions.h"

#include <algorithm>

namespace widerow {

void BusyPartitions::Add(uint64_t hash, ByteView key, const HeatCell& done) {
  operations_ += done.reads + done.writes;
  if (const auto known = place_.find(hash); known != place_.end()) {
    kept_[known->second].done.Add(done);
    return;
  }
  if (slots_.empty()) {
    if (kept_.size() < kKeptMax) {
      place_.emplace(hash, static_cast<uint32_t>(kept_.size()));
      kept_.push_back({.hash = hash, .key = Bytes(key), .done = done});
      return;
    }
    slots_.resize(kSlots);
  }
  Missed& slot = slots_[SlotOf(hash)];
  if (slot.operations() + done.reads + done.writes > Bar()) [[unlikely]]
    return Replace(hash, key, done);
  slot.reads += done.reads;
  slot.writes += done.writes;
}

void BusyPartitions::Replace(uint64_t hash, ByteView key, const HeatCell& done) {
  const auto least = std::min_element(
      kept_.begin(), kept_.end(), [](const BusyPartition& a, const BusyPartition& b) { return MostOf(a) < MostOf(b); });
  least_ = MostOf(*least);
  Missed& slot = slots_[SlotOf(hash)];
  if (slot.operations() + done.reads + done.writes <= Bar()) {
    slot.reads += done.reads;
    slot.writes += done.writes;
    return;
  }
  const Missed missed = slot;
  PutInSlot(*least);
  place_.erase(least->hash);
  *least = {
      .hash = hash, .key = Bytes(key), .done = done, .reads_missed = missed.reads, .writes_missed = missed.writes};
  place_[hash] = static_cast<uint32_t>(least - kept_.begin());
}

void BusyPartitions::PutInSlot(const BusyPartition& one) {
  Missed& slot = slots_[SlotOf(one.hash)];
  slot.reads = std::max(slot.reads, one.done.reads + one.reads_missed);
  slot.writes = std::max(slot.writes, one.done.writes + one.writes_missed);
}

void BusyPartitions::Add(const BusyPartitions& later) {
  operations_ += later.operations_;
  unnamed_most_ += later.unnamed_most_;
  std::vector<BusyPartition> all = std::move(kept_);
  for (BusyPartition& one : all) {
    const auto found = later.place_.find(one.hash);
    const Missed missed = found == later.place_.end() ? later.MissedOf(one.hash) : Missed();
    one.reads_missed += missed.reads;
    one.writes_missed += missed.writes;
    if (found == later.place_.end()) continue;
    const BusyPartition& again = later.kept_[found->second];
    one.done.Add(again.done);
    one.reads_missed += again.reads_missed;
    one.writes_missed += again.writes_missed;
  }
  for (const BusyPartition& one : later.kept_) {
    if (place_.contains(one.hash)) continue;
    const Missed missed = MissedOf(one.hash);
    all.push_back(one);
    all.back().reads_missed += missed.reads;
    all.back().writes_missed += missed.writes;
  }
  if (slots_.empty() && (!later.slots_.empty() || all.size() > kKeptMax)) slots_.resize(kSlots);
  for (size_t i = 0; i < later.slots_.size(); ++i) {
    slots_[i].reads += later.slots_[i].reads;
    slots_[i].writes += later.slots_[i].writes;
  }
  std::sort(all.begin(), all.end(),
            [](const BusyPartition& a, const BusyPartition& b) { return MostOf(a) > MostOf(b); });
  for (size_t i = kKeptMax; i < all.size(); ++i) PutInSlot(all[i]);
  if (all.size() > kKeptMax) all.resize(kKeptMax);
  kept_ = std::move(all);
  place_.clear();
  for (size_t i = 0; i < kept_.size(); ++i) place_.emplace(kept_[i].hash, static_cast<uint32_t>(i));
  least_ = 0;
}

std::vector<BusyPartition> BusyPartitions::List() const {
  std::vector<BusyPartition> out = kept_;
  for (BusyPartition& one : out) one.reads_missed += unnamed_most_;
  std::sort(out.begin(), out.end(), [](const BusyPartition& a, const BusyPartition& b) {
    return a.operations() != b.operations() ? a.operations() > b.operations() : a.key < b.key;
  });
  return out;
}

void BusyPartitions::Clear() {
  kept_.clear();
  place_.clear();
  slots_.clear();
  least_ = 0;
  operations_ = unnamed_most_ = 0;
}

}  // namespace widerow
