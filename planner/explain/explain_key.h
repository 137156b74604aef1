// Lines of EXPLAIN about derived keys.
#pragma once

#include <string>
#include <vector>

#include "planner/plan.h"

namespace widerow {

// `text` with what the choices are for their $1, $2, …: "bucket=$1" is "bucket=0..15".
std::string PrintChoices(std::string text, const std::vector<KeyChoice>& choices, const TableSchema& table);
// A line a column: "bucket from ts: bucket(ts, 16), finite, all 16 values".
std::vector<std::string> DescribeDerived(const std::vector<DerivedColumn>& derived, const std::vector<KeyChoice>& choices,
                                         const TableSchema& table);
// "16 partitions at once, by ts": how the rows of a MergedPartitions come together.
std::string DescribeMerge(const SelectPlan& plan);

}  // namespace widerow
