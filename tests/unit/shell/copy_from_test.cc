// Tests of COPY FROM: values, and the line of a key that counts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "session_fixture.h"

namespace widerow {
namespace {

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

}  // namespace
}  // namespace widerow
