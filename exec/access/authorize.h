// Checks that a role may run a statement; errors are in Cassandra's words. Pure functions of plan, rights and schema.
#pragma once

#include "exec/access/rights.h"
#include "planner/plan.h"

namespace widerow {

// Fails unless the role has the permissions that Cassandra requires. Readers need SELECT (for a view, on its base
// table). Writers need MODIFY on the table and its views, and SELECT if the statement has conditions or the table has
// views. DDL needs CREATE, ALTER or DROP. EXPLAIN needs the permissions of its inner statement. ADVISE STATEMENT needs
// SELECT or MODIFY on the table of its inner statement, or the permissions of its inner DDL. ADVISE of tables needs the
// permissions of reading them. USE, DESCRIBE and ADVISE SCHEMA need no permissions, nor does a SELECT on a table that
// drivers read to connect. Statements about roles are checked when they run (role_statements.h).
Status Authorize(const Plan& plan, const Rights& rights, const SchemaSnapshot& schema);

// Checks a SELECT of the table.
Status AuthorizeRead(const TableSchema& table, const Rights& rights);

// Checks an ADVISE statement. The permissions that it needs depend on its subject.
Status AuthorizeAdvice(const AdviseStatement& statement, const std::string& current_keyspace, const Rights& rights,
                       const SchemaSnapshot& schema);

}  // namespace widerow
