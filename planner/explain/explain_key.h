// Makes the lines of EXPLAIN about generated key columns, whose values the planner derives from other columns.
#pragma once

#include <string>
#include <vector>

#include "planner/plan.h"

namespace widerow {

// Replaces $1, $2, … in `text` by the values of the first, second, … choice: "bucket=$1" becomes "bucket=0..15".
std::string PrintChoices(std::string text, const std::vector<KeyChoice>& choices, const TableSchema& table);
// Returns one line per column: "bucket from ts: bucket(ts, 16), finite, all 16 values".
std::vector<std::string> DescribeDerived(const std::vector<DerivedColumn>& derived,
                                         const std::vector<KeyChoice>& choices, const TableSchema& table);
// Says in which order a plan with MergedPartitions reads its partitions: "16 partitions at once, by ts".
std::string DescribeMerge(const SelectPlan& plan);

}  // namespace widerow
