// Creates and changes tables as HBase's Admin does.
#include "net/hbase/store/meta_table.h"
#include "tests/unit/hbase/hbase_test.h"

namespace widerow::hbase {
namespace {

class AdminTest : public HBaseTest {};

std::string KeysOf(const HTable& table) {
  std::string text;
  for (const Region& region : RegionsOf(table)) text += "[" + region.start + "," + region.end + ")";
  return text;
}

TEST_F(AdminTest, RegionsHaveTheSplitKeys) {
  const Bytes zero("p\0q", 3);
  Create({{.name = "f"}}, {zero, "g"});
  EXPECT_EQ(KeysOf(*Table()), "[,g)[g," + zero + ")[" + zero + ",)");
}

TEST_F(AdminTest, AnAddedFamilyHasTheSameRegions) {
  Create({{.name = "f"}}, {"g", "p"});
  const Status added = admin_.AddFamily(Caller(), {.name = "t"}, {.name = "n"});
  ASSERT_TRUE(added.ok()) << added.error().message;
  EXPECT_EQ(Table()->families.size(), 2);
  EXPECT_EQ(KeysOf(*Table()), "[,g)[g,p)[p,)");
}

// The test's parameter is the PARTITION BY clause of a CQL table.
class AddedFamilyTest : public HBaseTest, public ::testing::WithParamInterface<const char*> {};

TEST_P(AddedFamilyTest, HasThePartitionsOfTheTable) {
  Cql("CREATE KEYSPACE \"default\" WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
  Cql("CREATE TABLEGROUP t");
  Cql(std::string("CREATE TABLE t$f (K varbinary(1024), Q varbinary(256), T bigint, V varbinary(1048576), "
                  "K_PREFIX varbinary(4) GENERATED ALWAYS AS (substring(K, 1, 4)), PRIMARY KEY (K, Q, T)) "
                  "TABLEGROUP = t PARTITION BY ") +
      GetParam());
  const Status added = admin_.AddFamily(Caller(), {.name = "t"}, {.name = "n"});
  EXPECT_TRUE(added.ok()) << added.error().message;
}

INSTANTIATE_TEST_SUITE_P(, AddedFamilyTest,
                         ::testing::Values("KEY (K) PARTITIONS 3", "KEY (K_PREFIX) PARTITIONS 97",
                                           "RANGE (K) (PARTITION low VALUES LESS THAN (0x67), "
                                           "PARTITION high VALUES LESS THAN (0x70))"));

}  // namespace
}  // namespace widerow::hbase
