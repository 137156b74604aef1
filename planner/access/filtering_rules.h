// Cassandra's rules for ALLOW FILTERING and for the use of indexes. Pure functions, any thread.
#pragma once

#include "planner/access/choose_access_path.h"
#include "planner/where/index_choice.h"

namespace widerow {

// Cassandra's sentence for a statement that needs ALLOW FILTERING.
inline constexpr const char* kNeedsFiltering =
    "Cannot execute this query as it might involve data filtering and thus may have unpredictable performance. If you "
    "want to execute this query despite the performance unpredictability, use ALLOW FILTERING";

// The way in which Cassandra would run a statement.
struct CassandraRun {
  bool uses_index = false;
  // True if Cassandra filters by the clustering restrictions that do not choose the rows to read.
  bool filters_clustering = false;
  // The error for a statement that needs ALLOW FILTERING, if Cassandra reports it after errors of the select clause and
  // of ORDER BY.
  std::optional<Error> needs_filtering;
};

// Refuses a statement that needs ALLOW FILTERING or breaks the prefix rule, with Cassandra's sentences.
Result<CassandraRun> CheckFiltering(const TableSchema& table, const GroupedWhere& where, const AccessRequest& request,
                                    const IndexChoice& indexes);

// Refuses IN on the partition key in a statement that reads an index.
Status RefuseIndexedIn(const GroupedWhere& where);

// True if the statement reads a range of keys that are stored in order: conditions on the key then need no ALLOW
// FILTERING. False for tables stored by token, and if the whole partition key is given. A RANGE table needs no further
// condition. Other tables need one on the first column of the partition key.
bool ReadsByKeyOrder(const TableSchema& table, const GroupedWhere& where);

}  // namespace widerow
