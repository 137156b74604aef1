// Tests the HTTP server with required logins: Basic authentication, and the permissions that each path needs.
#include <gmock/gmock.h>

#include <algorithm>

#include "net/http/basic_credentials.h"
#include "net/http/http_server.h"
#include "tests/unit/net/http_client.h"
#include "tests/unit/net/login_test.h"

namespace widerow {
namespace {

using ::testing::HasSubstr;

TEST(BasicCredentialsTest, AreReadAsTheyAreWritten) {
  for (const auto& [role, password] :
       {std::pair("ann", "pw"), std::pair("Ann Lee", "a:b:c"), std::pair("ä", "~~~??\?>>>ß")}) {
    const auto read = ReadBasicCredentials(WriteBasicCredentials(role, password));
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(read->role, role);
    EXPECT_EQ(read->password, password);
  }
  // RFC 7617 has this example.
  EXPECT_EQ(WriteBasicCredentials("Aladdin", "open sesame"), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
}

TEST(BasicCredentialsTest, AnythingElseIsRefused) {
  for (const char* header :
       {"", "Basic", "Basic ", "Bearer abc", "Basic !!!!", "Basic YW5u", "Basic OnB3", "Basic YW5uOg=="}) {
    const auto read = ReadBasicCredentials(header);
    ASSERT_FALSE(read.ok()) << header;
    EXPECT_EQ(read.error().code, ErrorCode::kBadCredentials);
  }
}

class HttpLoginTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_NE(engine_, nullptr);
    auto started = HttpServer::Start(*engine_, {.port = 0});
    ASSERT_TRUE(started.ok()) << started.error().message;
    server_ = std::move(*started);
  }
  // Sends a request. `who` is a role and its password, such as "ann:pw", or empty.
  HttpResponse Send(const std::string& method, const std::string& target, const std::string& who,
                    const std::string& body = {}) {
    HttpClient client(server_->port());
    const size_t colon = who.find(':');
    const std::string header =
        who.empty() ? ""
                    : "Authorization: " + WriteBasicCredentials(who.substr(0, colon), who.substr(colon + 1)) + "\r\n";
    client.Send(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n" + header +
                "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    return client.Read(method == "HEAD");
  }
  HttpResponse Query(const std::string& who, const std::string& cql) {
    return Send("POST", "/v1/query", who, R"({"query": ")" + cql + "\"}");
  }

  ScratchDirectory directory_;
  std::unique_ptr<Engine> engine_ = OpenEngineWithRoles(directory_);
  std::unique_ptr<HttpServer> server_;
};

TEST_F(HttpLoginTest, NobodyIsAskedForAName) {
  for (const char* target : {"/v1/schema", "/v1/advise", "/v1/heat", "/metrics"}) {
    const HttpResponse response = Send("GET", target, "");
    EXPECT_EQ(response.status, 401) << target;
    EXPECT_THAT(response.header("www-authenticate"), HasSubstr("Basic realm=")) << target;
  }
  EXPECT_EQ(Query("", "SELECT * FROM k.t").status, 401);
  EXPECT_EQ(Send("POST", "/v1/snapshots", "").status, 401);
  EXPECT_EQ(Send("DELETE", "/v1/snapshots/00000000-0000-0000-0000-000000000000", "").status, 401);
  EXPECT_EQ(Send("GET", "/healthz", "").status, 200);
  EXPECT_EQ(Send("GET", "/readyz", "").status, 200);
}

TEST_F(HttpLoginTest, PasswordsAreLookedAt) {
  EXPECT_THAT(Query("ann:pw", "SELECT v FROM k.t").body, HasSubstr("[[\"one\"]]"));
  EXPECT_EQ(Query("ann:wrong", "SELECT v FROM k.t").status, 401);
  EXPECT_THAT(Query("nobody:pw", "SELECT v FROM k.t").body,
              HasSubstr("Provided username nobody and/or password are incorrect"));
}

// Workers hash passwords, so the thread of the connections stays free. The server has one such thread. It gets forty
// CREATE ROLE, each of which hashes a password, and then another request, which must be answered before the last CREATE
// ROLE.
TEST_F(HttpLoginTest, APasswordThatIsHashedHoldsUpNobody) {
  server_.reset();
  auto started = HttpServer::Start(*engine_, {.port = 0, .threads = 1});
  ASSERT_TRUE(started.ok()) << started.error().message;
  server_ = std::move(*started);
  const auto text = [](const std::string& role, const std::string& password, const std::string& cql) {
    return QueryRequestText(R"({"query": ")" + cql + "\"}",
                            "Authorization: " + WriteBasicCredentials(role, password) + "\r\n");
  };
  // After these two requests, the server has cached both passwords.
  ASSERT_EQ(Query("cassandra:cassandra", "SELECT v FROM k.t").status, 200);
  ASSERT_EQ(Query("ann:pw", "SELECT v FROM k.t").status, 200);
  std::vector<std::unique_ptr<HttpClient>> makers;
  for (int i = 0; i < 40; ++i) {
    makers.push_back(std::make_unique<HttpClient>(server_->port()));
    const std::string role = "r" + std::to_string(i);
    ASSERT_TRUE(makers.back()->Send(
        text("cassandra", "cassandra", "CREATE ROLE " + role + " WITH PASSWORD = 'x' AND LOGIN = true")));
  }
  HttpClient reader(server_->port());
  ASSERT_TRUE(reader.Send(text("ann", "pw", "SELECT v FROM k.t")));
  EXPECT_THAT(reader.Read().body, HasSubstr("[[\"one\"]]"));
  const auto waiting =
      std::count_if(makers.begin(), makers.end(), [](const auto& maker) { return !maker->HasAnswer(); });
  EXPECT_GT(waiting, 0);
  for (const auto& maker : makers) EXPECT_EQ(maker->Read().status, 200);
  EXPECT_EQ(Query("r39:x", "SELECT cluster_name FROM system.local").status, 200);
}

