// Tests step 3 of planning a SELECT: the choice of access path, filter, order and limits. EXPLAIN shows the results.
#include <gtest/gtest.h>

#include "planner/plan.h"
#include "tests/unit/planner/plan_support.h"
#include "types/token.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

constexpr const char* kFiltering =
    "Invalid Cannot execute this query as it might involve data filtering and thus may have unpredictable performance. "
    "If "
    "you want to execute this query despite the performance unpredictability, use ALLOW FILTERING";

std::string Lines(const std::string& access, const std::string& partitions,
                  const std::string& rest = "\n  filter   none", const std::string& table = "events") {
  return "Select ks." + table + "\n  access   " + access + "\n  partitions " + partitions + rest;
}

TEST(PlanAccessPath, PointsAndSlices) {
  ExpectAnswers({
      {"SELECT * FROM t WHERE k = 1", Lines("PointLookup k=1", "1 of 16", "\n  filter   none", "t")},
      {"SELECT * FROM events WHERE device = 'a' AND seq = 2", Lines("PointLookup device='a', seq=2", "1 of 16")},
      {"SELECT * FROM events WHERE device = 'a'", Lines("PartitionSlice device='a', stored order", "1 of 16")},
      {"SELECT * FROM events WHERE device = 'a' AND seq >= 2 AND seq < 4 LIMIT 10",
       Lines("PartitionSlice device='a', seq in [2, 4), stored order", "1 of 16",
             "\n  filter   none\n  limit    10 rows")},
      {"SELECT * FROM events WHERE device = 'a' AND 123<seq<456 ORDER BY seq DESC",
       Lines("PartitionSlice device='a', seq in (123, 456), reversed", "1 of 16")},
      {"SELECT * FROM events WHERE device = 'a' AND seq BETWEEN 1 AND 5",
       Lines("PartitionSlice device='a', seq in [1, 5], stored order", "1 of 16")},
      {"SELECT * FROM events WHERE device = 'a' AND seq > 2",
       Lines("PartitionSlice device='a', seq > 2, stored order", "1 of 16")},
      {"SELECT * FROM events WHERE device = 'a' AND seq <= 2",
       Lines("PartitionSlice device='a', seq <= 2, stored order", "1 of 16")},
      {"SELECT * FROM events WHERE device = 'a' AND seq IN (1, 2)",
       Lines("PartitionSlice device='a', seq in (1, 2), stored order", "1 of 16")},
      {"SELECT * FROM events WHERE device = ? AND seq = ?", Lines("PointLookup device=?, seq=?", "at most 1 of 16")},
      {"SELECT * FROM events WHERE device = 'it''s' PER PARTITION LIMIT 1 LIMIT ?",
       Lines("PartitionSlice device='it''s', stored order", "1 of 16",
             "\n  filter   none\n  limit    1 row a partition\n  limit    ? rows")},
  });
}

TEST(PlanAccessPath, TuplesOfClusteringColumns) {
  const auto wide = [](const std::string& clustering) {
    return Lines("PartitionSlice a=1, b=2, " + clustering + ", stored order", "1 of 16", "\n  filter   none", "wide");
  };
  const std::string from = "SELECT * FROM wide WHERE a = 1 AND b = 2 AND ";
  ExpectAnswers({
      {from + "(c, d) > (1, 2)", wide("(c, d) > (1, 2)")},
      {from + "(c, d) > (1, 2) AND (c, d) <= (3, 4)", wide("(c, d) in ((1, 2), (3, 4)]")},
      {from + "(c, d) > (1, 2) AND c < 5", wide("(c, d) > (1, 2) and c < 5")},
      {from + "c = 1 AND (d, e) >= (1, 2)", wide("c=1, (d, e) >= (1, 2)")},
      {from + "(c, d) IN ((1, 2), (3, 4))", wide("(c, d) in ((1, 2), (3, 4))")},
      {from + "(c, d) IN ((1, 2), (3, 4)) AND e > 1", wide("(c, d) in ((1, 2), (3, 4)), e > 1")},
      {from + "(c, d) IN ?", wide("(c, d) in ?")},
      {from + "(c, d) IN (?, (1, 2))", wide("(c, d) in (?, (1, 2))")},
      {from + "(c, d) > ?", wide("(c, d) > ?")},
      {from + "(c, d) = (1, 2)", wide("c=1, d=2")},
      {from + "(c, d) = ?", wide("(c, d)=?")},
      {from + "c IN (1, 2) AND d IN (3, 4) AND e > 5", wide("c in (1, 2), d in (3, 4), e > 5")},
      {from + "(c, d, e) = (1, 2, 3)",
       Lines("PointLookup a=1, b=2, c=1, d=2, e=3", "1 of 16", "\n  filter   none", "wide")},
      {from + "(c, d, e) = ?", Lines("PointLookup a=1, b=2, (c, d, e)=?", "1 of 16", "\n  filter   none", "wide")},
      {from + "c > 1 AND d = 2 ALLOW FILTERING",
       Lines("PartitionSlice a=1, b=2, c > 1, stored order", "1 of 16", "\n  filter   d = 2", "wide")},
      {from + "d = 2 ALLOW FILTERING",
       Lines("PartitionSlice a=1, b=2, stored order", "1 of 16", "\n  filter   d = 2", "wide")},
  });
}

