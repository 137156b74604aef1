#include "ddl_fixture.h"
#include "planner/views/key_order.h"

namespace widerow {
namespace {

class DdlViewOrderTest : public DdlTest {
 protected:
  DdlViewOrderTest() {
    EXPECT_EQ(
        Run("CREATE TABLE t (k int, c int, d int, PRIMARY KEY (k, c, d)) WITH CLUSTERING ORDER BY (c DESC, d ASC)"),
        "ok");
    EXPECT_EQ(
        Run("CREATE MATERIALIZED VIEW v AS SELECT * FROM t WHERE k IS NOT NULL AND c IS NOT NULL AND d IS NOT NULL "
            "PRIMARY KEY ((c, d), k)"),
        "ok");
  }
  static std::vector<bool> Descending(const SchemaPtr& schema) {
    std::vector<bool> columns;
    for (const ColumnSchema& column : schema->FindTable("ks", "v")->columns) columns.push_back(column.descending);
    return columns;
  }
};

TEST_F(DdlViewOrderTest, APartitionKeyKeepsTheOrderOfItsTable) {
  EXPECT_EQ(Descending(schema_), (std::vector<bool>{true, false, false}));
  EXPECT_EQ(WithOrderedViewKeys(schema_), schema_);
}

TEST_F(DdlViewOrderTest, ViewsOfOlderCatalogsGetIt) {
  auto older = std::make_shared<SchemaSnapshot>(*schema_);
  KeyspaceSchema keyspace = *older->FindKeyspace("ks");
  TableSchema view = *Table("v");
  view.columns[0].descending = false;
  keyspace.tables["v"] = std::make_shared<const TableSchema>(std::move(view));
  older->keyspaces["ks"] = std::make_shared<const KeyspaceSchema>(std::move(keyspace));
  EXPECT_EQ(Descending(WithOrderedViewKeys(older)), (std::vector<bool>{true, false, false}));
}

}  // namespace
}  // namespace widerow
