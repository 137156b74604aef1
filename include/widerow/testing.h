// A GoogleTest fixture with an EmbeddedServer: one server per test suite, an empty keyspace `test` for each test.
//
//   using OrdersTest = widerow::WiderowTest;
//   TEST_F(OrdersTest, NewestFirst) {
//     Exec("CREATE TABLE orders (user text, id int, PRIMARY KEY (user, id)) WITH CLUSTERING ORDER BY (id DESC)");
//     Exec("INSERT INTO orders (user, id) VALUES (?, ?)", {"ann", 7});
//     EXPECT_EQ(Rows("SELECT id FROM orders WHERE user = 'ann'"), (Table{{"7"}}));
//   }
//
// Programs in other languages can reach the same data at server().http_address().
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "widerow/embedded_server.h"

namespace widerow {

class WiderowTest : public ::testing::Test {
 public:
  // Rows of values in the form that the shell prints.
  using Table = std::vector<std::vector<std::string>>;

  static void SetUpTestSuite() {
    auto started = EmbeddedServer::Start({});
    ASSERT_TRUE(started.ok()) << started.error().message;
    server_ = std::move(started).value();
  }
  static void TearDownTestSuite() { server_.reset(); }

 protected:
  void SetUp() override {
    ASSERT_TRUE(server_ != nullptr) << "a fixture that has its own SetUpTestSuite must call WiderowTest's";
    Exec("DROP KEYSPACE IF EXISTS test");
    Exec("CREATE KEYSPACE test WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    Exec("USE test");
  }

  static EmbeddedServer& server() { return *server_; }
  static Database& db() { return server_->database(); }

  // Runs a statement that must succeed.
  static void Exec(std::string_view cql, const std::vector<Parameter>& parameters = {}) {
    const auto result = db().Execute(cql, parameters);
    EXPECT_TRUE(result.ok()) << result.error().message;
  }

  // Returns all rows of a statement that must succeed.
  static Table Rows(std::string_view cql, const std::vector<Parameter>& parameters = {}) {
    Table table;
    auto result = db().Execute(cql, parameters);
    EXPECT_TRUE(result.ok()) << result.error().message;
    if (!result.ok()) return table;
    ResultSet& rows = result.value();
    while (rows.Next()) {
      std::vector<std::string>& cells = table.emplace_back();
      for (size_t i = 0; i < rows.row().size(); ++i) cells.push_back(rows.row().Text(i));
    }
    EXPECT_FALSE(rows.failure()) << rows.failure()->message;
    return table;
  }

  // Returns the message of a statement that must fail; empty if it succeeds.
  static std::string Fails(std::string_view cql, const std::vector<Parameter>& parameters = {}) {
    const auto result = db().Execute(cql, parameters);
    EXPECT_FALSE(result.ok()) << "did not fail: " << cql;
    return result.ok() ? std::string() : result.error().message;
  }

 private:
  static inline std::unique_ptr<EmbeddedServer> server_;
};

}  // namespace widerow
