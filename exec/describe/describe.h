// DESCRIBE on the server, with the columns, order and texts of Cassandra 5. This file also makes the rows of EXPLAIN.
#pragma once

#include "exec/rows/outcome.h"
#include "planner/plan.h"

namespace widerow {

// The name of the only cluster, as shown by DESCRIBE CLUSTER and system.local.
inline constexpr const char* kClusterName = "Widerow";
// The token of the only node. This node owns the whole ring, so any token is correct.
inline constexpr const char* kRingToken = "-9223372036854775808";

// The inputs of a DESCRIBE besides its plan.
struct DescribeRequest {
  const SchemaSnapshot& schema;
  const ConnectionFacts* connection = nullptr;  // Null: a request from inside the process.
  uint32_t page_rows = 0;                       // 0: everything in one page.
  const Bytes& paging_state;
  uint64_t scope = 0;  // Identifies the statement in its paging states (ScopeOfText).
};

// Returns the result columns of a DESCRIBE. They depend on the statement alone, so PREPARE can return them.
ResultColumnsPtr DescribeColumns(const DescribeStatement& statement);
// Returns one page of the description. kInvalid with Cassandra's sentence if a named thing does not exist ("Table 'x'
// not found in keyspace 'ks'"), if the schema has changed since the previous page, or for a paging state of another
// statement; kProtocolError for a malformed paging state.
Result<RowsPage> RunDescribe(const DescribePlan& plan, const DescribeRequest& request);

ResultColumnsPtr ExplainColumns();
RowsPage RunExplain(const ExplainPlan& plan);

}  // namespace widerow
