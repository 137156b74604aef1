// Finds the rows that an INSERT, UPDATE or DELETE writes, with Cassandra's rules for WHERE in writes.
#pragma once

#include "planner/where/group.h"

namespace widerow {

struct ModifiedRowsRequest {
  ModifyPlan::Kind kind = ModifyPlan::Kind::kInsert;
  // True if only static columns are written. The statement then needs no clustering, and only INSERT may give one.
  bool only_statics = false;
  SourceRange range;  // The range of the error for a missing key column.
};

// Resolves the WHERE of an UPDATE or DELETE (planner/where/resolve.h). Refuses CONTAINS on any column.
Result<std::vector<Restriction>> ResolveWriteWhere(const std::vector<Condition>& where, ModifyPlan::Kind kind,
                                                   Planning& planning);

// Sets the key part of `plan`: partition_key, clustering, has_clustering.
Status SetModifiedRows(std::vector<Restriction> restrictions, const ModifiedRowsRequest& request, ModifyPlan& plan);

}  // namespace widerow
