// Tests connections of the HTTP server: wrong requests, slow clients, clients that leave, limits, and stopping.
#include <chrono>
#include <future>
#include <thread>

#include "tests/unit/net/http_test.h"

namespace widerow {
namespace {

using ::testing::HasSubstr;
using Steady = std::chrono::steady_clock;

class HttpServerTest : public HttpTest {
 protected:
  void ExpectStillServes() { EXPECT_EQ(HttpClient(server_->port()).Get("/healthz").body, "ok\n"); }
};

TEST_F(HttpServerTest, HealthAndHead) {
  HttpClient client(server_->port());
  EXPECT_EQ(client.Get("/healthz").body, "ok\n");
  EXPECT_EQ(client.Get("/readyz").status, 200);
  client.Send("HEAD /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const HttpResponse head = client.Read(true);
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.header("content-length"), "3");
  EXPECT_EQ(client.Get("/healthz").body, "ok\n") << "the connection goes on after HEAD";
}

TEST_F(HttpServerTest, WrongPathsMethodsAndTypes) {
  HttpClient client(server_->port());
  EXPECT_EQ(client.Get("/v2/query").status, 404);
  const HttpResponse get = client.Get("/v1/query");
  EXPECT_EQ(get.status, 405);
  EXPECT_EQ(get.header("allow"), "POST");
  EXPECT_THAT(get.body, HasSubstr("/v1/query takes POST, not GET"));
  EXPECT_EQ(Raw("DELETE /v1/schema HTTP/1.1\r\nHost: localhost\r\n\r\n").status, 405);
  EXPECT_EQ(Raw("OPTIONS /v1/query HTTP/1.1\r\nHost: localhost\r\n\r\n").status, 405);
  const HttpResponse form =
      Raw("POST /v1/query HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}");
  EXPECT_EQ(form.status, 415);
  EXPECT_THAT(form.body, HasSubstr("Content-Type: application/json"));
}

TEST_F(HttpServerTest, ForeignHostsAndOriginsAreRefused) {
  const std::string body = R"({"query": "USE k"})";
  const auto post = [&](const std::string& headers) {
    return Raw("POST /v1/query HTTP/1.1\r\n" + headers +
               "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
  };
  EXPECT_EQ(post("Host: localhost:1\r\n").status, 200);
  EXPECT_EQ(post("Host: localhost:1\r\nOrigin: http://localhost:1\r\n").status, 200);
  const HttpResponse rebound = post("Host: evil.example\r\n");
  EXPECT_EQ(rebound.status, 403);
  EXPECT_THAT(rebound.body, HasSubstr("Host \\\"evil.example\\\" is not this server"));
  char name[256] = {};
  ASSERT_EQ(gethostname(name, sizeof name - 1), 0);
  EXPECT_EQ(post("Host: " + std::string(name) + ":8042\r\n").status, 200);
  EXPECT_EQ(post("Host: " + std::string(name) + ".evil.example\r\n").status, 403);
  EXPECT_EQ(Raw("GET /metrics HTTP/1.1\r\nHost: evil.example\r\n\r\n").status, 403);
  EXPECT_EQ(Raw("GET /healthz HTTP/1.1\r\nHost: load-balancer.example\r\n\r\n").status, 200);
  EXPECT_EQ(Raw("GET /readyz HTTP/1.1\r\nHost: load-balancer.example\r\n\r\n").status, 200);
  const HttpResponse cross = post("Host: localhost\r\nOrigin: http://evil.example\r\n");
  EXPECT_EQ(cross.status, 403);
  EXPECT_THAT(cross.body, HasSubstr("Origin \\\"http://evil.example\\\" may not use this server"));
  EXPECT_EQ(post("Host: localhost\r\nOrigin: null\r\n").status, 403);
  EXPECT_EQ(post("").status, 400);
  EXPECT_EQ(post("Host: localhost\r\nHost: localhost\r\n").status, 400);
}

TEST_F(HttpServerTest, WhatIsNotHttpIsRefused) {
  EXPECT_EQ(Raw("hello\r\n\r\n").status, 400);
  EXPECT_EQ(Raw("GET /healthz HTTP/7.3\r\nHost: localhost\r\n\r\n").status, 400);
  EXPECT_EQ(Raw("POST /v1/query HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n").status, 400);
  EXPECT_EQ(Raw("GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + std::string(20'000, 'x') + "\r\n\r\n").status, 431);
  // The first bytes of a TLS connection. Any answer is good.
  Raw(std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 15));
  ExpectStillServes();
}

TEST_F(HttpServerTest, HugeBodiesAreRefusedBeforeTheyAreRead) {
  Start({.port = 0, .body_bytes_max = 10'000});
  const HttpResponse announced =
      Raw("POST /v1/query HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999999999\r\n\r\n");
  EXPECT_EQ(announced.status, 413);
  EXPECT_THAT(announced.body, HasSubstr("longer than 10000 bytes"));
  EXPECT_EQ(announced.header("connection"), "close");
  HttpClient client(server_->port());
  client.Send("POST /v1/query HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (int i = 0; i < 20; ++i) client.Send("400\r\n" + std::string(1'024, ' ') + "\r\n");
  EXPECT_EQ(client.Read().status, 413);
  // A request of the greatest allowed size is accepted.
  EXPECT_EQ(Query(R"({"query": "USE k"})" + std::string(9'900, ' ')).status, 200);
}

TEST_F(HttpServerTest, ExpectContinueIsAnswered) {
  HttpClient client(server_->port());
  client.Send("POST /v1/query HTTP/1.1\r\nHost: localhost\r\nContent-Length: 18\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.Read().status, 100);
  client.Send(R"({"query": "USE k"})");
  EXPECT_EQ(client.Read().status, 200);
}

TEST_F(HttpServerTest, PipelinedRequestsAreAnsweredInOrder) {
  MustCql("CREATE TABLE pipe (id int PRIMARY KEY)");
  std::string requests;
  for (int i = 0; i < 30; ++i) {
    requests +=
        QueryRequestText(R"j({"query": "INSERT INTO k.pipe (id) VALUES (?)", "params": [)j" + std::to_string(i) + "]}");
    requests +=
        QueryRequestText(R"({"query": "SELECT id FROM k.pipe WHERE id = ?", "params": [)" + std::to_string(i) + "]}");
  }
  HttpClient client(server_->port());
  ASSERT_TRUE(client.Send(requests));
  for (int i = 0; i < 30; ++i) {
    EXPECT_EQ(client.Read().body, "{}\n");
    EXPECT_THAT(client.Read().body, HasSubstr("\"rows\":[[" + std::to_string(i) + "]]"));
  }
}

TEST_F(HttpServerTest, RequestsMayComeByteByByte) {
  HttpClient client(server_->port());
  for (const char c : QueryRequestText(R"({"query": "USE k"})")) {
    client.Send(std::string_view(&c, 1));
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  EXPECT_EQ(client.Read().status, 200);
}

TEST_F(HttpServerTest, OldClientsGetTheBodyUntilTheEnd) {
  MakeMany(2'000, 10);
  const std::string json = R"({"query": "SELECT ck FROM k.many", "format": "csv"})";
  const HttpResponse all =
      Raw("POST /v1/query HTTP/1.0\r\nContent-Length: " + std::to_string(json.size()) + "\r\n\r\n" + json);
  EXPECT_EQ(all.status, 200);
  EXPECT_EQ(all.chunks, 0u);
  EXPECT_EQ(std::count(all.body.begin(), all.body.end(), '\n'), 2'001);
}

TEST_F(HttpServerTest, ClientsMayLeaveAtAnyTime) {
  MakeMany(4'000, 500);
  const std::string request = QueryRequestText(R"({"query": "SELECT * FROM k.many"})");
  for (size_t sent = 0; sent < request.size(); sent += 13) {
    HttpClient client(server_->port());
    client.Send(std::string_view(request).substr(0, sent));
  }
  for (int i = 0; i < 10; ++i) {
    HttpClient client(server_->port());
    client.Send(request);  // The client closes the connection before it has read the two megabytes of the answer.
  }
  HttpClient half(server_->port());
  half.Send(request.substr(0, request.size() - 5));
  half.CloseSending();
  EXPECT_EQ(half.Read().status, 0);
  ExpectStillServes();
}

TEST_F(HttpServerTest, SilentAndSlowClientsAreCutOff) {
  Start({.port = 0, .idle_timeout_ms = 200});
  HttpClient silent(server_->port()), half_head(server_->port()), half_body(server_->port());
  half_head.Send("POST /v1/query HT");
  const std::string request = QueryRequestText(R"({"query": "USE k"})");
  half_body.Send(std::string_view(request).substr(0, request.size() - 5));
  EXPECT_TRUE(silent.WaitForClose(5'000));
  EXPECT_TRUE(half_head.WaitForClose(5'000));
  EXPECT_TRUE(half_body.WaitForClose(5'000));
  ExpectStillServes();
}

TEST_F(HttpServerTest, AClientThatDoesNotReadIsCutOff) {
  MakeMany(2'000, 4'000);  // The socket buffers of both sides cannot hold so many bytes.
  Start({.port = 0, .idle_timeout_ms = 300});
  HttpClient client(server_->port());
  client.Send(QueryRequestText(R"({"query": "SELECT * FROM k.many"})"));
  const auto wait = [&](bool holds) {  // Waits until the server holds bytes of the answer, or until it holds none.
    const auto deadline = Steady::now() + std::chrono::seconds(20);
    while ((server_->held_bytes() > 0) != holds && Steady::now() < deadline)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
  };
  wait(true);
  wait(false);
  const HttpResponse cut = client.Read();
  EXPECT_EQ(cut.status, 200);
  EXPECT_FALSE(cut.complete);
  ExpectStillServes();
}

TEST_F(HttpServerTest, ConnectionsOverTheLimitAreTurnedAway) {
  Start({.port = 0, .connections_max = 2});
  auto first = std::make_unique<HttpClient>(server_->port());
  HttpClient second(server_->port());
  EXPECT_EQ(first->Get("/healthz").status, 200);
  EXPECT_EQ(second.Get("/healthz").status, 200);
  const HttpResponse third = HttpClient(server_->port()).Get("/healthz");
  EXPECT_EQ(third.status, 503);
  EXPECT_THAT(third.body, HasSubstr("too many connections: 2 are open"));
  EXPECT_EQ(third.header("retry-after"), "1");
  EXPECT_EQ(second.Get("/healthz").status, 200) << "those that are in stay";
  first.reset();
  const auto deadline = Steady::now() + std::chrono::seconds(5);
  int status = 503;
  while (status == 503 && Steady::now() < deadline) status = HttpClient(server_->port()).Get("/healthz").status;
  EXPECT_EQ(status, 200) << "one that leaves makes room";
}

// Clients at one address that connect and send nothing can have only 20 of the 160 connections.
TEST_F(HttpServerTest, SilentConnectionsOfOneAddressLeaveRoomForOthers) {
  Start({.port = 0, .connections_max = 160});
  std::vector<std::unique_ptr<HttpClient>> silent;
  for (int i = 0; i < 400; ++i) silent.push_back(std::make_unique<HttpClient>(server_->port(), "127.0.0.2"));
  HttpClient served(server_->port());
  EXPECT_EQ(served.Get("/healthz").status, 200);
  HttpClient another(server_->port(), "127.0.0.2");
  const HttpResponse refused = another.Get("/healthz");
  EXPECT_THAT(refused.status, ::testing::AnyOf(0, 503));
  silent.resize(21);  // Keeps the 20 clients that are within the limit, and one that was refused.
  const auto deadline = Steady::now() + std::chrono::seconds(20);
  HttpResponse told;
  while (told.status != 503 && Steady::now() < deadline)
    told = HttpClient(server_->port(), "127.0.0.2").Get("/healthz");
  EXPECT_THAT(told.body, HasSubstr("too many connections from this address have not logged in"));
  // A client that has sent a request no longer counts as silent.
  ASSERT_EQ(silent[0]->Query(R"({"query": "USE k"})").status, 200);
  HttpResponse next;
  while (next.status != 200 && Steady::now() < deadline)
    next = HttpClient(server_->port(), "127.0.0.2").Get("/healthz");
  EXPECT_EQ(next.status, 200);
}

// Workers run queries, so a query that takes long holds up neither checks of health nor new connections.
TEST_F(HttpServerTest, LongQueriesHoldUpNoChecks) {
  MakeMany(2'000, 4'000);  // The socket buffers of both sides cannot hold so many bytes.
  Start({.port = 0, .threads = 1});
  HttpClient opener(server_->port());
  opener.Send("POST /v1/snapshots HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n");
  const std::string id = opener.Read().body.substr(std::string("{\"snapshot\":\"").size(), 36);
  const SnapshotPtr snapshot = engine_->snapshots().Find(*Uuid::FromString(id));
  ASSERT_NE(snapshot, nullptr);
  const std::string query = QueryRequestText(R"({"query": "SELECT * FROM k.many", "snapshot": ")" + id + "\"}");
  HttpClient first(server_->port()), second(server_->port());
  // The first answer has begun, and the server waits until its client reads. Then the test takes the snapshot's Turn,
  // so both queries wait until the test gives it back.
  first.Send(query);
  while (!first.HasAnswer()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  std::future<HttpResponse> whole_first, whole_second;
  {
    const Result<Snapshot::Turn> turn = snapshot->TakeTurn();
    ASSERT_TRUE(turn.ok());
    second.Send(query);
    whole_first = std::async(std::launch::async, [&] { return first.Read(); });
    whole_second = std::async(std::launch::async, [&] { return second.Read(); });
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    for (int i = 0; i < 3; ++i) ExpectStillServes();
    EXPECT_EQ(HttpClient(server_->port()).Query(R"({"query": "SELECT v FROM k.many WHERE pk = 0 AND ck = 5"})").status,
              200);
    EXPECT_EQ(whole_second.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
  }
  EXPECT_TRUE(whole_first.get().complete);
  EXPECT_TRUE(whole_second.get().complete);
}

TEST_F(HttpServerTest, StopClosesIdleConnectionsAtOnce) {
  HttpClient idle(server_->port());
  EXPECT_EQ(idle.Get("/healthz").status, 200);
  const auto before = Steady::now();
  server_->Stop();
  EXPECT_LT(Steady::now() - before, std::chrono::seconds(3));
  EXPECT_TRUE(idle.WaitForClose(1'000));
  EXPECT_EQ(HttpClient(server_->port()).Get("/healthz").status, 0);
  server_->Stop();  // Calling Stop() again does nothing.
}

TEST_F(HttpServerTest, StopLetsRunningRequestsFinish) {
  MakeMany(6'000, 2'000);
  HttpClient client(server_->port());
  client.Send(QueryRequestText(R"({"query": "SELECT ck, v FROM k.many", "format": "csv"})"));
  // After 100 ms, the first bytes of the answer have filled the socket, and the server waits until the client reads.
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  auto stopping = std::async(std::launch::async, [this] { server_->Stop(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const HttpResponse all = client.Read();
  EXPECT_TRUE(all.complete);
  EXPECT_EQ(std::count(all.body.begin(), all.body.end(), '\n'), 6'001);
  stopping.get();
}

TEST_F(HttpServerTest, WrongAddresses) {
  const auto in_use = HttpServer::Start(*engine_, {.port = server_->port()});
  ASSERT_FALSE(in_use.ok());
  EXPECT_EQ(in_use.error().message, "port " + std::to_string(server_->port()) + " on 127.0.0.1 is in use");
  EXPECT_THAT(HttpServer::Start(*engine_, {.listen = "nowhere", .port = 0}).error().message,
              HasSubstr("\"nowhere\" is not an address"));
  EXPECT_THAT(HttpServer::Start(*engine_, {.listen = "203.0.113.1", .port = 0}).error().message,
              HasSubstr("cannot listen on 203.0.113.1"));
}

TEST_F(HttpServerTest, AddressHasTheRealPort) {
  EXPECT_NE(server_->port(), 0);
  EXPECT_EQ(server_->address(), "127.0.0.1:" + std::to_string(server_->port()));
}

class HttpConcurrencyTest : public HttpTest {};

TEST_F(HttpConcurrencyTest, ManyClientsReadTheirOwnWrites) {
  MustCql("CREATE TABLE c (client int, n int, PRIMARY KEY (client, n))");
  std::vector<std::thread> threads;
  for (int client = 0; client < 8; ++client) {
    threads.emplace_back([this, client] {
      HttpClient http(server_->port());
      for (int n = 0; n < 25; ++n) {
        const std::string key = "[" + std::to_string(client) + ", " + std::to_string(n) + "]}";
        EXPECT_EQ(http.Query(R"j({"query": "INSERT INTO k.c (client, n) VALUES (?, ?)", "params": )j" + key).status,
                  200);
        const HttpResponse read =
            http.Query(R"({"query": "SELECT n FROM k.c WHERE client = ? AND n = ?", "params": )" + key);
        EXPECT_THAT(read.body, HasSubstr("\"rows\":[[" + std::to_string(n) + "]]"));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(MustCql("SELECT count(*) FROM c"), HasSubstr("[[200]]"));
}

TEST_F(HttpConcurrencyTest, StopUnderLoadAnswersOrClosesEveryRequest) {
  MustCql("CREATE TABLE c (n int PRIMARY KEY)");
  std::atomic<int> answered{0};
  std::vector<std::thread> threads;
  for (int client = 0; client < 6; ++client) {
    threads.emplace_back([this, &answered] {
      HttpClient http(server_->port());
      for (HttpResponse response; (response = http.Query(R"({"query": "SELECT * FROM k.c"})")).status != 0;
           ++answered) {
        EXPECT_EQ(response.status, 200);
        EXPECT_TRUE(response.complete);
      }
    });
  }
  while (answered.load() < 50) std::this_thread::yield();
  server_->Stop();
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace widerow
