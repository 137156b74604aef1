// DESCRIBE on the server, with the columns of Cassandra 4 and 5, and EXPLAIN's rows.
#pragma once

#include "exec/outcome.h"
#include "planner/plan.h"

namespace widerow {

// Result columns of each form; fixed by the statement alone, so that PREPARE knows them.
ResultColumnsPtr DescribeColumns(const DescribeStatement& statement);
// kInvalid with Cassandra's sentence if a named thing does not exist ("'x' not found in keyspace 'ks'").
Result<RowsPage> RunDescribe(const DescribePlan& plan, const SchemaSnapshot& schema);

ResultColumnsPtr ExplainColumns();
RowsPage RunExplain(const ExplainPlan& plan);

}  // namespace widerow