TEST(PlanAccessPath, SeveralPartitions) {
  ExpectAnswers({
      {"SELECT * FROM t WHERE k IN (1, 2, 3)",
       Lines("MultiPartition k in (1, 2, 3), stored order", "3 of 16", "\n  filter   none", "t")},
      {"SELECT * FROM t WHERE k IN ?",
       Lines("MultiPartition k in ?, stored order", "at most 16 of 16", "\n  filter   none", "t")},
      {"SELECT * FROM t WHERE k IN ()",
       Lines("MultiPartition k in (), stored order", "0 of 16", "\n  filter   none", "t")},
      {"SELECT * FROM t WHERE k IN (1)", Lines("PointLookup k=1", "1 of 16", "\n  filter   none", "t")},
      {"SELECT * FROM wide WHERE a IN (1, 2) AND b = 3 AND c = 1 ORDER BY c DESC",
       Lines("MultiPartition a in (1, 2), b=3, c=1, reversed, partitions merged", "2 of 16", "\n  filter   none",
             "wide")},
      {"SELECT * FROM wide WHERE a IN (1, 2) AND b = 3 AND v = 1 ALLOW FILTERING",
       Lines("MultiPartition a in (1, 2), b=3, stored order", "2 of 16", "\n  filter   v = 1", "wide")},
  });
}

TEST(PlanAccessPath, Scans) {
  ExpectAnswers({
      {"SELECT * FROM events", Lines("TokenScan all rows", "16 of 16")},
      {"SELECT * FROM events WHERE token(device) > 5", Lines("TokenScan token > 5", "8 of 16")},
      {"SELECT * FROM events WHERE token(device) > 5 AND token(device) <= 9",
       Lines("TokenScan token in (5, 9]", "1 of 16")},
      {"SELECT * FROM events WHERE token(device) > 9 AND token(device) <= 5",
       Lines("TokenScan token in (9, 5]", "0 of 16")},
      {"SELECT * FROM events WHERE token(device) > token('a')",
       Lines("TokenScan token > " + std::to_string(Murmur3Token("a")), "16 of 16")},
      {"SELECT * FROM events WHERE v = 3 ALLOW FILTERING",
       Lines("FilteredScan all rows", "16 of 16", "\n  filter   v = 3")},
      {"SELECT * FROM events WHERE token(device) > 5 AND v = 3 ALLOW FILTERING",
       Lines("FilteredScan token > 5", "8 of 16", "\n  filter   v = 3")},
      {"SELECT * FROM events WHERE device = 'a' AND token(device) > 5",
       Lines("PartitionSlice device='a', stored order", "1 of 16", "\n  filter   token(device) > 5")},
      {"SELECT * FROM events WHERE seq > 1 AND seq <= 9 ALLOW FILTERING",
       Lines("FilteredScan all rows", "16 of 16", "\n  filter   seq > 1 AND seq <= 9")},
      {"SELECT * FROM events WHERE v = 1 OR v > 7 ALLOW FILTERING",
       Lines("FilteredScan all rows", "16 of 16", "\n  filter   (v = 1 OR v > 7)")},
      {"SELECT * FROM events WHERE device = 'a' AND NOT (v = 1) AND v != 5 ALLOW FILTERING",
       Lines("PartitionSlice device='a', stored order", "1 of 16", "\n  filter   NOT (v = 1) AND v != 5")},
      {"SELECT count(*) FROM events",
       Lines("TokenScan all rows", "16 of 16", "\n  filter   none\n  aggregate all rows to one")},
      {"SELECT DISTINCT device, owner FROM events",
       Lines("TokenScan all rows", "16 of 16", "\n  filter   none\n  distinct one row a partition")},
      {"SELECT * FROM types WHERE m['x'] = 1 AND st CONTAINS 'y' AND ud.zip = 5 ALLOW FILTERING",
       Lines("FilteredScan all rows", "16 of 16", "\n  filter   m['x'] = 1 AND st CONTAINS 'y' AND ud.zip = 5",
             "types")},
  });
}

