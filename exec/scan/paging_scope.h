// The scope of a paging state: a hash of the rows that a SELECT reads and of their order. Two statements with the same
// scope may continue each other's pages. The scope contains the table, the partitions, the order and the grouping. It
// does not contain the text, the columns, the limits, the filter and the restrictions of clustering columns: a position
// is a key, and each statement continues after that key with the rows that it selects.
#pragma once

#include "exec/rows/paging.h"
#include "exec/scan/bound_access.h"

namespace widerow {

uint64_t ScopeOf(const SelectPlan& plan, const BoundAccess& access);
// Returns the scope for merged partitions. `keys` are the keys of all partitions, in reading order.
uint64_t ScopeOf(const SelectPlan& plan, const std::vector<ByteView>& keys);

// Checks the position of a paging state that a client has sent. Fails if its partition key does not have the form of
// the table's, or if a key is too long.
Status CheckPosition(const TableSchema& table, const PagingState& state);

}  // namespace widerow
