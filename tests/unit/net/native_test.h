// A server of the native protocol with its own database, for tests over real sockets.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "exec/engine/engine.h"
#include "net/native/native_server.h"
#include "tests/unit/net/native_client.h"
#include "tests/unit/scratch_engine.h"

namespace widerow {

inline constexpr uint32_t kServerError = 0, kProtocolError = 0x0A, kOverloaded = 0x1001, kSyntax = 0x2000,
                          kInvalid = 0x2200, kAlreadyExists = 0x2400, kUnprepared = 0x2500;

class NativeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_NE(engine_, nullptr);
    Start({.port = 0});
    Must("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    Must("CREATE TABLE t (pk int, ck int, v text, PRIMARY KEY (pk, ck))");
  }
  // Stops the running server and starts one with these options.
  void Start(const NativeOptions& options) {
    server_.reset();
    auto started = NativeServer::Start(*engine_, options);
    ASSERT_TRUE(started.ok()) << started.error().message;
    server_ = std::move(*started);
  }
  void Must(const std::string& cql) {
    const auto outcome = engine_->Execute(cql, {.keyspace = "k"});
    ASSERT_TRUE(outcome.ok()) << outcome.error().message << ": " << cql;
  }
  uint16_t port() const { return server_->port(); }
  // Returns a connection that is ready for requests.
  std::unique_ptr<NativeClient> Connect(uint8_t version = 4, const std::string& compression = {}) {
    auto client = std::make_unique<NativeClient>(port(), version);
    EXPECT_EQ(client->Startup(compression).opcode(), Opcode::kReady);
    return client;
  }
  // Inserts `count` rows into k.t. Their pk is 0, their ck counts from 0, and each has a text of `text_bytes`.
  void MakeRows(int count, size_t text_bytes) {
    for (int first = 0; first < count; first += 500) {
      std::string batch = "BEGIN UNLOGGED BATCH ";
      for (int ck = first; ck < std::min(first + 500, count); ++ck) {
        batch += "INSERT INTO t (pk, ck, v) VALUES (0, " + std::to_string(ck) + ", '" + std::string(text_bytes, 'x') +
                 "'); ";
      }
      Must(batch + "APPLY BATCH");
    }
  }
  // Waits until the server holds at most `bytes` of memory for clients. A client may read the last answer before the
  // server has counted it as sent.
  bool HoldsAtMost(size_t bytes) {
    for (int i = 0; i < 3'000 && server_->held_bytes() > bytes; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return server_->held_bytes() <= bytes;
  }
  // Checks that other clients are served.
  void ExpectOthersUnaffected() {
    auto other = Connect();
    EXPECT_EQ(other->Query("SELECT * FROM k.t WHERE pk = 12345").result_kind(), 2);
  }

  ScratchDirectory directory_;
  std::unique_ptr<Engine> engine_ = OpenEngine(directory_);
  std::unique_ptr<NativeServer> server_;
};

}  // namespace widerow
