// Widerow must accept the same statements as Cassandra, with the same names of columns. It must refuse other statements
// with Cassandra's messages.
#include <gtest/gtest.h>

#include <fstream>

#include "planner/plan.h"
#include "tests/unit/planner/plan_support.h"

namespace widerow {
namespace {

struct Recorded {
  std::string statement, answer;
};

struct RecordedFile {
  std::vector<std::string> schema;
  std::vector<Recorded> cases;
};

RecordedFile ReadRecorded(const std::string& name) {
  RecordedFile file;
  std::ifstream in(std::string(WR_TEST_DATA) + "/planner/" + name);
  EXPECT_TRUE(in.good()) << name;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (line.starts_with("schema ")) {
      file.schema.push_back(line.substr(7));
    } else if (line.starts_with("  ")) {
      file.cases.back().answer = line.substr(2);
    } else {
      file.cases.push_back({line, ""});
    }
  }
  return file;
}

const SchemaPtr& RecordedSchema() {
  static const SchemaPtr schema = SchemaFrom(ReadRecorded("cassandra_refusals.txt").schema);
  return schema;
}

std::string Join(const std::vector<std::string>& parts, const char* separator) {
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : separator) + part;
  return out;
}

std::string Answer(const Plan& plan) {
  std::vector<std::string> parts{"ok"};
  if (const auto* select = std::get_if<SelectPlan>(&plan.node)) {
    std::vector<std::string> names;
    for (const OutputColumn& column : select->output) names.push_back(column.name);
    parts.push_back(Join(names, " | "));
  }
  for (const std::string& warning : plan.warnings) parts.push_back("warning: " + warning);
  return Join(parts, " ");
}

TEST(PlanCassandra, AnswersAreTheSame) {
  const RecordedFile file = ReadRecorded("cassandra_refusals.txt");
  ASSERT_GE(file.cases.size(), 500u);
  for (const Recorded& recorded : file.cases) {
    const Result<Plan> plan = PlanText(*RecordedSchema(), recorded.statement);
    EXPECT_EQ(plan.ok() ? Answer(*plan) : plan.error().message, recorded.answer) << recorded.statement;
  }
}

TEST(PlanCassandra, BindMarkersAreTheSame) {
  const RecordedFile file = ReadRecorded("cassandra_markers.txt");
  ASSERT_GE(file.cases.size(), 50u);
  for (const Recorded& recorded : file.cases) {
    const Result<Plan> plan = PlanText(*RecordedSchema(), recorded.statement);
    if (!plan.ok()) {
      EXPECT_EQ("error " + plan.error().message, recorded.answer) << recorded.statement;
      continue;
    }
    std::vector<std::string> markers, key;
    for (const MarkerSpec& marker : plan->markers) markers.push_back(marker.name + ":" + TypeText(*marker.type));
    for (const uint16_t index : plan->partition_key_markers) key.push_back(std::to_string(index));
    const std::string answer = Join(markers, ", ") + (key.empty() ? "" : " pk " + Join(key, ", "));
    EXPECT_EQ(answer, recorded.answer) << recorded.statement;
  }
}

TEST(PlanCassandra, ErrorsPointIntoTheStatement) {
  for (const Recorded& recorded : ReadRecorded("cassandra_refusals.txt").cases) {
    const Result<Plan> plan = PlanText(*RecordedSchema(), recorded.statement);
    if (plan.ok()) continue;
    ASSERT_TRUE(plan.error().range) << recorded.statement;
    EXPECT_LT(plan.error().range->begin, plan.error().range->end) << recorded.statement;
    EXPECT_LE(plan.error().range->end, recorded.statement.size()) << recorded.statement;
  }
}

}  // namespace
}  // namespace widerow
