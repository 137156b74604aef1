// Each statement of tests/data/parser/*.cql is parsed, printed and parsed again. Both trees must be equal.
#include <set>

#include "parser/error_text.h"
#include "parser/parse.h"
#include "parser/print.h"
#include "tests/unit/parser/test_files.h"

namespace widerow {
namespace {

std::vector<std::string> StatementsOf(const std::string& file) {
  const std::string script = ReadFile(DataPath(file));
  std::vector<std::string> statements;
  for (const StatementSpan& span : SplitStatements(script)) {
    EXPECT_TRUE(span.complete) << file;
    statements.push_back(script.substr(span.range.begin, span.range.end - span.range.begin));
  }
  return statements;
}

class RoundTrip : public testing::TestWithParam<const char*> {};

TEST_P(RoundTrip, PrintThenParseGivesTheSameTree) {
  for (const std::string& text : StatementsOf(GetParam())) {
    const Result<Statement> first = Parse(text);
    ASSERT_TRUE(first.ok()) << FullErrorText(first.error(), text);
    const std::string printed = Print(*first);
    const Result<Statement> second = Parse(printed);
    ASSERT_TRUE(second.ok()) << text << "\n" << FullErrorText(second.error(), printed);
    EXPECT_TRUE(*first == *second) << text << "\n" << printed << "\n" << Print(*second);
    EXPECT_EQ(printed, Print(*second));
    EXPECT_EQ(printed.find('\n') != std::string::npos, text.find("two\nlines") != std::string::npos) << printed;
    EXPECT_EQ(first->markers.size(), second->markers.size());
    EXPECT_EQ(first->range, (SourceRange{0, static_cast<uint32_t>(text.size())})) << text;
    EXPECT_EQ(StatementName(*first), StatementName(*second));
  }
}

INSTANTIATE_TEST_SUITE_P(Files, RoundTrip,
                         testing::Values("select.cql", "data.cql", "schema.cql", "extensions.cql", "documents.cql"));

TEST(RoundTripFiles, CoverEveryKindOfStatementAndOfTerm) {
  std::set<size_t> kinds;
  std::set<std::string> names;
  size_t count = 0;
  for (const char* file : {"select.cql", "data.cql", "schema.cql", "extensions.cql", "documents.cql"}) {
    for (const std::string& text : StatementsOf(file)) {
      const Result<Statement> statement = Parse(text);
      ASSERT_TRUE(statement.ok()) << text;
      kinds.insert(statement->node.index());
      names.insert(StatementName(*statement));
      ++count;
    }
  }
  EXPECT_EQ(kinds.size(), (std::variant_size_v<decltype(Statement::node)>));
  EXPECT_GE(names.size(), 46u);
  EXPECT_GE(count, 350u);
}

// The trees of different statements must not be equal. Otherwise the comparison above would prove nothing.
TEST(RoundTripFiles, DifferentStatementsHaveDifferentTrees) {
  std::vector<std::pair<std::string, Statement>> seen;
  for (const char* file : {"select.cql", "data.cql", "extensions.cql"}) {
    for (const std::string& text : StatementsOf(file)) {
      Result<Statement> statement = Parse(text);
      ASSERT_TRUE(statement.ok()) << text;
      for (const auto& [other_text, other] : seen) {
        EXPECT_EQ(Print(*statement) == Print(other), *statement == other) << text << "\n" << other_text;
      }
      seen.emplace_back(text, std::move(statement).value());
    }
  }
}

TEST(DocumentStatements, ReadAsTheDocumentsMeanThem) {
  const std::vector<std::string> statements = StatementsOf("documents.cql");
  ASSERT_EQ(statements.size(), 11u);
  const Result<Statement> prefix = Parse(statements[5]);
  ASSERT_TRUE(prefix.ok());
  EXPECT_EQ(Print(*prefix),
            "CREATE TABLE htable1$family1 (k varbinary(1024), q varbinary(256), t bigint, v varbinary(1048576), "
            "k_prefix varbinary(1024) GENERATED ALWAYS AS (substring(k, 1, 4)), PRIMARY KEY (k, q, t)) "
            "TABLEGROUP = htable1 PARTITION BY KEY (k_prefix) PARTITIONS 97");
  const Result<Statement> chained = Parse(statements.back());
  ASSERT_TRUE(chained.ok());
  EXPECT_EQ(Print(*chained),
            "SELECT * FROM \"table\" WHERE userid = 'abc' AND 123 < orderid < 456 ORDER BY orderid DESC");
}

}  // namespace
}  // namespace widerow
