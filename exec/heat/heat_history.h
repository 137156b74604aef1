// The horizontal axis of a table's heat map: slices of time, short ones for the last minutes and longer ones for the
// days before. Each ring has slices of one length. A slice that leaves a ring moves to the next one, where several
// slices become one. A slice that leaves the last ring is forgotten. The rings have
//
//   90 slices of 10 s = 15 min, 60 of 1 min = 1 h, 210 of 2 min = 7 h, 160 of 6 min = 16 h, 288 of 30 min = 6 days,
//   168 of 4 h = 28 days
//
// Slices without operations are left out. Slices that become one keep exact counts, because only whole key ranges are
// joined (CommonRanges). Used by one thread at a time.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <vector>

#include "exec/heat/key_axis.h"
#include "storage/storage_engine.h"

namespace widerow {

struct HeatSlice {
  int64_t begin_seconds = 0;
  int32_t seconds = 0;
  KeyAxisPtr axis;         // The axis of by_key.
  Bytes low, high;         // The least and the greatest key in the slice.
  uint64_t appended = 0;   // The number of rows written with a key greater than all keys written before.
  uint64_t skipped = 0;    // Statements of the server that were not measured (BoundOfSampledReads).
  Bytes by_key, by_token;  // The encoded cells (EncodeCells).
};

class HeatHistory {
 public:
  struct Ring {
    int32_t seconds;
    size_t slices;
  };
  static constexpr std::array<Ring, 6> kRings = {
      {{10, 90}, {60, 60}, {120, 210}, {360, 160}, {1'800, 288}, {14'400, 168}}};
  static constexpr int32_t kSliceSeconds = kRings[0].seconds;
  static constexpr size_t kBytesMax = 4u << 20;  // For each table. Above it the oldest slices are removed.

  // Adds a slice of kSliceSeconds that is not older than the last one added.
  void Add(HeatSlice slice);
  // Returns all slices, oldest first.
  std::vector<HeatSlice> Slices() const;
  // Returns all slices and then `slice`. If the last slice does not begin earlier than `slice`, the two are merged.
  std::vector<HeatSlice> SlicesWith(HeatSlice slice);
  size_t bytes() const { return bytes_; }

  // Returns the notes that have changed since the last call, to be stored. Their keys begin with `prefix`.
  std::vector<StorageNote> TakeChanges(ByteView prefix);
  // Loads the notes that TakeChanges made. Damaged ones are left out.
  void Load(ByteView prefix, const std::vector<StorageNote>& notes);
  // Returns an id greater than those of all known axes.
  uint64_t NextAxisId() { return ++last_axis_id_; }

 private:
  struct Kept {
    HeatSlice slice;
    bool stored = false;
  };

  void AddTo(size_t ring, HeatSlice slice);
  void Drop(size_t ring);  // Deletes the ring's oldest slice.
  void MergeInto(HeatSlice& into, const HeatSlice& slice);
  // Account adds the size of the slice to bytes_, and the size of its axis if no other slice has that axis. Unaccount
  // subtracts them again.
  void Account(const HeatSlice& slice);
  void Unaccount(const HeatSlice& slice);

  std::array<std::deque<Kept>, kRings.size()> rings_;
  size_t bytes_ = 0;
  std::map<uint64_t, size_t> axis_uses_;  // By axis id: the number of slices with this axis.
  uint64_t last_axis_id_ = 0;
  std::vector<uint64_t> stored_axes_;
  std::vector<Bytes> gone_;  // Keys of deleted notes, without the prefix.
};

}  // namespace widerow
