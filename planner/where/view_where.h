// What the planner knows of materialized views. WHERE of a view says which rows of its base table it shows. Conditions are about the base table's key columns alone, as
// in Cassandra, so what they say of a row never changes.
#pragma once

#include "parser/ast.h"
#include "planner/plan.h"

namespace widerow {

struct ViewWhere {
  std::vector<Predicate> conditions;  // Over the base table's columns. All must hold; IS NOT NULL is none of them.
  std::vector<uint32_t> restricted;   // Columns of the base table that are restricted, by IS NOT NULL too.
};

// Errors: Cassandra's sentences. What goes beyond CQL is refused: drivers read a view's WHERE.
Result<ViewWhere> PlanViewWhere(const std::string& view, const std::vector<Condition>& where, const TablePtr& base,
                                const SchemaSnapshot& schema);

// ViewSchema::where_clause taken apart, and put together.
Result<std::vector<Condition>> ParseViewWhere(const std::string& where_clause);
std::string PrintViewWhere(const std::vector<Condition>& where);

// INSERT, UPDATE and DELETE of a view: it is written through its table.
Status RefuseWriteToView(const TableSchema& table, SourceRange range);

}  // namespace widerow
