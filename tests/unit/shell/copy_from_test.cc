// Tests of COPY FROM: values, and the line of a key that counts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "session_fixture.h"

namespace widerow {
namespace {

TEST_P(SessionTest, CopyOfDurationsOfZero) {
  Run("CREATE TABLE t (k int PRIMARY KEY, d duration, l list<duration>, m map<int, frozen<tuple<duration, int>>>);"
      "INSERT INTO t (k, d) VALUES (1, 0s); INSERT INTO t (k, l) VALUES (2, [0s, 1h]);"
      "INSERT INTO t (k, m) VALUES (3, {1: (0s, 2), 2: (null, 3)});");
  const std::string select = "\\format csv\nSELECT * FROM t WHERE k IN (1, 2, 3);", before = Run(select);
  EXPECT_EQ(before, "k,d,l,m\n1,0s,,\n2,,\"[0s, 1h]\",\n3,,,\"{1: (0s, 2), 2: (null, 3)}\"\n");
  Run("COPY t TO '" + Path("t.csv") + "'; TRUNCATE t; COPY t FROM '" + Path("t.csv") + "';");
  EXPECT_EQ(Run(select), before) << Read("t.csv.err");
}

}  // namespace
}  // namespace widerow
