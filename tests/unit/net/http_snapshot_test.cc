// Tests POST /v1/snapshots, and queries on snapshots, over a real socket.
#include <chrono>
#include <thread>

#include "tests/unit/net/http_test.h"

namespace widerow {
namespace {

using ::testing::HasSubstr;

class HttpSnapshotTest : public HttpTest {
 protected:
  HttpResponse Send(const std::string& method, const std::string& target, const std::string& body = {},
                    const std::string& type = "application/json") {
    HttpClient client(server_->port());
    client.Send(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: " + type +
                "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    return client.Read();
  }
  // Opens a snapshot and returns its id.
  std::string Open(const std::string& body = {}) {
    const HttpResponse response = Send("POST", "/v1/snapshots", body);
    EXPECT_EQ(response.status, 200) << response.body;
    const std::string before = "{\"snapshot\":\"";
    EXPECT_EQ(response.body.substr(0, before.size()), before);
    return response.body.substr(before.size(), 36);
  }
  std::string On(const std::string& snapshot, const std::string& query, const std::string& more = {}) {
    return Query(R"({"query": ")" + query + R"(", "snapshot": ")" + snapshot + "\"" + more + "}").body;
  }
};

TEST_F(HttpSnapshotTest, QueriesSeeItsMoment) {
  MustCql("CREATE TABLE a (id int PRIMARY KEY, v text)");
  MustCql("CREATE TABLE b (id int PRIMARY KEY, v text)");
  MustCql("INSERT INTO a (id, v) VALUES (1, 'old')");
  MustCql("INSERT INTO b (id, v) VALUES (1, 'old')");
  const std::string snapshot = Open();
  MustCql("BEGIN BATCH UPDATE a SET v = 'new' WHERE id = 1; UPDATE b SET v = 'new' WHERE id = 1; APPLY BATCH");
  MustCql("TRUNCATE b");
  EXPECT_THAT(On(snapshot, "SELECT v FROM k.a"), HasSubstr("[[\"old\"]]"));
  EXPECT_THAT(On(snapshot, "SELECT v FROM k.b WHERE id = ?", ", \"params\": [1]"), HasSubstr("[[\"old\"]]"));
  EXPECT_THAT(MustCql("SELECT v FROM a"), HasSubstr("[[\"new\"]]"));
  EXPECT_THAT(On(snapshot, "INSERT INTO k.a (id) VALUES (2)"), HasSubstr("A snapshot only reads"));
  EXPECT_EQ(Send("DELETE", "/v1/snapshots/" + snapshot).status, 200);
  EXPECT_EQ(Send("DELETE", "/v1/snapshots/" + snapshot).status, 404);
  EXPECT_THAT(On(snapshot, "SELECT v FROM k.a"), HasSubstr("Snapshot expired"));
}

TEST_F(HttpSnapshotTest, PagesOfItAreOfOneMoment) {
  MustCql("CREATE TABLE p (id int, c int, PRIMARY KEY (id, c))");
  for (int i = 0; i < 10; ++i) MustCql("INSERT INTO p (id, c) VALUES (1, " + std::to_string(i) + ")");
  const std::string snapshot = Open();
  const std::string first = On(snapshot, "SELECT c FROM k.p", ", \"page_size\": 5");
  MustCql("DELETE FROM p WHERE id = 1");
  const std::string before = "\"page_state\":\"";
  const size_t at = first.find(before);
  ASSERT_NE(at, std::string::npos) << first;
  const std::string state = first.substr(at + before.size(), first.find('"', at + before.size()) - at - before.size());
  EXPECT_THAT(On(snapshot, "SELECT c FROM k.p", ", \"page_size\": 5, \"page_state\": \"" + state + "\""),
              HasSubstr("[[5],\n[6],\n[7],\n[8],\n[9]]"));
}

TEST_F(HttpSnapshotTest, ItExpires) {
  const std::string snapshot = Open("{\"age_max_ms\": 1}");
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  // The server's own tables do not use the snapshot, so they can still be read.
  EXPECT_THAT(On(snapshot, "SELECT * FROM system_schema.keyspaces"), HasSubstr("keyspace_name"));
  MustCql("CREATE TABLE e (id int PRIMARY KEY)");
  const std::string later = Open("{\"age_max_ms\": 1}");
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_THAT(On(later, "SELECT * FROM k.e"), HasSubstr("Snapshot expired: it is older than 0.001 s"));
}

TEST_F(HttpSnapshotTest, WrongRequests) {
  const auto refused = [&](const std::string& body, int status, const std::string& message) {
    const HttpResponse response = Send("POST", "/v1/snapshots", body);
    EXPECT_EQ(response.status, status) << body;
    EXPECT_THAT(response.body, HasSubstr(message)) << body;
  };
  refused("{\"age_max_ms\": 0}", 400, "from 1 ms to 60000 ms");
  refused("{\"age_max_ms\": 60001}", 400, "from 1 ms to 60000 ms");
  refused("{\"age_max_ms\": \"x\"}", 400, "must be a whole number of milliseconds");
  refused("{\"seconds\": 1}", 400, "unknown field \\\"seconds\\\"");
  refused("[]", 400, "must be empty or a JSON object");
  refused("{", 400, "JSON");
  EXPECT_EQ(Send("POST", "/v1/snapshots", "{}", "text/plain").status, 415);
  EXPECT_EQ(Send("GET", "/v1/snapshots").status, 405);
  EXPECT_EQ(Send("DELETE", "/v1/snapshots/x").status, 404);
  EXPECT_EQ(Send("DELETE", "/v1/snapshots/").status, 404);
  EXPECT_THAT(On("x", "SELECT 1"), HasSubstr("is not a snapshot's id"));
}

}  // namespace
}  // namespace widerow
