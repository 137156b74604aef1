// The rows an INSERT, UPDATE or DELETE is about: Cassandra's rules for WHERE in writes.
#pragma once

#include "planner/where/group.h"

namespace widerow {

struct ModifiedRowsRequest {
  ModifyPlan::Kind kind = ModifyPlan::Kind::kInsert;
  bool only_statics = false;  // Only static columns are written: no clustering is needed (or, but for INSERT, allowed).
  SourceRange range;          // What to point at when a key column is missing.
};

// WHERE of UPDATE and DELETE, step 1 (where/resolve.h): CONTAINS has no place there, whatever its column.
Result<std::vector<Restriction>> ResolveWriteWhere(const std::vector<Condition>& where, ModifyPlan::Kind kind,
                                                   Planning& planning);

// Sets the key part of `plan`: partition_key, clustering, has_clustering.
Status SetModifiedRows(std::vector<Restriction> restrictions, const ModifiedRowsRequest& request, ModifyPlan& plan);

}  // namespace widerow
