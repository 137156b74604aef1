// Range tombstones of one partition are kept without overlaps, keyed by where they begin: of two over one place the
// newer stands. Pure functions over the ones that a new deletion meets.
#pragma once

#include "storage/row_codec.h"

namespace widerow {

// `stored`: tombstones of one partition that overlap or touch `added`, in order, not overlapping each other. Answers
// with what is to stand in their place: in order, not overlapping, neighbours of one deletion joined.
std::vector<RangeTombstone> AddRangeTombstone(const std::vector<RangeTombstone>& stored, const RangeTombstone& added);

}  // namespace widerow