TEST_F(HttpLoginTest, PermissionsAreAskedFor) {
  const HttpResponse refused = Query("ann:pw", "INSERT INTO k.t (id, v) VALUES (2, 'x')");
  EXPECT_EQ(refused.status, 403);
  EXPECT_THAT(refused.body, HasSubstr("User ann has no MODIFY permission on <table k.t> or any of its parents"));
  EXPECT_EQ(Query("cassandra:cassandra", "INSERT INTO k.t (id, v) VALUES (2, 'x')").status, 200);
}

TEST_F(HttpLoginTest, EveryPathAsks) {
  EXPECT_EQ(Send("GET", "/v1/schema", "ann:pw").status, 200);
  EXPECT_EQ(Send("GET", "/metrics", "ann:pw").status, 200);
  EXPECT_EQ(Send("GET", "/v1/heat", "ann:pw").status, 403);
  EXPECT_EQ(Send("GET", "/v1/heat", "cassandra:cassandra").status, 200);
  EXPECT_EQ(Send("GET", "/v1/advise", "ann:pw").status, 403);
  EXPECT_EQ(Send("GET", "/v1/advise?scope=schema", "ann:pw").status, 200);
  EXPECT_EQ(Send("GET", "/v1/advise?keyspace=k&table=t", "ann:pw").status, 200);
  EXPECT_EQ(
      Send("GET", "/v1/advise?keyspace=k&statement=SELECT%20*%20FROM%20t%20WHERE%20v%20%3D%20%27x%27", "ann:pw").status,
      200);
  EXPECT_EQ(Send("GET", "/v1/advise?keyspace=k&statement=DROP%20TABLE%20t", "ann:pw").status, 403);
  EXPECT_EQ(Send("GET", "/v1/advise", "cassandra:cassandra").status, 200);
}

// One role cannot open as many snapshots as the server allows for all roles. It cannot read or close snapshots of
// another role.
TEST_F(HttpLoginTest, SnapshotsBelongToTheirRole) {
  const auto open = [&](const std::string& who) { return Send("POST", "/v1/snapshots", who); };
  const auto close = [&](const std::string& who, const std::string& id) {
    return Send("DELETE", "/v1/snapshots/" + id, who).status;
  };
  const auto id_of = [](const HttpResponse& opened) {
    return opened.body.substr(std::string("{\"snapshot\":\"").size(), 36);
  };
  ASSERT_EQ(Query("cassandra:cassandra", "CREATE ROLE bob WITH PASSWORD = 'pw' AND LOGIN = true").status, 200);
  ASSERT_EQ(Query("cassandra:cassandra", "GRANT SELECT ON k.t TO bob").status, 200);
  std::vector<std::string> of_ann;
  HttpResponse opened;
  while ((opened = open("ann:pw")).status == 200) of_ann.push_back(id_of(opened));
  EXPECT_EQ(of_ann.size(), SnapshotRegistry::kOpenMax / 2);
  EXPECT_EQ(opened.status, 503);
  EXPECT_THAT(opened.body, HasSubstr("The role has 32 open snapshots already, and 32 places are kept for other roles"));
  std::vector<std::string> of_bob;
  while ((opened = open("bob:pw")).status == 200) of_bob.push_back(id_of(opened));
  EXPECT_EQ(of_bob.size(), SnapshotRegistry::kOpenMax / 4);
  const HttpResponse of_root = open("cassandra:cassandra");
  EXPECT_EQ(of_root.status, 200);

  const std::string on_first = R"({"query": "SELECT v FROM k.t", "snapshot": ")" + of_ann[0] + "\"}";
  EXPECT_THAT(Send("POST", "/v1/query", "bob:pw", on_first).body, HasSubstr("Snapshot expired: there is none"));
  EXPECT_EQ(Send("POST", "/v1/query", "ann:pw", on_first).status, 200);
  EXPECT_EQ(Send("POST", "/v1/query", "cassandra:cassandra", on_first).status, 200);
  EXPECT_EQ(close("bob:pw", of_ann[0]), 404);
  EXPECT_EQ(close("bob:pw", id_of(of_root)), 404);
  EXPECT_EQ(close("ann:pw", of_ann[0]), 200);
  EXPECT_EQ(close("cassandra:cassandra", of_ann[1]), 200) << "a superuser closes all";
  EXPECT_EQ(close("cassandra:cassandra", of_bob[0]), 200);
  EXPECT_EQ(open("bob:pw").status, 200);
}

