// Whether a role may run a statement, in Cassandra's words where it may not. Pure functions of plan, rights and schema.
#pragma once

#include "exec/access/rights.h"
#include "planner/plan.h"

namespace widerow {

// What Cassandra asks for: SELECT of readers (of a view, on its base table), MODIFY of writers (with conditions SELECT too; on
// views of the table, too), CREATE, ALTER and DROP of DDL. EXPLAIN and ADVISE STATEMENT as the statement they are about; ADVISE
// of tables as reading them. USE, DESCRIBE and what drivers need to connect are everybody's. Statements about roles are checked
// where they are run (role_statements.h).
Status Authorize(const Plan& plan, const Rights& rights, const SchemaSnapshot& schema);

// A SELECT's part of it.
Status AuthorizeRead(const TableSchema& table, const Rights& rights);

// ADVISE, of what is asked about.
Status AuthorizeAdvice(const AdviseStatement& statement, const std::string& current_keyspace, const Rights& rights,
                       const SchemaSnapshot& schema);

}  // namespace widerow
