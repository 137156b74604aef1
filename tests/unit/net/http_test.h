// An HTTP server with its own database, for tests over a real socket.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "exec/engine/engine.h"
#include "net/http/http_server.h"
#include "tests/unit/net/http_client.h"
#include "tests/unit/scratch_engine.h"

namespace widerow {

class HttpTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_NE(engine_, nullptr);
    Start({.port = 0});
    Must(R"({"query": "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}"})");
  }

  // Stops the running server and starts one with these options.
  void Start(const HttpOptions& options) {
    server_.reset();
    auto started = HttpServer::Start(*engine_, options);
    ASSERT_TRUE(started.ok()) << started.error().message;
    server_ = std::move(*started);
  }

  HttpResponse Query(const std::string& json, const std::string& accept = {}) {
    return HttpClient(server_->port()).Query(json, accept);
  }
  HttpResponse Raw(const std::string& bytes) {
    HttpClient client(server_->port());
    client.Send(bytes);
    return client.Read();
  }
  std::string Must(const std::string& json) {
    HttpResponse response = Query(json);
    EXPECT_EQ(response.status, 200) << response.body << " to " << json;
    return response.body;
  }
  std::string MustCql(const std::string& cql) { return Must(R"({"keyspace": "k", "query": ")" + cql + "\"}"); }

  // Inserts `count` rows (pk 0, ck 0 to count - 1, v = text of `text_bytes`) into table k.many.
  void MakeMany(int count, size_t text_bytes) {
    MustCql("CREATE TABLE many (pk int, ck int, v text, PRIMARY KEY (pk, ck))");
    const std::string text(text_bytes, 'x');
    for (int first = 0; first < count; first += 500) {
      std::string batch = "BEGIN UNLOGGED BATCH ";
      for (int ck = first; ck < std::min(first + 500, count); ++ck) {
        batch += "INSERT INTO many (pk, ck, v) VALUES (0, " + std::to_string(ck) + ", '" + text + "'); ";
      }
      MustCql(batch + "APPLY BATCH");
    }
  }

  ScratchDirectory directory_;
  std::unique_ptr<Engine> engine_ = OpenEngine(directory_);
  std::unique_ptr<HttpServer> server_;
};

}  // namespace widerow
