// Makes schemas from CQL text, and plans statements on them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "planner/plan.h"

namespace widerow {

// Makes the keyspace `ks` and runs the CREATE statements in it. Stops the test program if a statement fails.
SchemaPtr SchemaFrom(const std::vector<std::string>& statements);

// Parses and plans the text in the keyspace `ks`.
Result<Plan> PlanText(const SchemaSnapshot& schema, std::string_view text);

// Returns the lines of EXPLAIN, joined by newlines. For a refused statement, returns "<code> <message>" and, on a
// second line, the hint.
std::string PlanAnswer(const SchemaSnapshot& schema, std::string_view text);

// Returns a schema with the tables that most tests use. `wide` has two partition key columns and three clustering
// columns. `mixed` has clustering columns in both directions. `types` has columns of many types. `t` and `events` are
// simple.
const SchemaPtr& TestSchema();

struct PlanCase {
  std::string statement;
  // The text that PlanAnswer must give. If this is one line, the hint of an error is not compared.
  std::string answer;
};
void ExpectAnswers(const std::vector<PlanCase>& cases);

}  // namespace widerow
