// Tests AUTHENTICATE and AUTH_RESPONSE: who can log in, which requests are answered before the login, and what a failed
// login costs.
#include <gmock/gmock.h>

#include "net/native/native_server.h"
#include "tests/unit/net/login_test.h"
#include "tests/unit/net/native_client.h"

namespace widerow {
namespace {

constexpr uint32_t kBadCredentials = 0x0100, kUnauthorized = 0x2100, kProtocolError = 0x0A;

class NativeLoginTest : public ::testing::TestWithParam<uint8_t> {
 protected:
  void SetUp() override {
    ASSERT_NE(engine_, nullptr);
    auto started = NativeServer::Start(*engine_, {.port = 0});
    ASSERT_TRUE(started.ok()) << started.error().message;
    server_ = std::move(*started);
  }
  // Returns a connection that the server has asked for a password (AUTHENTICATE).
  std::unique_ptr<NativeClient> Ask(const std::string& compression = {}) {
    auto client = std::make_unique<NativeClient>(server_->port(), GetParam());
    const NativeReply reply = client->Startup(compression);
    EXPECT_EQ(reply.opcode(), Opcode::kAuthenticate);
    EXPECT_EQ(reply.body.substr(2), "org.apache.cassandra.auth.PasswordAuthenticator");
    return client;
  }
  static Bytes Token(const std::string& role, const std::string& password) {
    return SizedValue('\0' + role + '\0' + password);
  }
  static NativeReply LogIn(NativeClient& client, const std::string& role, const std::string& password) {
    return client.Ask(Opcode::kAuthResponse, Token(role, password));
  }

  ScratchDirectory directory_;
  std::unique_ptr<Engine> engine_ = OpenEngineWithRoles(directory_);
  std::unique_ptr<NativeServer> server_;
};
INSTANTIATE_TEST_SUITE_P(Versions, NativeLoginTest, ::testing::Values(3, 4, 5));

TEST_P(NativeLoginTest, ARightPasswordLetsIn) {
  for (const std::string compression : {"", "lz4"}) {
    auto client = Ask(compression);
    const NativeReply reply = LogIn(*client, "ann", "pw");
    ASSERT_EQ(reply.opcode(), Opcode::kAuthSuccess) << reply.error_text();
    EXPECT_EQ(reply.body, Bytes("\xff\xff\xff\xff", 4));
    EXPECT_EQ(RowsOf(client->Query("SELECT v FROM k.t WHERE id = 1")).rows.at(0).at(0), "one");
    const NativePrepared read = client->Prepare("SELECT v FROM k.t WHERE id = 1");
    EXPECT_FALSE(read.id.empty());
  }
}

TEST_P(NativeLoginTest, WhatIsNotGrantedIsRefused) {
  auto client = Ask();
  ASSERT_EQ(LogIn(*client, "ann", "pw").opcode(), Opcode::kAuthSuccess);
  const NativeReply reply = client->Query("INSERT INTO k.t (id, v) VALUES (2, 'x')");
  EXPECT_EQ(reply.error_code(), kUnauthorized);
  EXPECT_THAT(reply.error_text(),
              ::testing::StartsWith("User ann has no MODIFY permission on <table k.t> or any of its parents\nhint: "));
  EXPECT_EQ(client->Query("SELECT key FROM system.local").result_kind(), 2);
}

TEST_P(NativeLoginTest, AWrongPasswordEndsTheConnection) {
  for (const auto& [role, password] : {std::pair("ann", "wrong"), std::pair("nobody", "pw"), std::pair("ann", "")}) {
    auto client = Ask();
    const NativeReply reply = LogIn(*client, role, password);
    EXPECT_EQ(reply.error_code(), kBadCredentials) << role;
    EXPECT_TRUE(client->WaitForClose(30'000));
  }
}

TEST_P(NativeLoginTest, NothingIsRunBefore) {
  auto client = Ask();
  for (const Opcode opcode : {Opcode::kQuery, Opcode::kPrepare, Opcode::kExecute, Opcode::kBatch, Opcode::kOptions,
                              Opcode::kRegister, Opcode::kStartup}) {
    const NativeReply reply = client->Ask(opcode, {});
    EXPECT_EQ(reply.error_code(), kProtocolError);
    EXPECT_THAT(reply.error_text(), ::testing::HasSubstr("expecting SASL_RESPONSE"));
  }
  EXPECT_EQ(LogIn(*client, "ann", "pw").opcode(), Opcode::kAuthSuccess) << "it may log in all the same";
}

TEST_P(NativeLoginTest, ATokenThatIsNoneIsRefused) {
  for (const Bytes& token :
       {Bytes("\xff\xff\xff\xff", 4), SizedValue(""), SizedValue("ann"), SizedValue(Bytes("\0ann", 4))}) {
    auto client = Ask();
    const NativeReply reply = client->Ask(Opcode::kAuthResponse, token);
    EXPECT_EQ(reply.error_code(), kBadCredentials);
    EXPECT_TRUE(client->WaitForClose(30'000));
  }
  auto client = Ask();
  EXPECT_EQ(client->Ask(Opcode::kAuthResponse, Bytes("\0\0\xff\xff", 4)).error_code(), kProtocolError);
}

TEST_P(NativeLoginTest, FramesBeforeItAreShort) {
  auto client = Ask();
  client->Send(Opcode::kAuthResponse, SizedValue(Bytes(100'000, 'x')));
  const auto reply = client->Read();
  ASSERT_TRUE(reply.has_value());
  EXPECT_TRUE(reply->is_error());
  EXPECT_TRUE(client->WaitForClose(30'000));
}

TEST_P(NativeLoginTest, ASecondLoginChangesNobody) {
  auto client = Ask();
  ASSERT_EQ(LogIn(*client, "ann", "pw").opcode(), Opcode::kAuthSuccess);
  EXPECT_EQ(LogIn(*client, "cassandra", "cassandra").error_code(), kProtocolError);
  EXPECT_EQ(client->Query("LIST ROLES OF cassandra").error_code(), kUnauthorized);
}

TEST_P(NativeLoginTest, ClientsAreListedByName) {
  auto client = Ask();
  ASSERT_EQ(LogIn(*client, "cassandra", "cassandra").opcode(), Opcode::kAuthSuccess);
  EXPECT_EQ(RowsOf(client->Query("SELECT username FROM system_views.clients")).rows.at(0).at(0), "cassandra");
}

// Many threads log in at the same time, some with wrong passwords. Each login must get its own answer.
TEST_P(NativeLoginTest, ManyAtOnceConcurrency) {
  std::vector<std::thread> threads;
  std::atomic<int> in{0}, out{0};
  for (int i = 0; i < 12; ++i) {
    threads.emplace_back([&, i] {
      auto client = Ask();
      const NativeReply reply = LogIn(*client, "ann", i % 3 == 0 ? "wrong" : "pw");
      ++(reply.opcode() == Opcode::kAuthSuccess ? in : out);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(in.load(), 8);
  EXPECT_EQ(out.load(), 4);
}

}  // namespace
}  // namespace widerow
