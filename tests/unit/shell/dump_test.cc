// A dump that is read back gives the same rows, with the same write times and TTLs. To test another kind of table, add
// it to kTables.
#include "shell/dump.h"

#include <gmock/gmock.h>

#include <regex>

#include "session_fixture.h"

namespace widerow {
namespace {

struct DumpedTable {
  const char* name;     // The kind of table, for messages.
  const char* written;  // CREATE TABLE t, and the writes.
  const char* shown;    // What the comparison selects from t.
};

constexpr DumpedTable kTables[] = {
    {"a default TTL that values do not have",
     "CREATE TABLE t (p int, c int, v int, w int, l list<int>, s text static, PRIMARY KEY (p, c));"
     "INSERT INTO t (p, c, v, w, l, s) VALUES (1, 1, 2, 3, [4], 's'); INSERT INTO t (p, c) VALUES (1, 2);"
     "UPDATE t SET w = 5 WHERE p = 1 AND c = 1; INSERT INTO t (p, s) VALUES (2, 'alone');"
     "ALTER TABLE t WITH default_time_to_live = 100000000;"
     "INSERT INTO t (p, c, v, l) VALUES (1, 3, 6, [7]); INSERT INTO t (p, c, v) VALUES (1, 4, 8) USING TTL 0;",
     "p, c, v, w, l, s, writetime(v), writetime(w), writetime(s), writetime(l), ttl(v), ttl(w), ttl(s), ttl(l)"},
    {"random key columns",
     "CREATE TABLE t (b int GENERATED ALWAYS AS (random(8)), c int, v int, w int, l list<int>, PRIMARY KEY ((b), c));"
     "INSERT INTO t (b, c, v) VALUES (0, 1, 0); INSERT INTO t (b, c, v) VALUES (1, 1, 1);"
     "INSERT INTO t (b, c, v) VALUES (2, 1, 2); INSERT INTO t (b, c, v) VALUES (3, 1, 3);"
     "INSERT INTO t (b, c, v) VALUES (4, 1, 4); INSERT INTO t (b, c, v, l) VALUES (5, 1, 5, [1, 2]);"
     "UPDATE t SET w = 6 WHERE b = 5 AND c = 1;",
     "b, c, v, w, l, writetime(v), writetime(w), writetime(l)"},
    {"other generated key columns",
     "CREATE TABLE t (k int, b int GENERATED ALWAYS AS (bucket(k, 4)), v int, d int GENERATED ALWAYS AS (v + 1), "
     "PRIMARY KEY ((b, k)));"
     "INSERT INTO t (k, v) VALUES (1, 2); INSERT INTO t (k) VALUES (3);",
     "b, k, v, d, writetime(v)"},
    {"a key derived from columns outside of it",
     "CREATE TABLE t (k text GENERATED ALWAYS AS (splice(',', zero_pad(d, 6), s)), d int, s text, v int, l set<int>, "
     "PRIMARY KEY (k));"
     "INSERT INTO t (d, s, v, l) VALUES (1, 'a', 5, {1, 2}); INSERT INTO t (d, s) VALUES (2, 'b');"
     "INSERT INTO t (d, s, l) VALUES (3, 'c', {3}); UPDATE t SET v = 6 WHERE d = 2 AND s = 'b';"
     "INSERT INTO t (d, s, v) VALUES (4, 'd', 1) USING TIMESTAMP 1700000000000000;"
     "INSERT INTO t (d, s) VALUES (4, 'd');",
     "k, d, s, v, l, writetime(v), writetime(l)"},
    {"texts with line ends",
     "CREATE TABLE t (k text PRIMARY KEY, v map<text, text>);"
     "INSERT INTO t (k, v) VALUES ('a\r\nb', {'c\r': '\n\r\n'}); INSERT INTO t (k) VALUES ('\r');",
     "text_as_blob(k), v, writetime(v)"},
    {"durations of zero",
     "CREATE TABLE t (k int PRIMARY KEY, d duration, l list<frozen<list<duration>>>);"
     "INSERT INTO t (k, d, l) VALUES (1, 0s, [[0s, 1d]]);",
     "k, d, l, writetime(d)"},
    {"collections with TTLs",
     "CREATE TABLE t (k int PRIMARY KEY, l list<int>, m map<int, int>);"
     "UPDATE t USING TTL 100000000 SET l = l + [1] WHERE k = 1; UPDATE t SET l = l + [2], m = {3: 4} WHERE k = 1;",
     "k, l, m, writetime(l), ttl(l), writetime(m), ttl(m)"},
};

class DumpTest : public SessionTest {
 protected:
  // Returns the rows of t. A TTL of years is shown as "long".
  std::string RowsOf(const DumpedTable& table) {
    const std::string rows = Run("\\format csv\nSELECT " + std::string(table.shown) + " FROM t;");
    EXPECT_EQ(ran_, Interpreter::Ran::kOk) << rows;
    return std::regex_replace(rows, std::regex("\\b(100000000|99999\\d{3})\\b"), "long");
  }
  std::string Dumped() {
    std::ostringstream dump;
    const auto figures = Dump(*session_, {.keyspace = keyspace_, .table = ""}, dump, [](const auto&, uint64_t) {});
    EXPECT_TRUE(figures.ok()) << figures.error().message;
    return dump.str();
  }
  void ReadBack(const std::string& dump) {
    Run("DROP KEYSPACE " + keyspace_ + ";");
    std::istringstream in(dump);
    EXPECT_EQ(interpreter_->RunStream(in, "dump.cql"), Interpreter::Ran::kOk) << err_.str() << dump;
  }
};

INSTANTIATE_TEST_SUITE_P(Doors, DumpTest, ::testing::Values(false, true),
                         [](const auto& test) { return test.param ? "Http" : "InProcess"; });

TEST_P(DumpTest, TablesComeBackAsTheyWere) {
  for (const DumpedTable& table : kTables) {
    Run(table.written);
    ASSERT_EQ(ran_, Interpreter::Ran::kOk) << table.name << ": " << err_.str();
    const std::string before = RowsOf(table), dump = Dumped();
    ReadBack(dump);
    EXPECT_EQ(RowsOf(table), before) << table.name << ":\n" << dump;
    Run("DROP TABLE t;");
  }
}

// A row that has only elements with TTLs disappears with the last of them.
TEST_P(DumpTest, RowsOfExpiringElementsExpire) {
  Run("CREATE TABLE t (k int PRIMARY KEY, l list<int>, m map<int, int>);"
      "UPDATE t USING TTL 1000 SET l = l + [1] WHERE k = 1; UPDATE t USING TTL 2000 SET m = {1: 1} WHERE k = 1;");
  const std::string dump = Dumped();
  EXPECT_THAT(dump, ::testing::ContainsRegex("INSERT INTO [a-z0-9.]+ \\(k\\) VALUES \\(1\\) USING TIMESTAMP [0-9]+ AND "
                                             "TTL (1000|999)"));
}

}  // namespace
}  // namespace widerow
