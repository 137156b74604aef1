#include "parser/parse.h"

#include <gmock/gmock.h>

#include <thread>

#include "base/limits.h"
#include "parser/error_text.h"
#include "parser/print.h"

namespace widerow {
namespace {

template <typename S>
S ParseAs(const std::string& text) {
  Result<Statement> statement = Parse(text);
  if (!statement.ok()) {
    ADD_FAILURE() << FullErrorText(statement.error(), text);
    return {};
  }
  if (!std::holds_alternative<S>(statement->node)) {
    ADD_FAILURE() << "another statement: " << text;
    return {};
  }
  return std::get<S>(statement->node);
}

std::string Cut(const std::string& text, SourceRange range) {
  return text.substr(range.begin, range.end - range.begin);
}

TEST(Parse, SelectClauses) {
  const auto s = ParseAs<SelectStatement>(
      "SELECT JSON DISTINCT a AS x, count(*) FROM Ks.\"T\" WHERE k = 1 AND c IN (1, 2) GROUP BY k ORDER BY c DESC, d "
      "PER PARTITION LIMIT 2 LIMIT ? ALLOW FILTERING");
  EXPECT_TRUE(s.json);
  EXPECT_TRUE(s.distinct);
  ASSERT_EQ(s.selectors.size(), 2u);
  EXPECT_EQ(s.selectors[0].alias->text, "x");
  EXPECT_TRUE(std::holds_alternative<CountStar>(s.selectors[1].term.node));
  EXPECT_EQ(s.table.keyspace->text, "ks");
  EXPECT_EQ(s.table.name.text, "T");
  EXPECT_TRUE(s.table.name.quoted);
  ASSERT_EQ(s.where.size(), 2u);
  EXPECT_EQ(std::get<Relation>(s.where[1].node).op, CompareOp::kIn);
  EXPECT_TRUE(std::get<Relation>(s.where[1].node).in_list);
  ASSERT_EQ(s.order_by.size(), 2u);
  EXPECT_TRUE(s.order_by[0].descending);
  EXPECT_FALSE(s.order_by[1].descending);
  EXPECT_EQ(Print(*s.per_partition_limit), "2");
  EXPECT_TRUE(std::holds_alternative<BindMarker>(s.limit->node));
  EXPECT_TRUE(s.allow_filtering);
  EXPECT_FALSE(s.allow_sorting);
}

TEST(Parse, RangesAreByteOffsets) {
  const std::string text = "SELECT 'ü', b FROM täble_not WHERE x = 1";
  EXPECT_FALSE(Parse(text).ok());  // A name without quotes has only ASCII letters.
  const std::string quoted = "  SELECT 'ü' , f(b)[1] FROM \"tä\" WHERE x IN ( 1,2 ) AND y >= - 5;";
  const auto s = ParseAs<SelectStatement>(quoted);
  EXPECT_EQ(Cut(quoted, s.selectors[0].term.range), "'ü'");
  EXPECT_EQ(Cut(quoted, s.selectors[1].term.range), "f(b)[1]");
  EXPECT_EQ(Cut(quoted, s.table.range), "\"tä\"");
  EXPECT_EQ(Cut(quoted, s.where[0].range), "x IN ( 1,2 )");
  EXPECT_EQ(Cut(quoted, std::get<Relation>(s.where[1].node).op_range), ">=");
  EXPECT_EQ(Cut(quoted, std::get<Relation>(s.where[1].node).values[0].range), "- 5");
  EXPECT_EQ(Cut(quoted, Parse(quoted)->range), quoted.substr(2, quoted.size() - 3));
  // A byte order mark counts as a blank.
  EXPECT_EQ(Parse("\xEF\xBB\xBFUSE k")->range, (SourceRange{3, 8}));
}

TEST(Parse, MarkersAreNumberedInTextOrder) {
  const Result<Statement> s = Parse(
      "UPDATE t USING TTL ? AND TIMESTAMP :ts SET a = ?, m[?] = :v, l = ? + l WHERE k IN (?, :k) AND 1 < c < ? IF b = "
      "?");
  ASSERT_TRUE(s.ok());
  ASSERT_EQ(s->markers.size(), 10u);
  for (uint32_t i = 0; i < s->markers.size(); ++i) EXPECT_EQ(s->markers[i].index, i);
  EXPECT_EQ(s->markers[1].name->text, "ts");
  EXPECT_EQ(s->markers[4].name->text, "v");
  EXPECT_EQ(s->markers[7].name->text, "k");
  const auto& update = std::get<UpdateStatement>(s->node);
  EXPECT_EQ(std::get<BindMarker>(update.assignments[1].element[0].node).index, 3u);
  EXPECT_EQ(std::get<BindMarker>(std::get<Relation>(update.conditions[0].node).values[0].node).index, 9u);
}

TEST(Parse, ChainedAndReversedComparisons) {
  const auto s =
      ParseAs<SelectStatement>("SELECT * FROM t WHERE 123<orderid<456 AND 5 >= c AND (1, 2) <= (d, e) < (3, 4)");
  const auto& chain = std::get<ChainedRelation>(s.where[0].node);
  EXPECT_EQ(chain.target.columns[0].text, "orderid");
  EXPECT_EQ(chain.low_op, CompareOp::kLt);
  EXPECT_EQ(Print(chain.low), "123");
  EXPECT_EQ(chain.high_op, CompareOp::kLt);
  EXPECT_EQ(Print(chain.high[0]), "456");
  const auto& reversed = std::get<ChainedRelation>(s.where[1].node);
  EXPECT_EQ(reversed.low_op, CompareOp::kGe);
  EXPECT_FALSE(reversed.high_op.has_value());
  EXPECT_EQ(std::get<ChainedRelation>(s.where[2].node).target.kind, RelationTarget::Kind::kTuple);
}

TEST(Parse, AndIsFlatAtTheTopOrKeepsItsShape) {
  const auto flat = ParseAs<SelectStatement>("SELECT * FROM t WHERE (a = 1 AND (b = 2)) AND c = 3");
  EXPECT_EQ(flat.where.size(), 3u);
  const auto mixed = ParseAs<SelectStatement>("SELECT * FROM t WHERE a = 1 AND b = 2 OR c = 3 OR NOT d = 4");
  ASSERT_EQ(mixed.where.size(), 1u);
  const auto& either = std::get<OrCondition>(mixed.where[0].node);
  ASSERT_EQ(either.terms.size(), 3u);
  EXPECT_EQ(std::get<AndCondition>(either.terms[0].node).terms.size(), 2u);
  EXPECT_TRUE(std::holds_alternative<NotCondition>(either.terms[2].node));
}

TEST(Parse, RelationTargets) {
  const auto s = ParseAs<SelectStatement>(
      "SELECT * FROM t WHERE (a, b) > (1, 2) AND token(k1, k2) < 5 AND m['x'] = 1 AND u.f = 2 AND (c) = (3)");
  using Kind = RelationTarget::Kind;
  const Kind kinds[] = {Kind::kTuple, Kind::kToken, Kind::kElement, Kind::kField, Kind::kTuple};
  for (size_t i = 0; i < 5; ++i) EXPECT_EQ(std::get<Relation>(s.where[i].node).target.kind, kinds[i]) << i;
  EXPECT_EQ(std::get<Relation>(s.where[1].node).target.columns.size(), 2u);
  EXPECT_EQ(Print(std::get<Relation>(s.where[2].node).target.element[0]), "'x'");
  EXPECT_EQ(std::get<Relation>(s.where[3].node).target.field->text, "f");
}

TEST(Parse, ArithmeticPrecedenceAndSigns) {
  const auto shape = [](const std::string& term) {
    const auto s = ParseAs<SelectStatement>("SELECT " + term + " FROM t");
    const auto& arithmetic = std::get<Arithmetic>(s.selectors.at(0).term.node);
    std::string text = std::to_string(static_cast<int>(arithmetic.op));
    for (const Term& operand : arithmetic.operands) text += " | " + Print(operand);
    return text;
  };
  EXPECT_EQ(shape("a + b * c"), "0 | a | b * c");
  EXPECT_EQ(shape("a - b - c"), "1 | a - b | c");
  EXPECT_EQ(shape("(a - b) * c"), "2 | (a - b) | c");
  EXPECT_EQ(shape("a -1"), "1 | a | 1");
  EXPECT_EQ(shape("a-1*b"), "1 | a | 1 * b");
  EXPECT_EQ(shape("a % -1"), "4 | a | -1");
  EXPECT_EQ(shape("- 1"), "5 | 1");
  EXPECT_EQ(shape("-a * b"), "2 | -a | b");
  const auto s = ParseAs<SelectStatement>("SELECT -1, -Infinity, -NaN FROM t");
  EXPECT_EQ(std::get<Literal>(s.selectors[0].term.node), (Literal{Literal::Kind::kInteger, "-1"}));
  EXPECT_EQ(std::get<Literal>(s.selectors[1].term.node), (Literal{Literal::Kind::kFloat, "-Infinity"}));
  EXPECT_EQ(std::get<Literal>(s.selectors[2].term.node), (Literal{Literal::Kind::kFloat, "NaN"}));
}

TEST(Parse, Literals) {
  const auto s = ParseAs<SelectStatement>(
      "SELECT 'it''s', $$it's $ 5$$, 0xCafe, TRUE, 1y2mo, P1Y, 123E4567-e89b-42d3-a456-426614174000, 1., 1e5, null "
      "FROM t");
  using Kind = Literal::Kind;
  const Literal expected[] = {{Kind::kString, "it's"},
                              {Kind::kString, "it's $ 5"},
                              {Kind::kHex, "0xCafe"},
                              {Kind::kBoolean, "TRUE"},
                              {Kind::kDuration, "1y2mo"},
                              {Kind::kDuration, "P1Y"},
                              {Kind::kUuid, "123E4567-e89b-42d3-a456-426614174000"},
                              {Kind::kFloat, "1."},
                              {Kind::kFloat, "1e5"},
                              {Kind::kNull, ""}};
  ASSERT_EQ(s.selectors.size(), std::size(expected));
  for (size_t i = 0; i < std::size(expected); ++i)
    EXPECT_EQ(std::get<Literal>(s.selectors[i].term.node), expected[i]) << i;
}

TEST(Parse, BracesAreMapsSetsOrUserTypes) {
  const auto s = ParseAs<SelectStatement>("SELECT {}, {1}, {'a': 1}, {a: 1, \"B\": 2}, {a: 1, 'b': 2} FROM t");
  EXPECT_TRUE(std::holds_alternative<SetTerm>(s.selectors[0].term.node));
  EXPECT_TRUE(std::holds_alternative<SetTerm>(s.selectors[1].term.node));
  EXPECT_TRUE(std::holds_alternative<MapTerm>(s.selectors[2].term.node));
  EXPECT_EQ(std::get<UdtTerm>(s.selectors[3].term.node).names[1].text, "B");
  EXPECT_TRUE(std::holds_alternative<MapTerm>(s.selectors[4].term.node));
}

TEST(Parse, AssignmentsAddToTheirOwnColumn) {
  const auto s =
      ParseAs<UpdateStatement>("UPDATE t SET c = c - 1 + 2, l = [0] + l, d = d -3, e += 1, f = 1 + 2 WHERE k = 1");
  // As in Cassandra, c - 1 + 2 means c - (1 + 2).
  EXPECT_EQ(Print(std::get<Arithmetic>(s.assignments[0].value.node).operands[1]), "1 + 2");
  EXPECT_EQ(Print(std::get<Arithmetic>(s.assignments[1].value.node).operands[1]), "l");
  EXPECT_EQ(std::get<Arithmetic>(s.assignments[2].value.node).op, ArithmeticOp::kSubtract);
  EXPECT_EQ(s.assignments[3].kind, Assignment::Kind::kAddAssign);
  EXPECT_EQ(s.assignments[4].kind, Assignment::Kind::kSet);
}

TEST(Parse, CreateTable) {
  const auto s = ParseAs<CreateTableStatement>(
      "CREATE TABLE IF NOT EXISTS ks.t (a int, b text STATIC, c varbinary(16) NOT NULL, d int GENERATED ALWAYS AS (a + "
      "1), "
      "PRIMARY KEY ((a, c), d)) WITH CLUSTERING ORDER BY (d DESC) AND comment = 'x' AND compaction = {'class': 'Y'} "
      "TABLEGROUP = g PARTITION BY RANGE COLUMNS (a) (PARTITION p VALUES LESS THAN (5), PARTITION q VALUES LESS THAN "
      "MAXVALUE)");
  EXPECT_TRUE(s.if_not_exists);
  ASSERT_EQ(s.columns.size(), 4u);
  EXPECT_TRUE(s.columns[1].is_static);
  EXPECT_EQ(s.columns[2].type.number, 16u);
  EXPECT_TRUE(s.columns[2].not_null);
  EXPECT_EQ(Print(*s.columns[3].generated_as), "a + 1");
  EXPECT_EQ(s.partition_key.size(), 2u);
  EXPECT_EQ(s.clustering_key.size(), 1u);
  EXPECT_EQ(s.primary_key_count, 1u);
  EXPECT_TRUE(s.clustering_order[0].descending);
  EXPECT_EQ(s.properties.size(), 2u);
  EXPECT_EQ(s.tablegroup->text, "g");
  EXPECT_EQ(s.partition_by->kind, PartitionBy::Kind::kRange);
  EXPECT_TRUE(s.partition_by->columns_keyword);
  EXPECT_FALSE(s.partition_by->partitions[0].max_value);
  EXPECT_TRUE(s.partition_by->partitions[1].max_value);
  EXPECT_EQ(ParseAs<CreateTableStatement>("CREATE TABLE t (a int PRIMARY KEY, PRIMARY KEY (a))").primary_key_count, 2u);
  EXPECT_EQ(ParseAs<CreateTableStatement>("CREATE TABLE t (a int)").primary_key_count, 0u);
}

TEST(Parse, DollarsInNamesAndAroundStrings) {
  const auto s = ParseAs<SelectStatement>("SELECT a$b$c FROM htable1$family1 WHERE k = $$x$y$$");
  EXPECT_EQ(std::get<ColumnRef>(s.selectors[0].term.node).name.text, "a$b$c");
  EXPECT_EQ(s.table.name.text, "htable1$family1");
  EXPECT_EQ(Print(s.where[0]), "k = 'x$y'");
  const auto f = ParseAs<CreateFunctionStatement>(
      "CREATE FUNCTION f(a int) CALLED ON NULL INPUT RETURNS int LANGUAGE java AS$$return a;$$");
  EXPECT_EQ(f.body, "return a;");
  EXPECT_FALSE(Parse("SELECT a$ FROM t").ok());
}

TEST(Parse, EmptyAndBlankTexts) {
  for (const char* text : {"", " ", "\n\t", ";", "-- only a comment", "/* x */", ";;"}) {
    const Result<Statement> s = Parse(text);
    ASSERT_FALSE(s.ok()) << text;
    EXPECT_EQ(s.error().code, ErrorCode::kSyntaxError);
    EXPECT_THAT(s.error().hint, testing::HasSubstr("a statement")) << text;
  }
}

TEST(Parse, ExplainAndAdviseHoldStatements) {
  const Result<Statement> s = Parse("EXPLAIN ANALYZE SELECT * FROM t WHERE k = ?");
  ASSERT_TRUE(s.ok());
  const auto& explain = std::get<ExplainStatement>(s->node);
  EXPECT_TRUE(explain.analyze);
  EXPECT_TRUE(std::holds_alternative<SelectStatement>(explain.statement.at(0).node));
  EXPECT_EQ(explain.statement[0].markers.size(), 1u);
  EXPECT_EQ(s->markers.size(), 1u);
  EXPECT_FALSE(Parse("EXPLAIN EXPLAIN SELECT * FROM t").ok());
  EXPECT_EQ(ParseAs<AdviseStatement>("ADVISE STATEMENT 'SELECT * FROM t'").statement.size(), 1u);
  EXPECT_FALSE(Parse("ADVISE STATEMENT 'ADVISE'").ok());
  EXPECT_FALSE(Parse("ADVISE STATEMENT 'SELEC'").ok());
}

TEST(ParseTypeName, AloneAndNested) {
  const Result<TypeName> type = ParseTypeName("map<text, frozen<list<tuple<int, ks.\"U\">>>>");
  ASSERT_TRUE(type.ok());
  EXPECT_EQ(Print(*type), "map<text, frozen<list<tuple<int, ks.\"U\">>>>");
  EXPECT_EQ(ParseTypeName("VECTOR<FLOAT, 3>")->number, 3u);
  EXPECT_EQ(ParseTypeName("varbinary(1024)")->number, 1024u);
  EXPECT_TRUE(ParseTypeName("'UTF8Type'")->is_custom_class);
  for (const char* text :
       {"", "list<", "list<int", "list<int>>", "map<int>", "int<int>", "vector<float>", "int(5)", "varbinary(0)",
        "varbinary(99999999999999999999)", "list<int, 3>", "byte", "'org.example.Type'", "frozen<int>"}) {
    EXPECT_FALSE(ParseTypeName(text).ok()) << text;
  }
}

// All threads share the caches of ANTLR's parser.
TEST(Parse, FromManyThreads) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([i] {
      for (int n = 0; n < 200; ++n) {
        const std::string text = "SELECT a" + std::to_string(i) + " FROM t WHERE (k, c) IN ((1, " + std::to_string(n) +
                                 "), (?, 'x')) AND 1 < d < " + std::to_string(n) + " LIMIT 5";
        const Result<Statement> statement = Parse(text);
        ASSERT_TRUE(statement.ok());
        ASSERT_EQ(Print(*statement), text);
        ASSERT_FALSE(Parse(text + " LIMT").ok());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace widerow
