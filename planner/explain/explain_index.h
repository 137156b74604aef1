// Makes the parts of EXPLAIN about index scans.
#pragma once

#include <string>

#include "planner/plan.h"

namespace widerow {

// Returns the conditions that the scan looks up: "by_v: 10 and by_w: [1, 5)", "(by_v: 10 or by_w: in (1, 2))",
// "unique local by_v: 10".
std::string PrintConditions(const IndexScan& scan, const TableSchema& table);
// Returns the order of the rows: "stored order", "order of by_v", "reverse order of by_v: [1, 5)".
std::string PrintOrder(const IndexScan& scan, const TableSchema& table);
// Returns "most relevant first, by BM25 of body with words: words fast, table".
std::string DescribeRelevance(const RelevanceOrder& order, const TableSchema& table);
// True if a unique index limits the scan to one row.
bool FindsOneRow(const IndexScan& scan, const TableSchema& table);
// Says what exec decides when the statement runs; empty if nothing is left to decide.
std::string DescribeIndexChoice(const IndexScan& scan);

}  // namespace widerow
