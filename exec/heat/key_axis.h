// The vertical axis of a heat map: at most 256 ranges of keys, by the bytes where they begin. Immutable once made.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/bytes.h"

namespace widerow {

inline constexpr size_t kHeatBuckets = 256;

class KeyAxis {
 public:
  // `firsts` ascend, the first one is empty; at least one, at most kHeatBuckets.
  KeyAxis(uint64_t id, std::vector<Bytes> firsts) : id_(id), firsts_(std::move(firsts)) {}

  uint64_t id() const { return id_; }
  size_t size() const { return firsts_.size(); }
  const std::vector<Bytes>& firsts() const { return firsts_; }
  size_t BucketOf(ByteView key) const;

 private:
  const uint64_t id_;  // Within its table.
  const std::vector<Bytes> firsts_;
};
using KeyAxisPtr = std::shared_ptr<const KeyAxis>;

// What was done in one key range within one slice of time. Estimates, see exec/load/operation_sampler.h.
struct HeatCell {
  uint64_t reads = 0, writes = 0;  // Of partitions, each once a statement.
  uint64_t bytes = 0;              // Of the rows read or written.
  uint64_t micros = 0;             // That it took; of a write, until it was answered.

  void Add(const HeatCell& other) {
    reads += other.reads;
    writes += other.writes;
    bytes += other.bytes;
    micros += other.micros;
  }
  bool empty() const { return reads == 0 && writes == 0 && bytes == 0 && micros == 0; }
  friend bool operator==(const HeatCell&, const HeatCell&) = default;
};

// 256 equal parts of the token ring; keys are tokens as eight bytes (storage/format/key_codec.h, PositionOfToken).
const KeyAxisPtr& TokenAxis();

// Adds cells of axis `from` to those of axis `to`. What lies in several buckets of `to` is shared out evenly among those that
// [low, high] meets: the keys that were seen.
void Project(const KeyAxis& from, std::span<const HeatCell> cells, ByteView low, ByteView high, const KeyAxis& to,
             std::span<HeatCell> out);

// Empty cells take no room.
Bytes EncodeCells(std::span<const HeatCell> cells);
// Adds to `cells`. False if the bytes are none, or of more cells.
bool AddEncodedCells(ByteView encoded, std::span<HeatCell> cells);

}  // namespace widerow
