// The effects of SET and DELETE on single columns.
#pragma once

#include "planner/terms/planning.h"

namespace widerow {

// Prepares one assignment of UPDATE … SET with Cassandra's rules for each kind of column. `conditional`: the statement
// has IF.
Result<CellOperation> PrepareAssignment(const Assignment& assignment, bool conditional, Planning& planning);
// Prepares one target of DELETE … FROM.
Result<CellOperation> PrepareDeletion(const DeleteTarget& target, Planning& planning);

}  // namespace widerow
