// Tests GET /v1/heat: a table's map as JSON and as SVG, the sums of all tables, and wrong requests.
#include "tests/unit/net/http_test.h"

namespace widerow {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class HttpHeatTest : public HttpTest {
 protected:
  HttpResponse Get(const std::string& query) { return HttpClient(server_->port()).Get("/v1/heat" + query); }
  void MakeRows() {
    MustCql("CREATE TABLE log (id int PRIMARY KEY, v text)");
    for (int id = 0; id < 50; ++id) MustCql("INSERT INTO log (id, v) VALUES (" + std::to_string(id) + ", 'x')");
    for (int id = 0; id < 10; ++id) MustCql("SELECT v FROM log WHERE id = 7");
  }
};

TEST_F(HttpHeatTest, ATablesMapAsJson) {
  MakeRows();
  const HttpResponse map = Get("?keyspace=k&table=log");
  EXPECT_EQ(map.status, 200);
  EXPECT_THAT(map.header("content-type"), HasSubstr("application/json"));
  EXPECT_THAT(map.body, HasSubstr(R"("table":"log","axis":"key","keys_met":50)"));
  EXPECT_THAT(map.body, HasSubstr(R"({"operation":"writes","shape":"sequential")"));
  EXPECT_THAT(map.body, HasSubstr(R"("partition_key":"7","reads":10,"writes":1)"));
  EXPECT_THAT(Get("?keyspace=k&table=log&axis=token&minutes=5").body, HasSubstr(R"("axis":"token")"));
  const std::string all = Get("").body;
  EXPECT_THAT(all, HasSubstr(R"({"keyspace":"k","table":"log","reads":10,"writes":50)"));
  EXPECT_THAT(all, Not(HasSubstr("system")));
}

TEST_F(HttpHeatTest, ATablesMapAsPicture) {
  MakeRows();
  const HttpResponse svg = Get("?keyspace=k&table=log&format=svg&metric=reads");
  EXPECT_EQ(svg.status, 200);
  EXPECT_EQ(svg.header("content-type"), "image/svg+xml");
  EXPECT_TRUE(svg.body.starts_with("<svg xmlns"));
  EXPECT_TRUE(svg.body.ends_with("</svg>\n"));
  EXPECT_THAT(svg.body, HasSubstr("k.log: reads by key and time"));
  EXPECT_THAT(svg.body, HasSubstr(": 10 reads</title>"));
  // Keys come from users, so the picture must escape them.
  MustCql("CREATE TABLE hostile (id text PRIMARY KEY)");
  for (const char* id : {"&", "<script>", "<script>alert(1)"})
    MustCql("INSERT INTO hostile (id) VALUES ('" + std::string(id) + "')");
  const std::string hostile = Get("?keyspace=k&table=%68ostile&format=svg").body;
  EXPECT_THAT(hostile, HasSubstr("&lt;script&gt;alert(1)"));
  EXPECT_THAT(hostile, Not(HasSubstr("<script>")));
}

TEST_F(HttpHeatTest, AnEmptyTableHasAnEmptyMap) {
  MustCql("CREATE TABLE quiet (id int PRIMARY KEY)");
  EXPECT_THAT(Get("?keyspace=k&table=quiet").body, HasSubstr(R"("slices":[])"));
  EXPECT_THAT(Get("?keyspace=k&table=quiet&format=svg").body, HasSubstr("no writes"));
}

TEST_F(HttpHeatTest, WhatItDoesNotKnowIsRefused) {
  EXPECT_EQ(Get("?keyspace=nope&table=t").status, 404);
  EXPECT_EQ(Get("?keyspace=k&table=nope").status, 404);
  EXPECT_EQ(Get("?table=log").status, 400);
  EXPECT_EQ(Get("?keyspace=system_views&table=heat").status, 400);
  for (const char* wrong :
       {"?axis=x", "?metric=x", "?format=png", "?minutes=0", "?minutes=a", "?colour=red", "?keyspace=%2"}) {
    const HttpResponse refused = Get(wrong);
    EXPECT_EQ(refused.status, 400) << wrong;
    EXPECT_THAT(refused.body, HasSubstr("/v1/heat takes keyspace, table, axis (key, token)")) << wrong;
  }
  EXPECT_EQ(Raw("POST /v1/heat HTTP/1.1\r\nHost: localhost\r\n\r\n").status, 405);
}

}  // namespace
}  // namespace widerow