TEST_F(HttpLoginTest, SnapshotsKeepNoRights) {
  const HttpResponse opened = Send("POST", "/v1/snapshots", "ann:pw");
  ASSERT_EQ(opened.status, 200) << opened.body;
  const std::string id = opened.body.substr(std::string("{\"snapshot\":\"").size(), 36);
  const auto read = [&] {
    return Send("POST", "/v1/query", "ann:pw", R"({"query": "SELECT v FROM k.t", "snapshot": ")" + id + "\"}").status;
  };
  EXPECT_EQ(read(), 200);
  EXPECT_EQ(Query("cassandra:cassandra", "REVOKE SELECT ON k.t FROM ann").status, 200);
  EXPECT_EQ(read(), 403);
}

// A role waits until a table is dropped, and makes a table with the same name and id. It cannot use an earlier snapshot
// to read the rows of the dropped table.
TEST_F(HttpLoginTest, ATableMadeLaterOpensNoEarlierRows) {
  const std::string root = "cassandra:cassandra";
  for (const char* cql : {"GRANT CREATE ON KEYSPACE k TO ann", "CREATE TABLE k.secret (id int PRIMARY KEY, v text)",
                          "INSERT INTO k.secret (id, v) VALUES (1, 'hidden')"}) {
    EXPECT_EQ(Query(root, cql).status, 200) << cql;
  }
  const std::string table_id = engine_->schema()->FindTable("k", "secret")->id.ToString();
  const std::string id =
      Send("POST", "/v1/snapshots", "ann:pw").body.substr(std::string("{\"snapshot\":\"").size(), 36);
  const auto read = [&](const std::string& who, const std::string& table) {
    return Send("POST", "/v1/query", who, R"({"query": "SELECT v FROM )" + table + R"(", "snapshot": ")" + id + "\"}");
  };
  EXPECT_EQ(read("ann:pw", "k.secret").status, 403);
  EXPECT_EQ(Query(root, "DROP TABLE k.secret").status, 200);
  EXPECT_EQ(Query("ann:pw", "CREATE TABLE k.secret (id int PRIMARY KEY, v text) WITH ID = " + table_id).status, 200);
  const HttpResponse refused = read("ann:pw", "k.secret");
  EXPECT_EQ(refused.status, 403) << refused.body;
  EXPECT_THAT(refused.body, HasSubstr("Table k.secret has been dropped since the snapshot was opened"));
  EXPECT_THAT(read(root, "k.secret").body, HasSubstr("hidden")) << "a superuser may";
  EXPECT_EQ(Query("ann:pw", "SELECT v FROM k.secret").status, 200) << "the new one is ann's";
  EXPECT_EQ(Query(root, "ALTER TABLE k.t ADD w int").status, 200);
  EXPECT_EQ(Query(root, "TRUNCATE k.t").status, 200);
  EXPECT_THAT(read("ann:pw", "k.t").body, HasSubstr("one")) << "still the same table";
  EXPECT_EQ(Query(root, "DROP KEYSPACE k").status, 200);
  EXPECT_EQ(read("ann:pw", "k.t").status, 403);
}

TEST_F(HttpLoginTest, AConnectionMayChangeItsMind) {
  HttpClient client(server_->port());
  for (const auto& [who, status] : {std::pair("ann", 403), std::pair("cassandra", 200), std::pair("ann", 403)}) {
    const std::string password = std::string(who) == "ann" ? "pw" : "cassandra";
    client.Send(QueryRequestText(R"({"query": "SELECT role FROM system_auth.roles"})",
                                 "Authorization: " + WriteBasicCredentials(who, password) + "\r\n"));
    EXPECT_EQ(client.Read().status, status);
  }
}

TEST_F(HttpLoginTest, ABodyIsNotReadForNobody) {
  HttpClient client(server_->port());
  client.Send(
      "POST /v1/query HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
      "1000000\r\n\r\n{");
  EXPECT_EQ(client.Read().status, 401);
}

}  // namespace
}  // namespace widerow
