// ADVISE: gathers the facts of what is asked about, and has the rules of advise/ judge them.
#pragma once

#include "advise/finding.h"
#include "exec/advise/sample.h"
#include "exec/heat/heat_map.h"
#include "exec/rows/outcome.h"
#include "parser/ast.h"
#include "parser/dialect.h"
#include "planner/plan.h"

namespace widerow {

// A kind of statement that clients sent, with its figures since the start.
struct RecordedStatement {
  std::string keyspace;  // It was sent in; for unqualified names.
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
  HeatMap* heat = nullptr;  // Null: there is none to ask.
};

// ADVISE TABLE: the table's schema, data and load. ADVISE: of all tables (of the current keyspace, if there is one). ADVISE
// SCHEMA: of all tables their declaration alone. ADVISE STATEMENT: what the statement would do; of a CREATE TABLE or an ALTER
// TABLE, the table it would make.
Result<advise::Findings> Advise(const AdviseStatement& statement, const AdviceRequest& request);

// code, severity, keyspace_name, table_name, columns (list<text>), evidence, why, fix.
ResultColumnsPtr AdviceColumns();
RowsPage AdviceRows(const advise::Findings& findings);

}  // namespace widerow
