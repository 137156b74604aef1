// Makes schemas from CQL text, and plans statements on them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "planner/plan.h"

namespace widerow {

// Makes keyspace ks and runs the CREATE statements in it. Stops the test program if one fails.
SchemaPtr SchemaFrom(const std::vector<std::string>& statements);

// Parses and plans in keyspace ks.
Result<Plan> PlanText(const SchemaSnapshot& schema, std::string_view text);

// Returns EXPLAIN's lines joined by newlines; for a refused statement "<code> <message>" and, on a second line, the
// hint.
std::string PlanAnswer(const SchemaSnapshot& schema, std::string_view text);

// Returns the tables that most tests use: t, events, wide (two partition key columns, three clustering columns), mixed
// (order), types.
const SchemaPtr& TestSchema();

struct PlanCase {
  std::string statement;
  std::string answer;  // PlanAnswer's text, or the first line of an error if this has one line.
};
void ExpectAnswers(const std::vector<PlanCase>& cases);

}  // namespace widerow
