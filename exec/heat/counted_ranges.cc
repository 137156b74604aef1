// Add finds the range of a key with a binary search over eight bytes of each first key (Find). A key below or above all
// earlier keys begins a new outermost range if many keys have already extended the old one (MakeFirstRange,
// MakeLastRange). All keys counted so far are on the other side of the new border, so counts stay exact. When there are
// kHeatBuckets ranges, Join makes about half as many of them. Clear calls Divide between two slices, when all counts
// are zero.
#include "exec/heat/counted_ranges.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace widerow {
namespace {

// After Join, a range has at most 1 / kJoinedRanges of the keys, unless it had more before.
constexpr size_t kJoinedRanges = 96;
// When a new slice of time begins, each range with more than kTooMany times the average number of keys is divided.
constexpr size_t kTooMany = 4;

// Returns the eight bytes after the first `skipped` ones as a number; missing bytes count as zeros.
uint64_t PrefixOf(ByteView key, size_t skipped) {
  if (key.size() >= skipped + sizeof(uint64_t)) return ReadBigEndian<uint64_t>(key.data() + skipped);
  char bytes[sizeof(uint64_t)] = {};
  if (key.size() > skipped) std::memcpy(bytes, key.data() + skipped, key.size() - skipped);
  return ReadBigEndian<uint64_t>(bytes);
}

uint64_t KeysOfOuterRange(const KeySample& keys) {
  return std::max<uint64_t>(4, keys.distinct() / (2 * kJoinedRanges));
}

}  // namespace

CountedRanges::CountedRanges(std::vector<Bytes> firsts)
    : firsts_(std::move(firsts)), cells_(firsts_.size()), few_(firsts_.size() < kHeatBuckets) {
  Index();
}

void CountedRanges::Index() {
  ++version_;
  common_.clear();
  prefixes_.assign(firsts_.size(), 0);
  if (firsts_.size() < 2) return;
  // First keys ascend. So all keys from `low` to `high` begin with the common beginning of these two.
  const Bytes &low = firsts_[1], &high = firsts_.back();
  const auto differ = std::mismatch(low.begin(), low.end(), high.begin(), high.end());
  common_.assign(low.begin(), differ.first);
  for (size_t i = 1; i < firsts_.size(); ++i) prefixes_[i] = PrefixOf(firsts_[i], common_.size());
}

size_t CountedRanges::Find(ByteView key) const {
  const size_t size = firsts_.size();
  if (size == 1) return 0;
  const int side = key.substr(0, common_.size()).compare(common_);
  if (side != 0) return side < 0 ? 0 : size - 1;
  const uint64_t prefix = PrefixOf(key, common_.size());
  const uint64_t* const begin = prefixes_.data() + 1;
  const uint64_t* base = begin;
  for (size_t left = size - 1; left > 0;) {  // Finds the first prefix that is not smaller than `prefix`.
    const size_t half = left / 2;
    const bool smaller = base[half] < prefix;
    base = smaller ? base + half + 1 : base;
    left = smaller ? left - half - 1 : half;
  }
  auto at = static_cast<size_t>(base - begin);  // The range before the one with the prefix found.
  while (at + 1 < size && prefixes_[at + 1] == prefix && ByteView(firsts_[at + 1]) <= key) ++at;
  return at;
}

void CountedRanges::Add(ByteView key, const HeatCell& done, const KeySample& keys) {
  size_t at = Find(key);
  if (few_) [[unlikely]]
    at = MakeRangeOfOneKey(key, at);
  else if (at == 0)
    at = MakeFirstRange(key, keys);
  else if (at + 1 == firsts_.size())
    at = MakeLastRange(key, keys);
  cells_[at].Add(done);
}

// While every range has one key (few_), each new key gets a range.
size_t CountedRanges::MakeRangeOfOneKey(ByteView key, size_t at) {
  if (at == 0 && !least_) {
    least_.emplace(key);
    return 0;
  }
  const ByteView only = at == 0 ? ByteView(*least_) : ByteView(firsts_[at]);
  if (key == only) return at;
  if (firsts_.size() == kHeatBuckets) {
    few_ = false;
    greatest_ = std::max(firsts_.back(), Bytes(key));
    if (least_ && key < ByteView(*least_)) least_->assign(key);
    return at;
  }
  if (key > only) {
    Insert(at + 1, key);
    return at + 1;
  }
  Insert(1, only);
  std::swap(cells_[0], cells_[1]);
  least_->assign(key);
  return 0;
}

