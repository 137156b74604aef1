// Tests of COPY FROM: values, the line of a key that counts, and static columns.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "session_fixture.h"

namespace widerow {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST_P(SessionTest, CopyOfDurationsOfZero) {
  Run("CREATE TABLE t (k int PRIMARY KEY, d duration, l list<duration>, m map<int, frozen<tuple<duration, int>>>);"
      "INSERT INTO t (k, d) VALUES (1, 0s); INSERT INTO t (k, l) VALUES (2, [0s, 1h]);"
      "INSERT INTO t (k, m) VALUES (3, {1: (0s, 2), 2: (null, 3)});");
  const std::string select = "\\format csv\nSELECT * FROM t WHERE k IN (1, 2, 3);", before = Run(select);
  EXPECT_EQ(before, "k,d,l,m\n1,0s,,\n2,,\"[0s, 1h]\",\n3,,,\"{1: (0s, 2), 2: (null, 3)}\"\n");
  Run("COPY t TO '" + Path("t.csv") + "'; TRUNCATE t; COPY t FROM '" + Path("t.csv") + "';");
  EXPECT_EQ(Run(select), before) << Read("t.csv.err");
}

// Surrogates are accepted in a text, but they are not UTF-8, and JSON is.
TEST_P(SessionTest, CopyFromKeepsSurrogates) {
  Run("CREATE TABLE t (k text PRIMARY KEY, l list<text>);");
  Write("t.csv", "\xED\xA0\xBD\xED\xB8\x80,\nb,\"['c', '\xED\xA0\x80']\"\n");
  EXPECT_THAT(Run("COPY t FROM '" + Path("t.csv") + "';"), StartsWith("2 rows imported"));
  Run("\\format csv");
  EXPECT_EQ(Run("SELECT text_as_blob(k) AS b FROM t WHERE k = blob_as_text(0xeda0bdedb880);"), "b\n0xeda0bdedb880\n");
  EXPECT_EQ(Run("SELECT k FROM t WHERE l CONTAINS blob_as_text(0xeda080) ALLOW FILTERING;"), "k\nb\n");
}

// The later line of a key counts, also if the key is computed from fields that differ. The unique index of the table u
// makes the shell write without a bulk load.
TEST_P(SessionTest, CopyFromKnowsComputedKeys) {
  Run("CREATE TABLE t (day date, k int, n int, v text, PRIMARY KEY (day, k));"
      "CREATE TABLE u (day date, k int, n int, v text, PRIMARY KEY (day, k)); CREATE UNIQUE INDEX ui ON u (n);");
  ASSERT_EQ(ran_, Interpreter::Ran::kOk) << err_.str();
  std::string file = "ts,k,n,v\n";
  constexpr int kKeys = 200;
  for (int i = 0; i < kKeys; ++i) {
    file += StrCat("2024-01-01 10:00,", i, ",", 2 * i, ",z old\n");
    file += StrCat("2024-01-01 20:00,", i, ",", 2 * i + 1, ",a new\n");
  }
  Write("keys.csv", file);
  for (const char* table : {"t", "u"}) {
    Run(StrCat("COPY ", table, " FROM '", Path("keys.csv"),
               "' WITH HEADER = TRUE AND WORKERS = 4 AND SET = {'day': 'to_date((timestamp):ts)'};"));
    ASSERT_EQ(ran_, Interpreter::Ran::kOk) << err_.str();
    const std::string count = StrCat("\\format csv\nSELECT count(*) FROM ", table);
    EXPECT_THAT(Run(count + " WHERE v = 'a new' ALLOW FILTERING;"), StartsWith(StrCat("count\n", kKeys, "\n")));
    EXPECT_THAT(Run(count + ";"), StartsWith(StrCat("count\n", kKeys, "\n"))) << table;
  }
}

// Of two lines of a partition, the later one gives the static columns.
TEST_P(SessionTest, CopyFromTakesStaticColumnsFromTheLaterLine) {
  Run("CREATE TABLE t (k int, c int, s text STATIC, v int, PRIMARY KEY (k, c));"
      "CREATE TABLE u (k int, c int, s text STATIC, v int, PRIMARY KEY (k, c)); CREATE UNIQUE INDEX ui ON u (v);");
  ASSERT_EQ(ran_, Interpreter::Ran::kOk) << err_.str();
  std::string file;
  constexpr int kKeys = 200;
  for (int i = 0; i < kKeys; ++i) {
    const std::string k = std::to_string(i);
    file += StrCat(k, ",1,z old,", 3 * i, "\n", k, ",2,a new,", 3 * i + 1, "\n", k, ",3,,", 3 * i + 2, "\n");
  }
  for (const char* table : {"t", "u"}) {
    Run(StrCat("COPY ", table, " FROM '", Write("statics.csv", file), "' WITH WORKERS = 4;"));
    EXPECT_THAT(Run(StrCat("\\format csv\nSELECT count(*) FROM ", table, " WHERE s = 'a new' ALLOW FILTERING;")),
                StartsWith(StrCat("count\n", 3 * kKeys, "\n")))
        << table;
  }
}

// Static columns are imported without rows: by a list without clustering columns, and from lines whose fields of
// clustering and regular columns are null.
TEST_P(SessionTest, CopyOfStaticColumnsWithoutRows) {
  Run("CREATE TABLE t (k int, c int, d int, s text STATIC, w int STATIC, v int, PRIMARY KEY (k, c, d));"
      "CREATE TABLE u (k int, c int, d int, s text STATIC, w int STATIC, v int, PRIMARY KEY (k, c, d));"
      "CREATE UNIQUE INDEX ui ON u (v);"
      "CREATE TABLE n (k int, c int, s counter STATIC, v counter, PRIMARY KEY (k, c));");
  ASSERT_EQ(ran_, Interpreter::Ran::kOk) << err_.str();
  for (const std::string table : {"t", "u"}) {
    const std::string select = "\\format csv\nSELECT * FROM " + table + " WHERE k IN (1, 2, 3, 4);";
    EXPECT_THAT(Run("COPY " + table + " (k, s) FROM '" + Write("s.csv", "1,a\n2,b\n1,c\n") + "';"),
                StartsWith("3 rows imported"));
    EXPECT_EQ(Run(select), "k,c,d,s,w,v\n1,,,c,,\n2,,,b,,\n");
    const std::string file = Write("t.csv", "3,,,x,1,\n4,1,1,y,,5\n3,,,z,,\n2,,,,7,\n4,,,w,,\n");
    EXPECT_THAT(Run("COPY " + table + " FROM '" + file + "';"), StartsWith("5 rows imported"));
    EXPECT_EQ(Run(select), "k,c,d,s,w,v\n1,,,c,,\n2,,,b,7,\n3,,,z,1,\n4,1,1,w,,5\n");
    Run("COPY " + table + " TO '" + Path("all.csv") + "'; TRUNCATE " + table + ";");
    EXPECT_THAT(Run("COPY " + table + " FROM '" + Path("all.csv") + "';"), StartsWith("4 rows imported"));
    EXPECT_EQ(Run(select), "k,c,d,s,w,v\n1,,,c,,\n2,,,b,7,\n3,,,z,1,\n4,1,1,w,,5\n");
    // A value of a regular column, or a part of the clustering, needs the whole key. So does a line without values.
    const std::string bad = Write("bad.csv", "5,,,s,,1\n5,1,,s,,\n5,,,,,\n,,,s,,\n");
    EXPECT_THAT(
        Run("COPY " + table + " FROM '" + bad + "';"),
        AllOf(StartsWith("0 rows imported"), HasSubstr("4 bad rows"), HasSubstr("null in a primary key column")));
  }
  EXPECT_THAT(Run("COPY n FROM '" + Write("n.csv", "1,,2,\n1,1,3,4\n1,,5,\n") + "';"), StartsWith("3 rows imported"));
  EXPECT_EQ(Run("\\format csv\nSELECT * FROM n;"), "k,c,s,v\n1,1,10,4\n");
  EXPECT_THAT(Run("COPY t (k, v) FROM '" + Path("s.csv") + "';"),
              HasSubstr("no field for the primary key column c, d"));
  EXPECT_THAT(Run("COPY t (k) FROM '" + Path("s.csv") + "';"), HasSubstr("no field for the primary key column c, d"));
}

// In a batch of INSERTs with one timestamp, the elements of a list would add up, and the greater value would count.
TEST_P(SessionTest, CopyFromOfEqualStaticFields) {
  Run("CREATE TABLE t (k int, c int, v int, l list<int> STATIC, s text STATIC, PRIMARY KEY (k, c));"
      "CREATE TABLE u (k int, c int, v int, l list<int> STATIC, s text STATIC, PRIMARY KEY (k, c));"
      "CREATE UNIQUE INDEX ui ON u (v);");
  ASSERT_EQ(ran_, Interpreter::Ran::kOk) << err_.str();
  const std::string file =
      Write("l.csv", "1,1,\"[1, 2]\",x,1\n1,2,\"[1, 2]\",,2\n1,3,\"[1, 2]\",\"\",3\n1,4,\"[1, 2]\",,4\n");
  for (const std::string table : {"t", "u"}) {
    const std::string select = "\\format csv\nSELECT DISTINCT k, l, s FROM " + table + " WHERE k = 1;";
    Run("COPY " + table + " (k, c, l, s, v) FROM '" + file + "';");
    EXPECT_EQ(Run(select), "k,l,s\n1,\"[1, 2]\",\"\"\n") << table;
    Run("TRUNCATE " + table + "; COPY " + table + " (k, c, -, -, v) FROM '" + file + "' WITH SET = {'l': '[5, 6]'};");
    EXPECT_EQ(Run(select), "k,l,s\n1,\"[5, 6]\",\n") << table << err_.str();
  }
}

TEST_P(SessionTest, CopyOfStaticCounters) {
  Run("CREATE TABLE t (k int, c int, n counter, s counter STATIC, PRIMARY KEY (k, c));"
      "UPDATE t SET s = s + 7, n = n + 1 WHERE k = 1 AND c = 1; UPDATE t SET n = n + 2 WHERE k = 1 AND c = 2;"
      "UPDATE t SET s = s + 9 WHERE k = 2; UPDATE t SET s = s + 3, n = n + 4 WHERE k = 3 AND c = 1;");
  const std::string select = "\\format csv\nSELECT k, c, n, s FROM t WHERE k IN (1, 2, 3);", before = Run(select);
  EXPECT_EQ(before, "k,c,n,s\n1,1,1,7\n1,2,2,7\n2,,,9\n3,1,4,3\n");
  Run("COPY t TO '" + Path("t.csv") + "'; TRUNCATE t; COPY t FROM '" + Path("t.csv") + "';");
  EXPECT_EQ(Run(select), before) << Read("t.csv");
  Run("COPY t (c, s) TO '" + Path("part.csv") + "';");
  EXPECT_THAT(Read("part.csv"), AllOf(HasSubstr("1,7\n2,7\n"), HasSubstr(",9\n"), HasSubstr("1,3\n")));
  EXPECT_THAT(Run("COPY t (k, c, n, s) FROM '" + Write("s.csv", "1,2,,1\n") + "';"), StartsWith("1 row imported"));
  EXPECT_THAT(Run(select), HasSubstr("1,2,2,8\n"));
}

TEST_P(SessionTest, CopyFromDerivesWhatIsNull) {
  Run("CREATE TABLE t (b int GENERATED ALWAYS AS (bucket(k, 4)), k int, v int, PRIMARY KEY ((b, k)));");
  EXPECT_THAT(Run("COPY t (b, k, v) FROM '" + Write("b.csv", ",1,2\n") + "';"), StartsWith("1 row imported"));
  EXPECT_EQ(Run("\\format csv\nSELECT k, v FROM t WHERE k = 1;"), "k,v\n1,2\n");
}

}  // namespace
}  // namespace widerow
