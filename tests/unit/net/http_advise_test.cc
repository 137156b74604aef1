// Tests GET /v1/advise over a real socket.
#include "tests/unit/net/http_test.h"

namespace widerow {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class HttpAdviseTest : public HttpTest {
 protected:
  HttpResponse Get(const std::string& target) { return Raw("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n"); }
  void ExpectRefused(const std::string& target, int status, const std::string& part) {
    const HttpResponse response = Get(target);
    EXPECT_EQ(response.status, status) << target << " gave " << response.body;
    EXPECT_THAT(response.body, HasSubstr(part)) << target;
  }
};

TEST_F(HttpAdviseTest, FindingsAreObjectsWithTheColumnsOfAdvise) {
  MustCql("CREATE TABLE prices (id int PRIMARY KEY, price double)");
  MustCql("CREATE TABLE fine (id int PRIMARY KEY, v text)");
  const HttpResponse response = Get("/v1/advise?keyspace=k&table=prices");
  EXPECT_EQ(response.status, 200);
  EXPECT_THAT(
      response.body,
      HasSubstr(
          R"({"findings":[{"code":"float-money","severity":"warning","confidence":"declared","keyspace_name":"k","table_name":"prices","columns":["price"],)"
          R"("evidence":")"));
  EXPECT_THAT(response.body, HasSubstr(R"("fix":"ALTER TABLE k.prices ADD price_exact decimal;"}]})"));
  EXPECT_EQ(Get("/v1/advise?keyspace=k&table=fine").body, "{\"findings\":[]}\n");
  for (const char* const target : {"/v1/advise", "/v1/advise?keyspace=k", "/v1/advise?scope=schema"}) {
    EXPECT_THAT(Get(target).body, HasSubstr("float-money")) << target;
  }
}

TEST_F(HttpAdviseTest, AStatementIsJudgedWithoutBeingRun) {
  EXPECT_THAT(Get("/v1/advise?keyspace=k&statement=CREATE+TABLE+made(a+boolean,b+int,PRIMARY+KEY(a,b))").body,
              HasSubstr("few-values"));
  EXPECT_EQ(engine_->schema()->FindTable("k", "made"), nullptr);
}

TEST_F(HttpAdviseTest, WrongRequestsAreRefused) {
  ExpectRefused("/v1/advise?table=t", 404, "name its keyspace");
  ExpectRefused("/v1/advise?keyspace=k&table=t", 404, "table t does not exist");
  ExpectRefused("/v1/advise?keyspace=nope", 404, "Keyspace 'nope' does not exist");
  ExpectRefused("/v1/advise?scope=all", 400, "/v1/advise takes");
  ExpectRefused("/v1/advise?x=1", 400, "/v1/advise takes");
  ExpectRefused("/v1/advise?keyspace=k&keyspace=k", 400, "/v1/advise takes");
  ExpectRefused("/v1/advise?keyspace=%zz", 400, "/v1/advise takes");
  ExpectRefused("/v1/advise?statement=SELEC", 400, "SyntaxError");
  ExpectRefused("/v1/advise?statement=SELECT+*+FROM+k.nope", 400, "nope");
}

}  // namespace
}  // namespace widerow
