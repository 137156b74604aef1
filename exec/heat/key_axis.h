// The vertical axis of a heat map: at most 256 key ranges, given by their first keys. Immutable.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "exec/heat/heat_cell.h"

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

// Returns the axis of 256 equal parts of the token ring. Its keys are tokens in the form of PositionOfToken
// (storage/format/key_codec.h). A first key has at most the first byte of this form.
const KeyAxisPtr& TokenAxis();

// Cells on an axis, and the least and the greatest key that they count.
struct CellsOnAxis {
  const KeyAxis& axis;
  std::span<const HeatCell> cells;
  ByteView low, high;
};
// Adds cells to cells of axis `to`. A cell that covers several ranges of `to` is divided evenly among those that
// overlap [low, high]; `reads_guessed` and `writes_guessed` of the parts say how wrong that can be.
void Project(const CellsOnAxis& from, const KeyAxis& to, std::span<HeatCell> out);
// Returns the first keys of the finest ranges to which the cells of `one` and of `other` can be added without dividing
// a cell. A border of one axis is left out if it is within the keys of a cell of the other axis. There are at most
// kHeatBuckets ranges: beyond that, neighboring ranges with little load become one range.
std::vector<Bytes> CommonRanges(const CellsOnAxis& one, const CellsOnAxis& other);

// Returns the first keys of an axis as bytes.
Bytes EncodeFirsts(const std::vector<Bytes>& firsts);
// Returns the first keys; nothing if the bytes are malformed.
std::vector<Bytes> DecodeFirsts(ByteView encoded);

// Returns the cells as bytes; empty cells take no space.
Bytes EncodeCells(std::span<const HeatCell> cells);
// Adds the encoded cells to `cells`. False if the bytes are malformed, or have more cells than `cells`.
bool AddEncodedCells(ByteView encoded, std::span<HeatCell> cells);

}  // namespace widerow
