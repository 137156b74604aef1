// ADVISE: collects facts about its subject and passes them to the rules of advise/.
#pragma once

#include "advise/finding.h"
#include "exec/advise/sample.h"
#include "exec/heat/heat_map.h"
#include "exec/rows/outcome.h"
#include "parser/ast.h"
#include "parser/dialect.h"
#include "planner/plan.h"

namespace widerow {

// The statements of one shape (exec/load/statement_load.h) that clients sent, with their counts since the start.
struct RecordedStatement {
  std::string keyspace;  // The keyspace for unqualified names.
  std::string text;
  std::shared_ptr<const Plan> plan = {};  // May be of an older schema, or null.
  uint64_t calls = 0, rows_examined = 0, rows_returned = 0, micros = 0;
};

struct AdviceRequest {
  SchemaPtr schema;
  StorageEngine& storage;
  LanguageOptions language;
  std::string current_keyspace;
  std::vector<RecordedStatement> load;
  SampleLimits limits = {};
  HeatMap* heat = nullptr;  // Null: no heat map.
};

// Runs ADVISE. ADVISE TABLE judges the table's schema, data and load. ADVISE does so for all tables (of the current
// keyspace, if set). ADVISE SCHEMA judges declarations only. ADVISE STATEMENT judges the reads of the statement; for
// CREATE TABLE and ALTER TABLE, it judges the resulting table.
Result<advise::Findings> Advise(const AdviseStatement& statement, const AdviceRequest& request);

// Returns the columns code, severity, confidence, keyspace_name, table_name, columns (list<text>), evidence, why, fix.
ResultColumnsPtr AdviceColumns();
RowsPage AdviceRows(const advise::Findings& findings);

}  // namespace widerow
