// The WHERE of a materialized view: it selects the rows of the base table that the view shows. Its conditions are on
// the base table's key columns only, as in Cassandra, so that the answer for a row never changes. Pure functions.
#pragma once

#include "parser/ast.h"
#include "planner/plan.h"

namespace widerow {

struct ViewWhere {
  std::vector<Predicate> conditions;  // Conditions on columns of the base table, without IS NOT NULL. All must hold.
  std::vector<uint32_t> restricted;   // Columns of the base table with a restriction; IS NOT NULL is one.
};

// Plans the WHERE of CREATE MATERIALIZED VIEW. Errors have Cassandra's sentences. Extensions of CQL are refused,
// because drivers read a view's WHERE.
Result<ViewWhere> PlanViewWhere(const std::string& view, const std::vector<Condition>& where, const TablePtr& base,
                                const SchemaSnapshot& schema);

// Parse and print ViewSchema::where_clause.
Result<std::vector<Condition>> ParseViewWhere(const std::string& where_clause);
std::string PrintViewWhere(const std::vector<Condition>& where);

// Refuses INSERT, UPDATE and DELETE of a view: only its base table can be written.
Status RefuseWriteToView(const TableSchema& table, SourceRange range);

}  // namespace widerow
