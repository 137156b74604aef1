// Plans may be large: the plan of a batch of 16,000 statements has a part for each statement. All requests share the
// caches and lists of statements. When a cache or a list replaces or drops a plan, it releases its lock before it
// destroys the plan. The memory of its texts and plans is bounded.
#include <gtest/gtest.h>

#include "exec/load/statement_load.h"
#include "exec/prepared/prepared_cache.h"
#include "exec/prepared/shape_cache.h"
#include "tests/unit/watched_value.h"

namespace widerow {
namespace {

Plan SelectOf(const TablePtr& table) {
  Plan plan;
  plan.node = SelectPlan{.table = table};
  plan.tables = {table};
  return plan;
}

TablePtr MakeTable() {
  TableSchema table;
  table.keyspace = "ks";
  table.name = "t";
  table.storage_id = 1;
  return std::make_shared<const TableSchema>(std::move(table));
}

PreparedStatement Prepared(const std::string& text) {
  PreparedStatement statement;
  statement.text = text;
  statement.id = "0123456789abcdef";
  statement.plan = std::make_shared<const Plan>(SelectOf(MakeTable()));
  return statement;
}

std::string Text(size_t number) { return "SELECT c" + std::to_string(number) + " FROM ks.t"; }

TEST(DroppedPlansTest, StatementLoad) {
  StatementLoad load;
  Watch watch([&] { (void)load.List(); });
  const auto plan = [&] { return std::shared_ptr<const Plan>(watch.Value(SelectOf(MakeTable()))); };
  load.RecordOf(Text(0), plan());
  load.RecordOf(Text(0), plan());
  EXPECT_EQ(watch.free(), 1);  // The replaced plan was destroyed while the lock was free.
  const auto other = std::make_shared<const Plan>(SelectOf(MakeTable()));
  for (size_t i = 1; i <= StatementLoad::kRecordsMax; ++i) load.RecordOf(Text(i), other);
  EXPECT_EQ(watch.free(), 2);  // The plan of the dropped record, too.
  EXPECT_EQ(watch.locked(), 0);
}

TEST(DroppedPlansTest, ShapeCache) {
  ShapeCache shapes;
  Watch watch([&] { (void)shapes.Find(Text(0), ""); });
  shapes.Insert(watch.Value(Prepared(Text(0))));
  shapes.Insert(watch.Value(Prepared(Text(0))));
  EXPECT_EQ(watch.free(), 1);
  for (size_t i = 1; i <= 1'000; ++i) shapes.Insert(std::make_shared<PreparedStatement>(Prepared(Text(i))));
  EXPECT_EQ(watch.free(), 2);
  EXPECT_EQ(watch.locked(), 0);
}

TEST(DroppedPlansTest, PreparedCache) {
  PreparedCache cache(1, SIZE_MAX);
  Watch watch([&] { (void)cache.Find(Text(0), ""); });
  cache.Insert(watch.Value(Prepared(Text(0))));
  cache.Insert(watch.Value(Prepared(Text(0))));
  EXPECT_EQ(watch.free(), 1);
  cache.Insert(std::make_shared<PreparedStatement>(Prepared(Text(1))));
  EXPECT_EQ(watch.free(), 2);
  EXPECT_EQ(watch.locked(), 0);
}

constexpr int kLarge = 100;

// A text of a megabyte without constants, so that its shape has the same length.
std::string LargeText(int number) {
  return "SELECT " + std::string(1'000'000, 'c') + std::to_string(number) + " FROM ks.t";
}

TEST(DroppedPlansTest, PreparedCacheIsBoundedByBytes) {
  PreparedCache cache(10'000, 10'000'000);
  const auto id_of = [](int i) { return "id of 16 byt " + std::to_string(100 + i); };
  for (int i = 0; i < kLarge; ++i) {
    auto statement = std::make_shared<PreparedStatement>(Prepared(LargeText(i)));
    statement->id = id_of(i);
    cache.Insert(std::move(statement));
  }
  int found = 0;
  for (int i = 0; i < kLarge; ++i) found += cache.FindId(id_of(i)) != nullptr ? 1 : 0;
  EXPECT_EQ(found, 4) << "a text is also a key";
  EXPECT_NE(cache.Find(LargeText(kLarge - 1), ""), nullptr);
  // A statement that is larger than the cache stays in the cache until the next statement is inserted.
  auto huge = std::make_shared<PreparedStatement>(Prepared(std::string(20'000'000, 'x')));
  huge->id = "the id of 'huge'";
  cache.Insert(huge);
  EXPECT_NE(cache.FindId(huge->id), nullptr);
  cache.Insert(std::make_shared<PreparedStatement>(Prepared(Text(1))));
  EXPECT_EQ(cache.FindId(huge->id), nullptr);
}

TEST(DroppedPlansTest, ShapeCacheIsBoundedByBytes) {
  ShapeCache shapes;
  for (int i = 0; i < kLarge; ++i) {
    auto statement = std::make_shared<PreparedStatement>(Prepared(Text(i)));
    statement->columns = std::make_shared<const ResultColumns>(1, ResultColumn{.name = std::string(1'000'000, 'n')});
    shapes.Insert(statement);
  }
  int found = 0;
  for (int i = 0; i < kLarge; ++i) found += shapes.Find(Text(i), "").statement != nullptr ? 1 : 0;
  EXPECT_EQ(found, 33);
}

TEST(DroppedPlansTest, StatementLoadIsBoundedByBytes) {
  StatementLoad load;
  const auto plan = std::make_shared<const Plan>(SelectOf(MakeTable()));
  for (int i = 0; i < kLarge; ++i) load.RecordOf(LargeText(i), plan)->Count();
  EXPECT_EQ(load.List().size(), 33u);
  EXPECT_EQ(load.RecordOf(LargeText(0) + std::string(2'000'000, 'c'), plan), nullptr) << "too large to be kept";
}

}  // namespace
}  // namespace widerow