size_t CountedRanges::MakeFirstRange(ByteView key, const KeySample& keys) {
  if (least_ && key >= ByteView(*least_)) return 0;
  const std::optional<Bytes> least = std::exchange(least_, Bytes(key));
  if (!least || ++new_least_ <= KeysOfOuterRange(keys)) return 0;
  new_least_ = 0;
  if (firsts_.size() == kHeatBuckets) Join(keys);
  Insert(1, *least);
  std::swap(cells_[0], cells_[1]);
  return 0;
}

size_t CountedRanges::MakeLastRange(ByteView key, const KeySample& keys) {
  const size_t last = firsts_.size() - 1;
  if (greatest_ && key <= ByteView(*greatest_)) return last;
  const std::optional<Bytes> greatest = std::exchange(greatest_, Bytes(key));
  if (!greatest || ++new_greatest_ <= KeysOfOuterRange(keys)) return last;
  new_greatest_ = 0;
  if (firsts_.size() == kHeatBuckets) Join(keys);
  Insert(firsts_.size(), key);
  return firsts_.size() - 1;
}

void CountedRanges::Insert(size_t at, ByteView first) {
  firsts_.insert(firsts_.begin() + static_cast<ptrdiff_t>(at), Bytes(first));
  cells_.insert(cells_.begin() + static_cast<ptrdiff_t>(at), HeatCell());
  if (firsts_.size() > 2 && first.starts_with(common_)) {  // common_ is still the common beginning.
    ++version_;
    prefixes_.insert(prefixes_.begin() + static_cast<ptrdiff_t>(at), PrefixOf(first, common_.size()));
    return;
  }
  Index();
}

std::vector<std::vector<ByteView>> CountedRanges::KeysOfRanges(const KeySample& keys) const {
  std::vector<std::vector<ByteView>> of_ranges(firsts_.size());
  for (const auto& [hash, key] : keys.keys()) of_ranges[Find(key)].push_back(key);
  return of_ranges;
}

void CountedRanges::Join(const KeySample& keys) {
  const size_t most = std::max<size_t>(2, (keys.keys().size() + kJoinedRanges - 1) / kJoinedRanges);
  const std::vector<std::vector<ByteView>> of_ranges = KeysOfRanges(keys);
  std::vector<Bytes> firsts;
  std::vector<HeatCell> cells;
  size_t joined = 0;
  for (size_t i = 0; i < firsts_.size(); ++i) {
    const size_t count = of_ranges[i].size();
    // The last range stays: it takes the keys beyond all others.
    if (i > 0 && i + 1 < firsts_.size() && joined + count <= most) {
      joined += count;
      cells.back().Add(cells_[i]);
      continue;
    }
    joined = count;
    firsts.push_back(std::move(firsts_[i]));
    cells.push_back(cells_[i]);
  }
  firsts_ = std::move(firsts);
  cells_ = std::move(cells);
  Index();
}

void CountedRanges::Clear(const KeySample& keys) {
  std::fill(cells_.begin(), cells_.end(), HeatCell());
  if (few_) return;
  const size_t average = std::max<size_t>(1, keys.keys().size() / kHeatBuckets);
  const std::vector<std::vector<ByteView>> of_ranges = KeysOfRanges(keys);
  const auto has_too_many = [&](const std::vector<ByteView>& range) { return range.size() > kTooMany * average; };
  if (std::any_of(of_ranges.begin(), of_ranges.end(), has_too_many)) Divide(keys);
}

void CountedRanges::Divide(const KeySample& keys) {
  const size_t average = std::max<size_t>(1, keys.keys().size() / kHeatBuckets);
  std::vector<std::vector<ByteView>> of_ranges = KeysOfRanges(keys);
  std::vector<Bytes> firsts;
  for (size_t i = 0; i < of_ranges.size(); ++i) {
    firsts.push_back(firsts_[i]);
    std::vector<ByteView>& range = of_ranges[i];
    if (range.size() <= kTooMany * average) continue;
    std::sort(range.begin(), range.end());
    for (size_t k = 2 * average; k + average < range.size(); k += 2 * average) {
      if (range[k] != ByteView(firsts.back())) firsts.emplace_back(range[k]);
    }
  }
  firsts_ = std::move(firsts);
  cells_.assign(firsts_.size(), HeatCell());
  Index();
  if (firsts_.size() >= kHeatBuckets) Join(keys);
}

std::vector<Bytes> CountedRanges::FirstsOfCounted() const {
  std::vector<Bytes> firsts{Bytes()};
  for (size_t i = 1; i < firsts_.size(); ++i) {
    if (!cells_[i].empty() || !cells_[i - 1].empty()) firsts.push_back(firsts_[i]);
  }
  return firsts;
}

}  // namespace widerow
