// The vertical axis of a heat map: at most 256 key ranges, given by their first keys. Immutable.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/bytes.h"

namespace widerow {

inline constexpr size_t kHeatBuckets = 256;

class KeyAxis {
 public:
  // `firsts` must ascend, its first key must be empty, and it must have 1 to kHeatBuckets keys.
  KeyAxis(uint64_t id, std::vector<Bytes> firsts) : id_(id), firsts_(std::move(firsts)) {}

  uint64_t id() const { return id_; }
  size_t size() const { return firsts_.size(); }
  const std::vector<Bytes>& firsts() const { return firsts_; }
  // Returns the index of the range that contains `key`.
  size_t BucketOf(ByteView key) const;

 private:
  const uint64_t id_;  // Unique within its table.
  const std::vector<Bytes> firsts_;
};
using KeyAxisPtr = std::shared_ptr<const KeyAxis>;

// The operations in one key range within one slice of time. Estimates, see exec/load/operation_sampler.h.
struct HeatCell {
  uint64_t reads = 0, writes = 0;  // Partitions, each counted once per statement.
  uint64_t bytes = 0;              // Bytes of the rows read or written.
  uint64_t micros = 0;             // Duration; for a write, until its answer.

  void Add(const HeatCell& other) {
    reads += other.reads;
    writes += other.writes;
    bytes += other.bytes;
    micros += other.micros;
  }
  bool empty() const { return reads == 0 && writes == 0 && bytes == 0 && micros == 0; }
  friend bool operator==(const HeatCell&, const HeatCell&) = default;
};

// Returns the axis of 256 equal parts of the token ring. Its keys are tokens as eight bytes
// (storage/format/key_codec.h, PositionOfToken).
const KeyAxisPtr& TokenAxis();

// Adds cells of axis `from` to cells of axis `to`. A cell that covers several ranges of `to` is divided evenly among
// those that overlap [low, high], the range of keys seen.
void Project(const KeyAxis& from, std::span<const HeatCell> cells, ByteView low, ByteView high, const KeyAxis& to,
             std::span<HeatCell> out);

// Returns the cells as bytes; empty cells take no space.
Bytes EncodeCells(std::span<const HeatCell> cells);
// Adds the encoded cells to `cells`. False if the bytes are malformed, or have more cells than `cells`.
bool AddEncodedCells(ByteView encoded, std::span<HeatCell> cells);

}  // namespace widerow
