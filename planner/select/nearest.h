// ORDER BY … ANN OF: the rows whose vectors are nearest to a vector, with Cassandra's rules and sentences.
#pragma once

#include "planner/where/group.h"

namespace widerow {

// An ordering ANN OF with its vector.
struct Nearest {
  uint32_t column = 0;  // Index into TableSchema::columns.
  Expression vector;
  SourceRange range;
};

// Prepares the vectors of ANN OF. As in Cassandra, this is done before WHERE is planned. Returns nullopt if there is no
// ANN OF. Returns the last ordering with ANN OF if there are several; CheckOrderings refuses such statements.
Result<std::optional<Nearest>> PrepareNearest(const std::vector<Ordering>& order_by, Planning& planning);

// Refuses ANN OF that is descending or is not the only ordering. Refuses restrictions on its column.
Status CheckOrderings(const std::vector<Ordering>& order_by, const Nearest& nearest, const GroupedWhere& where,
                      const TableSchema& table);

// Finds the index. Refuses columns without one, and conditions that no index serves.
Result<IndexNearest> FindNearestIndex(const Nearest& nearest, const GroupedWhere& where, const TableSchema& table);

}  // namespace widerow