TEST(PlanAccessPath, Order) {
  ExpectAnswers({
      {"SELECT * FROM mixed WHERE a = 1 ORDER BY c, d DESC",
       Lines("PartitionSlice a=1, stored order", "1 of 16", "\n  filter   none", "mixed")},
      {"SELECT * FROM mixed WHERE a = 1 ORDER BY c DESC, d ASC",
       Lines("PartitionSlice a=1, reversed", "1 of 16", "\n  filter   none", "mixed")},
      {"SELECT * FROM mixed WHERE a = 1 AND c = 5 ORDER BY d",
       Lines("PartitionSlice a=1, c=5, reversed", "1 of 16", "\n  filter   none", "mixed")},
      {"SELECT * FROM mixed WHERE a = 1 ORDER BY c, d",
       "Invalid Unsupported order by relation\n"
       "hint: a partition can be read in its own order, ORDER BY c ASC, d DESC, or backwards, ORDER BY c DESC, d ASC"},
      {"SELECT * FROM t WHERE k = 1 ORDER BY v",
       "Invalid Order by is currently only supported on the clustered columns of the PRIMARY KEY, got v\n"
       "hint: the table has no clustering columns: a partition is one row"},
      {"SELECT * FROM events ORDER BY seq",
       "Invalid ORDER BY is only supported when the partition key is restricted by an EQ or an IN."},
      {"SELECT * FROM events WHERE device = 'a' ORDER BY v ALLOW SORTING",
       "Invalid ALLOW SORTING does not exist in CQL 3.4.7\n"
       "hint: a materialized view can have the column in its key and so in its order; any other order is the client's "
       "to make"},
  });
}

// A refusal must name the missing column and the key as declared, and show forms of the statement that would run.
TEST(PlanAccessPath, RefusalsTeach) {
  const std::string filtering = kFiltering;
  ExpectAnswers({
      {"SELECT v FROM events WHERE v = 3",
       filtering +
           "\nhint: column device of the partition key is missing; column v is not in the primary key; the key is "
           "PRIMARY KEY (device, seq); these would run: WHERE device = ?, or WHERE device = ? AND seq >= ? AND seq "
           "< ?, or the statement as it is with ALLOW FILTERING"},
      {"SELECT v FROM events WHERE seq = 3",
       filtering +
           "\nhint: column device of the partition key is missing; the key is PRIMARY KEY (device, seq); these would "
           "run: WHERE device = ?, or WHERE device = ? AND seq = ?, or the statement as it is with ALLOW FILTERING"},
      {"SELECT v FROM wide WHERE a = 1 AND c = 2",
       filtering +
           "\nhint: column b of the partition key is missing; the key is PRIMARY KEY ((a, b), c, d, e); these would "
           "run: WHERE a = ? AND b = ?, or WHERE a = ? AND b = ? AND c = ?, or the statement as it is with ALLOW "
           "FILTERING"},
      {"SELECT v FROM wide WHERE a = 1 AND b > 2",
       filtering +
           "\nhint: partition key column b takes = or IN, not a range; the key is PRIMARY KEY ((a, b), c, d, e); "
           "these would run: WHERE a = ? AND b = ?, or WHERE a = ? AND b = ? AND c >= ? AND c < ?, or the statement "
           "as it is with ALLOW FILTERING"},
      {"SELECT v FROM wide WHERE a = 1 AND b = 1 AND e > 2",
       "Invalid PRIMARY KEY column \"e\" cannot be restricted as preceding column \"c\" is not restricted\n"
       "hint: column c must be given before e; the key is PRIMARY KEY ((a, b), c, d, e); these would run: WHERE a = ? "
       "AND b "
       "= ?, or WHERE a = ? AND b = ? AND c = ? AND d = ? AND e >= ? AND e < ?, or the statement as it is with ALLOW "
       "FILTERING"},
      {"SELECT v FROM t WHERE v = 1 OR k = 2",
       filtering +
           "\nhint: column k of the partition key is missing; column v is not in the primary key; OR only filters "
           "rows; the key is PRIMARY KEY (k); these would run: WHERE k = ?, or the statement as it is with ALLOW "
           "FILTERING"},
      {"SELECT v FROM t WHERE k = 1 AND v != 2",
       "Invalid Unsupported \"!=\" relation: v != 2\n"
       "hint: column v is not in the primary key; != only filters rows; the key is PRIMARY KEY (k); these would run: "
       "WHERE k "
       "= ?, or the statement as it is with ALLOW FILTERING"},
  });
}

