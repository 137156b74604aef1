// Range tombstones of one partition are stored without overlaps; the key of each is its beginning. Where two would
// overlap, only the newer one is kept. Pure functions.
#pragma once

#include <memory>
#include <vector>

#include "storage/format/row_codec.h"

namespace widerow {

// `stored`: the tombstones of one partition that overlap or touch `added`, in order, not overlapping. Returns the
// tombstones to store instead: in order, not overlapping, neighbours with the same deletion joined.
std::vector<RangeTombstone> AddRangeTombstone(const std::vector<RangeTombstone>& stored, const RangeTombstone& added);

// Range tombstones of one partition in order, not overlapping. Several lists may share a tombstone.
using RangeTombstones = std::vector<std::shared_ptr<const RangeTombstone>>;

// Merges two lists into one such list, in time proportional to their lengths. Adds to `bytes_made` the bytes of the
// tombstones that the result does not share with `a` or `b`.
RangeTombstones MergeRangeTombstones(const RangeTombstones& a, const RangeTombstones& b, size_t& bytes_made);

// Returns the approximate number of bytes of memory that one shared tombstone takes.
size_t BytesOf(const RangeTombstone& tombstone);

}  // namespace widerow
