// Statements may have very many columns, conditions or assignments, or be nested deeply. They are refused, or planned
// in a time that is roughly proportional to their length. If each part of a statement were compared with every other
// part, planning would take minutes.
#include <algorithm>
#include <ctime>

#include "base/text.h"
#include "parser/parse.h"
#include "planner/where/resolve.h"
#include "tests/unit/planner/ddl_fixture.h"
#include "tests/unit/planner/plan_support.h"

namespace widerow {
namespace {

// Returns the processor time of this thread. On a busy machine, it is more exact than wall time.
double ThreadSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// Returns a list of `count` columns: "c0<each>, c1<each>, …".
std::string Columns(size_t count, const std::string& each, const char* separator = ", ") {
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) text += separator;
    text += StrCat("c", i, each);
  }
  return text;
}

// Plans the statement. Returns "ok" or the error's message. The test fails if planning takes more than `seconds_max`;
// parsing does not count.
std::string PlanWithin(double seconds_max, const SchemaSnapshot& schema, const std::string& text) {
  const Result<Statement> statement = Parse(text);
  if (!statement.ok()) return statement.error().message;
  const double begin = ThreadSeconds();
  const Result<Plan> plan = PlanStatement(*statement, schema, PlanContext{"ks"});
  EXPECT_LT(ThreadSeconds() - begin, seconds_max) << text.substr(0, 60);
  return plan.ok() ? "ok" : plan.error().message;
}

class LargeStatements : public DdlTest {
 protected:
  static constexpr size_t kColumns = 60'000;
  static constexpr double kSecondsMax = 3;

  // Plans the schema statement and applies its change. The test fails if this takes too long; parsing does not count.
  std::string RunWithin(const std::string& text) {
    const Result<Statement> statement = Parse(text);
    if (!statement.ok()) return statement.error().message;
    const double begin = ThreadSeconds();
    const Result<DdlResult> result = ApplyDdl(*statement, schema_,
                                              {.current_keyspace = current_keyspace_,
                                               .new_storage_id = [this] { return next_storage_id_++; },
                                               .now_micros = now_micros_++});
    EXPECT_LT(ThreadSeconds() - begin, kSecondsMax) << text.substr(0, 60);
    if (!result.ok()) return result.error().message;
    schema_ = result->schema;
    return "ok";
  }
  void MakeWideTable() {
    ASSERT_EQ(RunWithin("CREATE TABLE wide (k int PRIMARY KEY, " + Columns(kColumns, " int") + ")"), "ok");
  }
};

TEST_F(LargeStatements, TablesWithManyColumns) {
  MakeWideTable();
  EXPECT_EQ(Table("wide")->columns.size(), kColumns + 1);
  EXPECT_EQ(RunWithin("CREATE TABLE twice (k int PRIMARY KEY, " + Columns(kColumns, " int") + ", c7 int)"),
            "Duplicate column 'c7' declaration for table 'twice'");
  EXPECT_EQ(RunWithin("CREATE TABLE key (" + Columns(kColumns, " int") + ", PRIMARY KEY (" + Columns(kColumns, "") +
                      ")) WITH CLUSTERING ORDER BY (c2 DESC)"),
            "Missing CLUSTERING ORDER for column c1");
  EXPECT_EQ(RunWithin("CREATE TABLE small (k int PRIMARY KEY, v int)"), "ok");
  EXPECT_EQ(RunWithin("ALTER TABLE small ADD (" + Columns(kColumns, " int") + ")"), "ok");
  EXPECT_EQ(RunWithin("ALTER TABLE small DROP (" + Columns(kColumns, "") + ")"), "ok");
  EXPECT_EQ(Table("small")->dropped_columns.size(), kColumns);
  EXPECT_EQ(RunWithin("CREATE TYPE ks.large (" + Columns(kColumns, " int") + ")"), "ok");
}

TEST_F(LargeStatements, ReadsAndWritesOfManyColumns) {
  MakeWideTable();
  std::string values = "1", markers = "?";
  for (size_t i = 0; i < kColumns; ++i) values += ", 1";
  const std::string names = Columns(kColumns, "");
  EXPECT_EQ(PlanWithin(kSecondsMax, *schema_, "SELECT " + names + " FROM wide WHERE k = 1"), "ok");
  EXPECT_EQ(PlanWithin(kSecondsMax, *schema_, "INSERT INTO wide (k, " + names + ") VALUES (" + values + ")"), "ok");
  EXPECT_EQ(PlanWithin(kSecondsMax, *schema_, "UPDATE wide SET " + Columns(kColumns, " = 1") + " WHERE k = 1"), "ok");
  EXPECT_EQ(PlanWithin(kSecondsMax, *schema_, "DELETE " + names + " FROM wide WHERE k = 1"), "ok");
  EXPECT_EQ(
      PlanWithin(kSecondsMax, *schema_, "UPDATE wide SET c1 = 2 WHERE k = 1 IF " + Columns(kColumns, " = 1", " AND ")),
      "ok");
}

