// The meter of throughput keeps the rates of existing tables and forgets dropped ones.
#include "exec/guardrails/throughput.h"

#include <gtest/gtest.h>

namespace widerow {
namespace {

SchemaSnapshot SchemaWith(std::vector<TablePtr> tables) {
  auto keyspace = std::make_shared<KeyspaceSchema>();
  keyspace->name = "ks";
  for (TablePtr& table : tables) keyspace->tables.emplace(table->name, table);
  SchemaSnapshot schema;
  schema.keyspaces.emplace("ks", std::move(keyspace));
  return schema;
}

// A server that creates and drops tables for years keeps nothing of the dropped ones.
TEST(Throughput, DroppedTablesAreForgotten) {
  auto table = std::make_shared<TableSchema>();
  table->keyspace = "ks";
  table->name = "t";
  table->id = Uuid::Random();
  table->options.throughput.read_limit = 100;
  ManualClock clock(1'000'000);
  Throughput throughput(clock, {});
  const SchemaSnapshot with = SchemaWith({table}), without = SchemaWith({});
  throughput.SetSchema(with);
  throughput.Charge(*table, Access::kRead, 7);
  ASSERT_EQ(throughput.List(with).size(), 1u);
  EXPECT_EQ(throughput.List(with)[0].used[0].units, 7u);
  throughput.SetSchema(with);
  EXPECT_EQ(throughput.List(with)[0].used[0].units, 7u);
  throughput.SetSchema(without);
  EXPECT_EQ(throughput.List(with)[0].used[0].units, 0u);
}

}  // namespace
}  // namespace widerow
