// The key ranges of the slice of time that is being counted. They follow the keys: the first kHeatBuckets keys have a
// range each; later, each range has some thousandths to some hundredths of all keys. Within a slice a range is divided
// only where everything counted in it is on one side of the new border, and ranges become one as a whole. So all
// counts are exact. One thread at a time.
#pragma once

#include <optional>

#include "exec/heat/key_axis.h"
#include "exec/heat/key_sample.h"

namespace widerow {

class CountedRanges {
 public:
  // Begins with these first keys (KeyAxis); an axis of one range: no keys are known.
  explicit CountedRanges(std::vector<Bytes> firsts);

  // Counts `done` in the range of `key`. `keys` is the table's sample, which has `key`.
  void Add(ByteView key, const HeatCell& done, const KeySample& keys);
  // Begins the next slice: nothing is counted, and ranges with very many keys are divided.
  void Clear(const KeySample& keys);

  const std::vector<Bytes>& firsts() const { return firsts_; }
  const std::vector<HeatCell>& cells() const { return cells_; }
  // Returns the first keys of as few ranges as separate the counted cells.
  std::vector<Bytes> FirstsOfCounted() const;
  // Changes whenever firsts() changes.
  uint64_t version() const { return version_; }

 private:
  size_t Find(ByteView key) const;
  // `at` is the range of `key`. These functions may make another range for it, and return its range.
  size_t MakeRangeOfOneKey(ByteView key, size_t at);
  size_t MakeFirstRange(ByteView key, const KeySample& keys);
  size_t MakeLastRange(ByteView key, const KeySample& keys);
  // Makes a range that begins at `first`, at place `at`, with an empty cell.
  void Insert(size_t at, ByteView first);
  void Join(const KeySample& keys);
  void Divide(const KeySample& keys);
  std::vector<std::vector<ByteView>> KeysOfRanges(const KeySample& keys) const;
  void Index();

  std::vector<Bytes> firsts_;
  std::vector<HeatCell> cells_;
  // For Find: the first keys but the first one have common_ as their beginning; prefixes_ has the eight bytes after it.
  Bytes common_;
  std::vector<uint64_t> prefixes_;
  uint64_t version_ = 0;

  // While few_ is true, all counted keys of a range are equal: firsts_[i], or least_ in the first range.
  bool few_ = true;
  std::optional<Bytes> least_, greatest_;      // Of the keys added to the first range, and to the last one.
  uint64_t new_least_ = 0, new_greatest_ = 0;  // Keys beyond all earlier ones since the outer ranges began.
};

}  // namespace widerow