TEST_F(LargeStatements, ManyAssignmentsToOneColumn) {
  ASSERT_EQ(RunWithin("CREATE TABLE maps (k int PRIMARY KEY, m map<int, int>)"), "ok");
  std::string sets = "m[0] = 0";
  for (int i = 1; i < 50'000; ++i) sets += StrCat(", m[", i, "] = 0");
  EXPECT_EQ(PlanWithin(kSecondsMax, *schema_, "UPDATE maps SET " + sets + " WHERE k = 1"), "ok");
  EXPECT_EQ(PlanWithin(kSecondsMax, *schema_, "UPDATE maps SET " + sets + ", m = {} WHERE k = 1"),
            "Multiple incompatible setting of column m");
}

TEST_F(LargeStatements, ManyRelationsAreRefused) {
  ASSERT_EQ(RunWithin("CREATE TABLE t (k int PRIMARY KEY, n int)"), "ok");
  const auto where = [](size_t relations, const char* connective) {
    std::string text = "n = 1";
    for (size_t i = 1; i < relations; ++i) text += StrCat(" ", connective, " n = 1");
    return text;
  };
  const std::string select = "SELECT * FROM t WHERE ", filtering = " ALLOW FILTERING";
  const std::string refused = "WHERE has too many relations: the maximum is 10000";
  EXPECT_EQ(PlanWithin(kSecondsMax, *schema_, select + where(120'000, "AND") + filtering), refused);
  EXPECT_EQ(PlanWithin(kSecondsMax, *schema_, select + where(kRelationsMax + 1, "AND") + filtering), refused);
  EXPECT_EQ(PlanWithin(kSecondsMax, *schema_, select + where(kRelationsMax, "AND") + filtering),
            "n cannot be restricted by more than one relation if it includes an Equal");
  EXPECT_EQ(PlanWithin(kSecondsMax, *schema_, select + "(" + where(kRelationsMax + 1, "OR") + ")" + filtering),
            refused);
  EXPECT_EQ(PlanWithin(kSecondsMax, *schema_, select + "(" + where(kRelationsMax, "OR") + ")" + filtering), "ok");
}

// Returns `shape` with `inner` in place of "#".
std::string Inside(const std::string& shape, const std::string& inner) {
  const size_t place = shape.find('#');
  return shape.substr(0, place) + inner + shape.substr(place + 1);
}

// Planning a term must not plan its parts twice. Otherwise the time would double with each level of nesting.
TEST_F(LargeStatements, TermsNestedInEachOther) {
  ASSERT_EQ(RunWithin("CREATE TABLE nested (k int PRIMARY KEY, n int)"), "ok");
  const std::vector<std::string> shapes = {"(int) #",
                                           "abs(#)",
                                           "-(#)",
                                           "(#)",
                                           "(# + 1)",
                                           "(1 + #)",
                                           "CAST(# AS int)",
                                           "mask_default(#)",
                                           "(int) (# + (int) 1)",
                                           "mask_replace(#, (int) 1)",
                                           "blob_as_int(int_as_blob(#))"};
  const std::vector<std::string> statements = {"INSERT INTO nested (k, n) VALUES (1, #)", "SELECT # FROM nested",
                                               "SELECT k FROM nested WHERE n = # ALLOW FILTERING"};
  size_t planned = 0;
  for (const std::string& outer : shapes) {
    for (const std::string& inner : shapes) {
      std::string term = "(int) 1";
      for (int i = 0; i < 12; ++i) term = Inside(outer, Inside(inner, term));
      for (const std::string& statement : statements) {
        if (PlanWithin(kSecondsMax, *schema_, Inside(statement, term)) == "ok") ++planned;
      }
    }
  }
  EXPECT_GE(planned, 200u);  // 363 are planned. Others are refused: a CAST of a constant, for example.
}

// FindColumn finds each column by its name. This must also work while the columns of a new table are not sorted yet.
TEST(FindColumnTest, InTablesOfAnySize) {
  for (const size_t count : {0u, 3u, 40u, 200u}) {
    TableSchema table;
    table.partition_key_size = 2;
    for (size_t i = 0; i < count; ++i) {
      const ColumnKind kind = i < 2           ? ColumnKind::kPartitionKey
                              : i < count / 2 ? ColumnKind::kStatic
                                              : ColumnKind::kRegular;
      table.columns.push_back(
          {.name = StrCat(i < 2 ? "k" : "c", 1'000 + i), .id = static_cast<ColumnId>(i), .kind = kind});
    }
    for (const bool reversed : {false, true}) {
      if (reversed) std::reverse(table.columns.begin(), table.columns.end());
      for (const ColumnSchema& column : table.columns) {
        EXPECT_EQ(table.Find(column.name), &column) << count;
        EXPECT_EQ(table.FindId(column.id), &column) << count;
      }
      EXPECT_EQ(table.Find("c"), nullptr);
      EXPECT_EQ(table.Find("zzz"), nullptr);
      EXPECT_EQ(table.FindId(5'000), nullptr);
    }
  }
}

}  // namespace
}  // namespace widerow
