// The horizontal axis of a table's heat map: slices of time, short ones of the last minutes, longer ones of the days before. A
// slice that falls out of a ring goes into the next one, where several become one; what falls out of the last is forgotten:
//
//   90 of 10 s = 15 min, 60 of 1 min = 1 h, 210 of 2 min = 7 h, 160 of 6 min = 16 h, 288 of 30 min = 6 days, 168 of 4 h = 28 days
//
// Slices in which nothing was done are left out. One thread at a time.
#pragma once

#include <array>
#include <deque>
#include <vector>

#include "exec/heat/key_axis.h"
#include "storage/engine.h"

namespace widerow {

struct HeatSlice {
  int64_t begin_seconds = 0;
  int32_t seconds = 0;
  KeyAxisPtr axis;           // Of by_key.
  Bytes low, high;           // The least and the greatest key in it.
  uint64_t appended = 0;     // Writes whose key was greater than that of every write before.
  Bytes by_key, by_token;    // EncodeCells.
};

class HeatHistory {
 public:
  struct Ring {
    int32_t seconds;
    size_t slices;
  };
  static constexpr std::array<Ring, 6> kRings = {{{10, 90}, {60, 60}, {120, 210}, {360, 160}, {1'800, 288}, {14'400, 168}}};
  static constexpr int32_t kSliceSeconds = kRings[0].seconds;
  static constexpr size_t kBytesMax = 4u << 20;  // Of a table; beyond it the oldest slices go.

  // `slice` is of kSliceSeconds and not older than the one added last.
  void Add(HeatSlice slice);
  // Oldest first.
  std::vector<HeatSlice> Slices() const;
  size_t bytes() const { return bytes_; }

  // What has to be stored since it was asked last, under keys that begin with `prefix`.
  std::vector<StorageNote> TakeChanges(ByteView prefix);
  // Takes over what was stored so. What is damaged is left out.
  void Load(ByteView prefix, const std::vector<StorageNote>& notes);
  // Greater than those of all axes known.
  uint64_t NextAxisId() { return ++last_axis_id_; }

 private:
  struct Kept {
    HeatSlice slice;
    bool stored = false;
  };

  void AddTo(size_t ring, HeatSlice slice);
  void Drop(size_t ring);  // Its oldest slice.
  static void MergeInto(HeatSlice& into, const HeatSlice& slice);

  std::array<std::deque<Kept>, kRings.size()> rings_;
  size_t bytes_ = 0;
  uint64_t last_axis_id_ = 0;
  std::vector<uint64_t> stored_axes_;
  std::vector<Bytes> gone_;  // Keys of notes, without the prefix.
};

}  // namespace widerow
