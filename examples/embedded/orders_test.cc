// A test with a real server in its own process. It needs no set-up, chooses a free port, and leaves no files.
#include <widerow/testing.h>

class OrdersTest : public widerow::WiderowTest {
 protected:
  void SetUp() override {
    WiderowTest::SetUp();
    Exec("CREATE TABLE orders (user text, id int, PRIMARY KEY (user, id)) WITH CLUSTERING ORDER BY (id DESC)");
  }
};

TEST_F(OrdersTest, NewestFirst) {
  for (int id = 1; id <= 3; ++id) Exec("INSERT INTO orders (user, id) VALUES (?, ?)", {"ann", id});
  EXPECT_EQ(Rows("SELECT id FROM orders WHERE user = 'ann'"), (Table{{"3"}, {"2"}, {"1"}}));
}

TEST_F(OrdersTest, EachTestHasAnEmptyKeyspace) {
  EXPECT_TRUE(Rows("SELECT * FROM orders").empty());
  EXPECT_GT(server().http_port(), 0);
}