TEST(PlanAccessPath, PrunesThePartitionMap) {
  const auto partitions = [&](const std::string& where) {
    const std::string answer = PlanAnswer(*TestSchema(), "SELECT * FROM t WHERE " + where);
    const size_t begin = answer.find("partitions ") + 11;
    return answer.substr(begin, answer.find('\n', begin) - begin);
  };
  EXPECT_EQ(partitions("k = 1"), "1 of 16");
  EXPECT_EQ(partitions("k = ?"), "at most 1 of 16");
  EXPECT_EQ(partitions("k IN (1, ?, 3)"), "at most 3 of 16");
  EXPECT_EQ(partitions("k IN ?"), "at most 16 of 16");
  EXPECT_EQ(partitions("k IN (1, 1, 1)"), "1 of 16");
  // The table has sixteen ranges of tokens. Range number 8 is [0, 2^60).
  EXPECT_EQ(partitions("token(k) >= 0 AND token(k) < 1152921504606846976"), "1 of 16");
  EXPECT_EQ(partitions("token(k) >= 0 AND token(k) <= 1152921504606846976"), "2 of 16");
  EXPECT_EQ(partitions("token(k) >= -1 AND token(k) < 1152921504606846976"), "2 of 16");
  EXPECT_EQ(partitions("token(k) > -1 AND token(k) < 1152921504606846976"), "1 of 16");
  EXPECT_EQ(partitions("token(k) < 0"), "8 of 16");
  EXPECT_EQ(partitions("token(k) >= ? AND token(k) < 0"), "at most 8 of 16");
  EXPECT_EQ(partitions("token(k) > 9223372036854775807"), "0 of 16");
  EXPECT_EQ(partitions("token(k) < -9223372036854775808"), "0 of 16");
  std::vector<int> hit(16);
  for (int key = 0; key < 200; ++key) {
    const int64_t token = Murmur3Token(EncodeInteger(TypeKind::kInt, key));
    ++hit[((static_cast<uint64_t>(token) ^ (uint64_t{1} << 63)) >> 60)];
  }
  for (const int count : hit) EXPECT_GT(count, 0);
  std::string all = "0";
  for (int key = 1; key < 200; ++key) all += ", " + std::to_string(key);
  EXPECT_EQ(partitions("k IN (" + all + ")"), "16 of 16");
}

TEST(PlanAccessPath, Facts) {
  const auto select = [](const std::string& text) {
    Result<Plan> plan = PlanText(*TestSchema(), text);
    EXPECT_TRUE(plan.ok()) << text;
    return std::get<SelectPlan>(plan->node);
  };
  EXPECT_TRUE(select("SELECT * FROM events").needs_statics);
  EXPECT_FALSE(select("SELECT seq, v FROM events").needs_statics);
  EXPECT_TRUE(select("SELECT seq FROM events WHERE owner = 'x' ALLOW FILTERING").needs_statics);
  EXPECT_TRUE(select("SELECT count(*) FROM events").aggregated);
  EXPECT_FALSE(select("SELECT seq FROM events").aggregated);
}

}  // namespace
}  // namespace widerow
