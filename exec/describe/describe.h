// DESCRIBE on the server, with the columns, order and texts of Cassandra 5, and EXPLAIN's rows.
#pragma once

#include "exec/rows/outcome.h"
#include "planner/plan.h"

namespace widerow {

// The name of the one cluster there is: DESCRIBE CLUSTER and system.local say it.
inline constexpr const char* kClusterName = "Widerow";
// One node owns the whole ring, so any one token will do.
inline constexpr const char* kRingToken = "-9223372036854775808";

// What a DESCRIBE needs besides its plan.
struct DescribeRequest {
  const SchemaSnapshot& schema;
  const ConnectionFacts* connection = nullptr;  // Null from inside the process.
  uint32_t page_rows = 0;                       // 0: everything in one page.
  const Bytes& paging_state;
  uint64_t fingerprint = 0;                     // Of the statement, see exec/rows/paging.h.
};

// Result columns of each form; fixed by the statement alone, so that PREPARE knows them.
ResultColumnsPtr DescribeColumns(const DescribeStatement& statement);
// kInvalid with Cassandra's sentence if a named thing does not exist ("Table 'x' not found in keyspace 'ks'"), or if the
// schema has changed since the page before; kProtocolError for a paging state that is not this statement's.
Result<RowsPage> RunDescribe(const DescribePlan& plan, const DescribeRequest& request);

ResultColumnsPtr ExplainColumns();
RowsPage RunExplain(const ExplainPlan& plan);

}  // namespace widerow
