// Range tombstones of one partition are stored without overlaps; the key of each is its beginning. Where two would
// overlap, only the newer one is kept. Pure functions on the tombstones that a new deletion overlaps or touches.
#pragma once

#include "storage/format/row_codec.h"

namespace widerow {

// `stored`: the tombstones of one partition that overlap or touch `added`, in order, not overlapping. Returns the
// tombstones to store instead: in order, not overlapping, neighbours with the same deletion joined.
std::vector<RangeTombstone> AddRangeTombstone(const std::vector<RangeTombstone>& stored, const RangeTombstone& added);

}  // namespace widerow
