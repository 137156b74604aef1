// The key ranges of the slice of time that is being counted. They follow the keys: the first kHeatBuckets keys have a
// range each; later, each range has some thousandths to some hundredths of all keys. Within a slice, a range is divided
// only where all operations counted in it are on one side of the new border, and only whole ranges are joined. So all
// counts are exact. Used by one thread at a time.
#pragma once

#include <optional>

#include "exec/heat/key_axis.h"
#include "exec/heat/key_sample.h"

namespace widerow {

class CountedRanges {
 public:
  // Begins with the ranges that have these first keys (KeyAxis). Pass one range if no keys are known.
  explicit CountedRanges(std::vector<Bytes> firsts);

  // Counts `done` in the range of `key`. `keys` is the table's sample of keys, which contains `key`.
  void Add(ByteView key, const HeatCell& done, const KeySample& keys);
  // Begins the next slice: sets all counts to zero, and divides ranges with very many keys.
  void Clear(const KeySample& keys);

  const std::vector<Bytes>& firsts() const { return firsts_; }
  const std::vector<HeatCell>& cells() const { return cells_; }
  // Returns the first keys of the ranges, after neighboring ranges without counts have become one range. A range with
  // counts keeps its borders.
  std::vector<Bytes> FirstsOfCounted() const;
  // Changes whenever firsts() changes.
  uint64_t version() const { return version_; }

 private:
  size_t Find(ByteView key) const;
  // `key` is in range `at`. Each of the three functions may make another range for it, and returns the range that `key`
  // is in afterwards.
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
  // For Find: all first keys except the first one begin with common_. prefixes_ has the eight bytes that follow it in
  // each key.
  Bytes common_;
  std::vector<uint64_t> prefixes_;
  uint64_t version_ = 0;

  // While few_ is true, all counted keys of a range are equal: firsts_[i], or least_ in the first range.
  bool few_ = true;
  // The least key added to the first range, and the greatest key added to the last range.
  std::optional<Bytes> least_, greatest_;
  // new_least_: how many keys, since the first range began, were less than all earlier keys. new_greatest_: how many
  // keys, since the last range began, were greater than all earlier keys.
  uint64_t new_least_ = 0, new_greatest_ = 0;
};

}  // namespace widerow
