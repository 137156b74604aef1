// Combines range tombstones of one partition such that they do not overlap. Where two would overlap, only the newer one
// is kept. Pure functions.
#pragma once

#include <memory>
#include <vector>

#include "storage/format/row_codec.h"

namespace widerow {

// Adds one tombstone to stored ones. `stored` has the tombstones of the partition that overlap or touch `added`, in
// order and without overlaps. Returns the tombstones to store in their place, in order and without overlaps. Neighbours
// with the same deletion are joined.
std::vector<RangeTombstone> AddRangeTombstone(const std::vector<RangeTombstone>& stored, const RangeTombstone& added);

// The range tombstones of one partition, in order and without overlaps. Several lists may share a tombstone.
using RangeTombstones = std::vector<std::shared_ptr<const RangeTombstone>>;

// Merges two lists. The time is proportional to their lengths. Adds to `bytes_made` the memory of the tombstones that
// the result does not share with `a` or `b`.
RangeTombstones MergeRangeTombstones(const RangeTombstones& a, const RangeTombstones& b, size_t& bytes_made);

// Returns the approximate memory of one shared tombstone, in bytes.
size_t BytesOf(const RangeTombstone& tombstone);

}  // namespace widerow
