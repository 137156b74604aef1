#include "shell/completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace widerow {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

TablePtr Table(const char* keyspace, const char* name, std::initializer_list<const char*> columns) {
  auto table = std::make_shared<TableSchema>();
  table->keyspace = keyspace;
  table->name = name;
  for (const char* column : columns) table->columns.push_back({.name = column, .type = ScalarType(TypeKind::kInt)});
  return table;
}

const SchemaSnapshot& Schema() {
  static const SchemaSnapshot* schema = [] {
    auto* made = new SchemaSnapshot;
    KeyspaceSchema shop{.name = "shop"};
    shop.tables["orders"] = Table("shop", "orders", {"user", "order_id", "Total"});
    shop.tables["Old"] = Table("shop", "Old", {"k"});
    auto address = std::make_shared<Type>();
    address->kind = TypeKind::kUdt;
    shop.types["address"] = address;
    KeyspaceSchema air{.name = "air"};
    air.tables["flights"] = Table("air", "flights", {"carrier", "flight"});
    made->keyspaces["shop"] = std::make_shared<KeyspaceSchema>(shop);
    made->keyspaces["air"] = std::make_shared<KeyspaceSchema>(air);
    return made;
  }();
  return *schema;
}

// Completes the text at the cursor, which "|" marks.
Completion At(std::string text, const char* keyspace = "shop") {
  const size_t cursor = text.find('|');
  text.erase(cursor, 1);
  return Complete(text, cursor, Schema(), keyspace);
}
std::vector<std::string> Offered(const std::string& text, const char* keyspace = "shop") {
  return At(text, keyspace).candidates;
}

TEST(CompletionTest, CommandsAtTheStart) {
  EXPECT_THAT(Offered("se|"), ElementsAre("select"));
  EXPECT_THAT(Offered("S|"), ElementsAre("SELECT", "SHOW", "SOURCE"));
  EXPECT_THAT(Offered("USE shop; D|"), ElementsAre("DELETE", "DESCRIBE", "DROP"));
  EXPECT_THAT(Offered("|"), Contains("COPY"));
  EXPECT_THAT(Offered("\\f|"), ElementsAre("\\format"));
  EXPECT_EQ(At("\\f|").begin, 0u);
  EXPECT_THAT(Offered("\\format e|"), ElementsAre("expanded"));
  EXPECT_THAT(Offered("\\timing o|"), ElementsAre("off", "on"));
}

TEST(CompletionTest, TablesAndKeyspaces) {
  EXPECT_THAT(Offered("SELECT * FROM |"), ElementsAre("\"Old\"", "air.", "orders", "shop."));
  EXPECT_THAT(Offered("SELECT * FROM or|"), ElementsAre("orders"));
  EXPECT_THAT(Offered("SELECT * FROM \"O|"), ElementsAre("\"Old\""));
  EXPECT_EQ(At("SELECT * FROM \"O|").begin, 14u);
  EXPECT_THAT(Offered("insert into air.|"), ElementsAre("flights"));
  EXPECT_THAT(Offered("SELECT * FROM nowhere.|"), IsEmpty());
  EXPECT_THAT(Offered("UPDATE a|"), ElementsAre("air."));
  EXPECT_THAT(Offered("DESCRIBE TABLE o|"), ElementsAre("orders"));
  EXPECT_THAT(Offered("COPY o|"), ElementsAre("orders"));
  EXPECT_THAT(Offered("USE |"), ElementsAre("air", "shop"));
  EXPECT_THAT(Offered("DROP KEYSPACE a|"), ElementsAre("air"));
  EXPECT_THAT(Offered("DROP TYPE |"), ElementsAre("address"));
  EXPECT_THAT(Offered("SELECT * FROM |", ""), ElementsAre("air.", "shop."));
}

TEST(CompletionTest, ColumnsOfTheStatementsTable) {
  EXPECT_THAT(Offered("SELECT u| FROM orders"), Contains("user"));
  EXPECT_THAT(Offered("SELECT * FROM air.flights WHERE c|"), Contains("carrier"));
  EXPECT_THAT(Offered("SELECT * FROM orders WHERE t|"), Not(Contains("carrier")));
  EXPECT_THAT(Offered("SELECT * FROM air.flights; SELECT | FROM orders"), Not(Contains("carrier")));
  EXPECT_THAT(Offered("UPDATE orders SET o|"), Contains("order_id"));
  EXPECT_THAT(Offered("INSERT INTO orders (\"T|"), ElementsAre("\"Total\""));
}

TEST(CompletionTest, Keywords) {
  EXPECT_THAT(Offered("SELECT * FROM orders WH|"), ElementsAre("WHERE"));
  EXPECT_THAT(Offered("select * from orders wh|"), ElementsAre("where"));
  EXPECT_THAT(Offered("CREATE T|"), ElementsAre("TABLE", "TYPE"));
  EXPECT_THAT(Offered("CREATE TABLE t (k timest|"), Contains("timestamp"));
  EXPECT_THAT(Offered("COPY t FROM 'f' WITH HE|"), ElementsAre("HEADER"));
}

TEST(CompletionTest, NothingInsideAString) {
  EXPECT_THAT(Offered("SELECT * FROM orders WHERE user = 'sel|"), IsEmpty());
}

TEST(CompletionTest, CommonPrefix) {
  EXPECT_EQ(CommonPrefix({"flights", "flow"}), "fl");
  EXPECT_EQ(CommonPrefix({"abc", "ab"}), "ab");
  EXPECT_EQ(CommonPrefix({}), "");
}

}  // namespace
}  // namespace widerow
