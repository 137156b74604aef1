// What SET and DELETE do to single columns.
#pragma once

#include "planner/terms/planning.h"

namespace widerow {

// One assignment of UPDATE … SET, with Cassandra's rules for each kind of column.
Result<CellOperation> PrepareAssignment(const Assignment& assignment, Planning& planning);
// One target of DELETE … FROM.
Result<CellOperation> PrepareDeletion(const DeleteTarget& target, Planning& planning);

}  // namespace widerow
