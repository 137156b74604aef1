#include "tests/unit/planner/plan_support.h"

#include "parser/parse.h"
#include "planner/ddl/edit/apply_ddl.h"

namespace widerow {

SchemaPtr SchemaFrom(const std::vector<std::string>& statements) {
  auto schema = std::make_shared<SchemaSnapshot>();
  auto keyspace = std::make_shared<KeyspaceSchema>();
  keyspace->name = "ks";
  schema->keyspaces.emplace("ks", std::move(keyspace));
  SchemaPtr current = schema;
  StorageId next = 1;
  const DdlContext context{"ks", [&] { return next++; }, 0};
  for (const std::string& text : statements) {
    Result<Statement> statement = Parse(text);
    WR_CHECK(statement.ok());
    Result<DdlResult> result = ApplyDdl(*statement, current, context);
    WR_CHECK(result.ok());
    current = result->schema;
  }
  return current;
}

Result<Plan> PlanText(const SchemaSnapshot& schema, std::string_view text) {
  WR_ASSIGN_OR_RETURN(const Statement statement, Parse(text));
  return PlanStatement(statement, schema, PlanContext{"ks"});
}

std::string PlanAnswer(const SchemaSnapshot& schema, std::string_view text) {
  Result<Plan> plan = PlanText(schema, text);
  std::string answer;
  if (!plan.ok()) {
    const Error& error = plan.error();
    answer = std::string(ErrorCodeName(error.code)) + " " + error.message;
    if (!error.hint.empty()) answer += "\nhint: " + error.hint;
    return answer;
  }
  for (const std::string& line : Explain(*plan)) {
    if (!answer.empty()) answer += "\n";
    answer += line;
  }
  return answer;
}

const SchemaPtr& TestSchema() {
  static const SchemaPtr schema = SchemaFrom({
      "CREATE TYPE addr (street text, zip int)",
      "CREATE TABLE t (k int PRIMARY KEY, v int, w text)",
      "CREATE TABLE events (device text, seq int, v int, owner text static, PRIMARY KEY (device, seq))",
      "CREATE TABLE wide (a int, b int, c int, d int, e int, v int, s int static, PRIMARY KEY ((a, b), c, d, e))",
      "CREATE TABLE mixed (a int, c int, d int, v int, PRIMARY KEY (a, c, d)) WITH CLUSTERING ORDER BY (c ASC, d DESC)",
      "CREATE TABLE types (k int PRIMARY KEY, l list<int>, st set<text>, m map<text, int>, fl frozen<list<int>>, "
      "tp tuple<int, text>, ud addr, fu frozen<addr>, du duration, ts timestamp, bl blob, de decimal, u uuid)",
  });
  return schema;
}

void ExpectAnswers(const std::vector<PlanCase>& cases) {
  for (const PlanCase& c : cases) {
    std::string answer = PlanAnswer(*TestSchema(), c.statement);
    if (c.answer.find('\n') == std::string::npos) answer = answer.substr(0, answer.find("\nhint: "));
    EXPECT_EQ(answer, c.answer) << c.statement;
  }
}

}  // namespace widerow
