// DESCRIBE prints statements. When these statements are run, they must make the described schema again.
#include <gtest/gtest.h>

#include "exec/engine/engine.h"
#include "parser/parse.h"
#include "tests/unit/scratch_engine.h"

namespace widerow {
namespace {

class DescribeTest : public ::testing::Test {
 protected:
  Outcome Run(const std::string& text, const RequestParameters& parameters = {}) {
    Result<Outcome> outcome = engine_->Execute(text, parameters);
    if (outcome.ok()) return std::move(*outcome);
    ADD_FAILURE() << text << ": " << outcome.error().message;
    return {};
  }
  // Returns the last column of each row. Reads `page_rows` rows at a time.
  std::vector<std::string> Last(const std::string& text, uint32_t page_rows = 0) {
    std::vector<std::string> out;
    RequestParameters parameters;
    parameters.page_rows = page_rows;
    do {
      const Outcome outcome = Run(text, parameters);
      const auto& page = std::get<RowsPage>(outcome.result);
      PageReader reader(page);
      for (std::vector<ValueView> row; reader.Next(row);) out.emplace_back(*row.back());
      parameters.paging_state = page.paging_state;
    } while (!parameters.paging_state.empty());
    return out;
  }

  ScratchDirectory directory_;
  std::unique_ptr<Engine> engine_ = OpenEngine(directory_);
};

constexpr const char* kSchema[] = {
    R"(CREATE KEYSPACE "Shop" WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 1} AND durable_writes = false)",
    R"(CREATE TYPE "Shop".zone (x int, y text))",
    R"(CREATE TYPE "Shop"."A" (z frozen<zone>, l frozen<list<frozen<zone>>>, "select" vector<float, 2>))",
    R"(CREATE TABLE "Shop".t (p1 int, p2 text, c1 uuid, c2 timeuuid, s set<int> STATIC, v varbinary(7), w "A",
       f frozen<map<text, frozen<"A">>>, "Quoted ""name""" tuple<int, frozen<zone>>, PRIMARY KEY ((p1, p2), c1, c2))
       WITH CLUSTERING ORDER BY (c1 DESC, c2 ASC) AND comment = 'it''s' AND gc_grace_seconds = 5
       AND compaction = {'class': 'LeveledCompactionStrategy', 'sstable_size_in_mb': 10} AND compression = {'enabled': false}
       AND caching = {'keys': 'NONE', 'rows_per_partition': '7'} AND speculative_retry = 'MIN(99p,10ms)' AND cdc = true
       AND read_repair = 'NONE' AND memtable = 'trie' AND default_time_to_live = 60)",
    R"(CREATE TABLE "Shop".dropped (k int PRIMARY KEY, a int, b text, c list<int>))",
    R"(ALTER TABLE "Shop".dropped DROP (a, b))",
    R"(ALTER TABLE "Shop".dropped ADD b text)",
};

class RecreateTest : public DescribeTest, public ::testing::WithParamInterface<const char*> {};

TEST_P(RecreateTest, WhatIsDescribedCanBeDroppedAndMadeAgain) {
  for (const char* statement : kSchema) Run(statement);
  const std::string describe = std::string("DESCRIBE KEYSPACE \"Shop\"") + GetParam();
  const std::vector<std::string> before = Last(describe);
  ASSERT_EQ(before.size(), 5u);
  Run("DROP KEYSPACE \"Shop\"");
  for (const std::string& text : before) {
    // DESCRIBE … WITH INTERNALS prints more statements after CREATE TABLE. They drop columns, and add some of them
    // again.
    for (const StatementSpan& span : SplitStatements(text)) {
      Run(text.substr(span.range.begin, span.range.end - span.range.begin));
    }
  }
  EXPECT_EQ(Last(describe), before);
}
INSTANTIATE_TEST_SUITE_P(Forms, RecreateTest, ::testing::Values("", " WITH INTERNALS"));

TEST_F(DescribeTest, PagesAreThoseOfOneSchemaAndOneStatement) {
  for (const char* statement : kSchema) Run(statement);
  const std::string describe = "DESCRIBE FULL SCHEMA";
  EXPECT_EQ(Last(describe, 3), Last(describe));

  RequestParameters parameters;
  parameters.page_rows = 3;
  const Outcome first = Run(describe, parameters);
  parameters.paging_state = std::get<RowsPage>(first.result).paging_state;
  ASSERT_FALSE(parameters.paging_state.empty());
  const Result<Outcome> other = engine_->Execute("DESCRIBE SCHEMA", parameters);
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().message, "Invalid paging state: it is one of another statement");
  Run("DROP TABLE \"Shop\".dropped");
  const Result<Outcome> second = engine_->Execute(describe, parameters);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(
      second.error().message,
      "The schema has changed since the previous page of the DESCRIBE statement result. Please retry the DESCRIBE "
      "statement.");
}

TEST_F(DescribeTest, SchemaLeavesOutTheServersOwnKeyspaces) {
  EXPECT_TRUE(Last("DESCRIBE SCHEMA").empty());
  EXPECT_GT(Last("DESCRIBE FULL SCHEMA").size(), 50u);
}

}  // namespace
}  // namespace widerow
