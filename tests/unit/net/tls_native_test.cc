// Tests the native protocol over TLS: on a port for TLS alone, and on a port for connections with and without TLS.
#include <gmock/gmock.h>
#include <openssl/ssl.h>

#include <chrono>
#include <string>
#include <thread>

#include "net/tls/tls_acceptor.h"
#include "tests/unit/net/certificates.h"
#include "tests/unit/net/login_test.h"
#include "tests/unit/net/native_test.h"
#include "tests/unit/net/tls_tunnel.h"

namespace widerow {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// Collects the lines that a server logs.
class Lines {
 public:
  TlsAcceptor::Log log() {
    return [this](const std::string& line) {
      MutexLock lock(mutex_);
      text_ += line + "\n";
    };
  }
  std::string text() {
    MutexLock lock(mutex_);
    return text_;
  }
  // Waits for `part` for some seconds, because a client hears of a failure before the server logs it.
  bool Show(const std::string& part) {
    for (int waits = 0; waits < 1'000; ++waits) {
      if (text().find(part) != std::string::npos) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

 private:
  Mutex mutex_;
  std::string text_ WR_GUARDED_BY(mutex_);
};

class TlsNativeTest : public NativeTest {
 protected:
  // Starts a server whose port has this security, and which has a further port for TLS.
  void StartTls(PortSecurity security, const TlsOptions& files = Certificates::For("server"),
                NativeOptions options = {}) {
    server_.reset();
    auto opened = TlsAcceptor::Open(files, 2, lines_.log());
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    tls_ = std::move(*opened);
    options.port = 0;
    options.security = security;
    options.tls_port = 0;
    options.tls = tls_.get();
    Start(options);
  }
  uint16_t tls_port() const {
    const std::string address = server_->tls_address();
    return static_cast<uint16_t>(std::stoi(address.substr(address.find(':') + 1)));
  }
  // Waits until `expected` handshakes have failed, for some seconds at most: a client may hear of a failure before the
  // server counts it.
  uint64_t FailedHandshakes(uint64_t expected) const {
    for (int waits = 0; waits < 1'000 && tls_->handshakes_failed() < expected; ++waits) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return tls_->handshakes_failed();
  }
  void TearDown() override { server_.reset(); }

  Lines lines_;
  std::unique_ptr<TlsAcceptor> tls_;
};

TEST_F(TlsNativeTest, ServesEveryVersionOfBothProtocols) {
  StartTls(PortSecurity::kOptional);
  MakeRows(3, 10);
  for (const int tls_version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    const TlsTunnel own(tls_port(), {.version = tls_version}), shared(port(), {.version = tls_version});
    for (const TlsTunnel* tunnel : {&own, &shared}) {
      for (const uint8_t version : {3, 4, 5}) {
        NativeClient client(tunnel->port(), version);
        ASSERT_EQ(client.Startup().opcode(), Opcode::kReady) << tunnel->failure();
        EXPECT_EQ(RowsOf(client.Query("SELECT * FROM k.t WHERE pk = 0")).rows.size(), 3u);
      }
    }
  }
  ExpectOthersUnaffected();  // They speak without TLS.
}

TEST_F(TlsNativeTest, LongRequestsAndAnswersPass) {
  StartTls(PortSecurity::kTls);
  const TlsTunnel tunnel(tls_port());
  NativeClient client(tunnel.port(), 5);
  ASSERT_EQ(client.Startup("lz4").opcode(), Opcode::kReady) << tunnel.failure();
  const std::string text(5'000'000, 'x');
  for (int ck = 0; ck < 4; ++ck) {
    const NativeReply reply =
        client.Query("INSERT INTO k.t (pk, ck, v) VALUES (1, " + std::to_string(ck) + ", '" + text + "')");
    ASSERT_EQ(reply.result_kind(), 1) << reply.error_text();
  }
  const NativeRows rows = RowsOf(client.Query("SELECT v FROM k.t WHERE pk = 1"));
  ASSERT_EQ(rows.rows.size(), 4u);
  for (const auto& row : rows.rows) EXPECT_TRUE(row.at(0) == text);
}

TEST_F(TlsNativeTest, ManyRequestsInOnePacket) {
  StartTls(PortSecurity::kTls);
  MakeRows(1, 3'000);
  const TlsTunnel tunnel(tls_port());
  NativeClient client(tunnel.port(), 4);
  ASSERT_EQ(client.Startup().opcode(), Opcode::kReady);
  Bytes requests;
  Bytes body;
  AppendSizedBytes(body, "SELECT v FROM k.t WHERE pk = 0 AND ck = 0");
  body += Bytes("\0\1\0", 3);
  for (int16_t stream = 0; stream < 1'000; ++stream) requests += MakeFrame(Opcode::kQuery, body, 4, stream);
  ASSERT_TRUE(client.SendRaw(requests));
  for (int i = 0; i < 1'000; ++i) {
    const auto reply = client.Read();
    ASSERT_TRUE(reply) << i;
    ASSERT_EQ(reply->result_kind(), 2) << reply->error_text();
  }
}

TEST_F(TlsNativeTest, APortForTlsTellsPlainClients) {
  StartTls(PortSecurity::kTls);
  for (const uint16_t port : {port(), tls_port()}) {
    NativeClient client(port, 4);
    const NativeReply reply = client.Startup();
    EXPECT_EQ(reply.error_code(), kProtocolError);
    EXPECT_THAT(reply.error_text(), StartsWith("This port requires TLS"));
    EXPECT_TRUE(client.WaitForClose(5'000));
  }
}

TEST_F(TlsNativeTest, ClientsTableShowsTls) {
  StartTls(PortSecurity::kOptional);
  const TlsTunnel tunnel(port(), {.version = TLS1_3_VERSION});
  NativeClient client(tunnel.port(), 4);
  ASSERT_EQ(client.Startup().opcode(), Opcode::kReady);
  client.Query("SELECT * FROM k.t WHERE pk = 0");
  const auto plain = Connect();
  const std::string columns = "SELECT ssl_protocol, ssl_cipher_suite, ssl_enabled FROM system_views.clients";
  std::vector<std::string> seen;
  for (const auto& row : RowsOf(plain->Query(columns)).rows) {
    seen.push_back(row.at(0).value_or("none") + " " + row.at(1).value_or("none") + " " + ToHex(*row.at(2)));
  }
  EXPECT_THAT(seen, ::testing::UnorderedElementsAre("TLSv1.3 TLS_AES_256_GCM_SHA384 01", "none none 00"));
}

TEST_F(TlsNativeTest, OldProtocolsAndWeakSuitesAreRefused) {
  StartTls(PortSecurity::kTls, [] {
    TlsOptions options = Certificates::For("server");
    options.only_tls13 = true;
    return options;
  }());
  const TlsTunnel old(tls_port(), {.version = TLS1_2_VERSION});
  EXPECT_EQ(NativeClient(old.port()).Read(), std::nullopt);
  EXPECT_THAT(old.WaitForFailure(), HasSubstr("alert protocol version"));

  StartTls(PortSecurity::kTls);
  const TlsTunnel weak(tls_port(), {.version = TLS1_2_VERSION, .ciphers = "AES128-SHA:ECDHE-ECDSA-AES128-SHA"});
  EXPECT_EQ(NativeClient(weak.port()).Read(), std::nullopt);
  EXPECT_THAT(weak.WaitForFailure(), HasSubstr("handshake failure"));
  EXPECT_TRUE(lines_.Show("no shared cipher")) << lines_.text();
}

TEST_F(TlsNativeTest, OnlyClientsWithAValidCertificateGetIn) {
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    StartTls(PortSecurity::kTls, Certificates::For("server", ClientCertificates::kRequired));
    for (const auto& [certificate, reason] :
         {std::pair("", "peer did not return a certificate"), std::pair("unknown_client", "certificate verify failed"),
          std::pair("expired_client", "certificate has expired"),
          std::pair("server_only", "certificate verify failed")}) {
      const uint64_t failed = tls_->handshakes_failed();
      const TlsTunnel tunnel(tls_port(), {.certificate = certificate, .version = version});
      EXPECT_EQ(NativeClient(tunnel.port()).Read(), std::nullopt) << certificate;
      EXPECT_THAT(tunnel.WaitForFailure(), HasSubstr("alert")) << certificate;
      EXPECT_EQ(FailedHandshakes(failed + 1), failed + 1);
      if (*certificate == '\0') { EXPECT_TRUE(lines_.Show(reason)) << lines_.text(); }
    }
    const TlsTunnel tunnel(tls_port(), {.certificate = "nameless", .version = version});
    EXPECT_EQ(NativeClient(tunnel.port()).Startup().opcode(), Opcode::kReady) << tunnel.failure();
  }
}

TEST_F(TlsNativeTest, OptionalCertificatesMustBeValid) {
  StartTls(PortSecurity::kTls, Certificates::For("server", ClientCertificates::kOptional));
  for (const char* certificate : {"", "ann"}) {
    const TlsTunnel tunnel(tls_port(), {.certificate = certificate});
    EXPECT_EQ(NativeClient(tunnel.port()).Startup().opcode(), Opcode::kReady) << certificate;
  }
  const TlsTunnel tunnel(tls_port(), {.certificate = "expired_client"});
  EXPECT_EQ(NativeClient(tunnel.port()).Read(), std::nullopt);
  EXPECT_TRUE(lines_.Show("certificate verify failed: certificate has expired")) << lines_.text();
}

TEST_F(TlsNativeTest, AHandshakeThatStallsIsCutOff) {
  StartTls(PortSecurity::kTls, Certificates::For("server"), {.tls_handshake_ms = 300});
  NativeClient silent(tls_port()), half(tls_port()), garbage(tls_port()), slow_record(port());
  half.SendRaw(Bytes("\x16\x03\x01", 3));
  slow_record.SendRaw(Bytes("\x16\x03\x01\x02\x00\x01", 6));
  garbage.SendRaw(Bytes("\x16\x03\x01\x00\x05hello", 10));
  for (NativeClient* client : {&silent, &half, &slow_record, &garbage}) EXPECT_TRUE(client->WaitForClose(10'000));
  const TlsTunnel tunnel(tls_port());
  EXPECT_EQ(NativeClient(tunnel.port()).Startup().opcode(), Opcode::kReady);
}

TEST_F(TlsNativeTest, ReloadKeepsConnections) {
  const std::string directory = directory_.path().string() + "-files";
  std::filesystem::create_directories(directory);
  const auto use = [&](const std::string& name) {
    const auto replace = std::filesystem::copy_options::overwrite_existing;
    std::filesystem::copy_file(Certificates::Pem(name), directory + "/pem", replace);
    std::filesystem::copy_file(Certificates::Key(name), directory + "/key", replace);
  };
  use("server");
  StartTls(PortSecurity::kTls, {.certificate_file = directory + "/pem", .key_file = directory + "/key"});
  const TlsTunnel tunnel(tls_port());
  NativeClient before(tunnel.port());
  ASSERT_EQ(before.Startup().opcode(), Opcode::kReady);
  EXPECT_EQ(tunnel.server_subject(), "/CN=server");

  use("renewed");
  ASSERT_TRUE(tls_->Reload().ok());
  NativeClient after(tunnel.port());
  ASSERT_EQ(after.Startup().opcode(), Opcode::kReady);
  EXPECT_EQ(tunnel.server_subject(), "/CN=renewed");

  std::filesystem::copy_file(Certificates::Key("ann"), directory + "/key",
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_THAT(tls_->Reload().error().message, HasSubstr("does not belong to the certificate"));
  NativeClient later(tunnel.port());
  EXPECT_EQ(later.Startup().opcode(), Opcode::kReady) << tunnel.failure();
  EXPECT_EQ(before.Query("SELECT * FROM k.t WHERE pk = 0").result_kind(), 2);
  std::filesystem::remove_all(directory);
}

// The server reloads its certificate while clients connect, and while their connections end in different ways.
TEST_F(TlsNativeTest, ReloadsWhileClientsComeAndGoConcurrency) {
  StartTls(PortSecurity::kOptional);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([this] {
      for (int round = 0; round < 15; ++round) {
        const TlsTunnel tunnel(round % 2 == 0 ? port() : tls_port());
        NativeClient client(tunnel.port());
        EXPECT_EQ(client.Startup().opcode(), Opcode::kReady) << tunnel.failure();
        if (round % 3 == 0) client.Send(Opcode::kOptions, {});
        NativeClient abandoned(tls_port());
        abandoned.SendRaw(Bytes("\x16\x03\x01\x00\x02\x01\x00", 7));
      }
    });
  }
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(tls_->Reload().ok());
  for (std::thread& thread : threads) thread.join();
  server_->Stop();
}

class TlsLoginTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_NE(engine_, nullptr);
    auto opened = TlsAcceptor::Open(Certificates::For("server", ClientCertificates::kOptional), 1, lines_.log());
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    tls_ = std::move(*opened);
    auto started = NativeServer::Start(*engine_, {.port = 0, .security = PortSecurity::kTls, .tls = tls_.get()});
    ASSERT_TRUE(started.ok()) << started.error().message;
    server_ = std::move(*started);
    ConnectionFacts facts;
    facts.user = std::make_shared<const User>(*engine_->schema()->access->Find("cassandra"));
    superuser_ = std::make_shared<const ConnectionFacts>(facts);
    Must("ADD IDENTITY 'spiffe://test/ann' TO ROLE 'ann'");
  }
  void Must(const std::string& cql) {
    const auto outcome = engine_->Execute(cql, {.connection = superuser_});
    ASSERT_TRUE(outcome.ok()) << outcome.error().message << ": " << cql;
  }
  NativeReply StartupAs(const std::string& certificate) {
    const TlsTunnel tunnel(server_->port(), {.certificate = certificate});
    return NativeClient(tunnel.port()).Startup();
  }

  ScratchDirectory directory_;
  std::unique_ptr<Engine> engine_ = OpenEngineWithRoles(directory_);
  Lines lines_;
  std::unique_ptr<TlsAcceptor> tls_;
  std::unique_ptr<NativeServer> server_;
  std::shared_ptr<const ConnectionFacts> superuser_;
};

TEST_F(TlsLoginTest, ACertificateLogsIn) {
  for (const uint8_t version : {3, 4, 5}) {
    const TlsTunnel tunnel(server_->port(), {.certificate = "ann"});
    NativeClient client(tunnel.port(), version);
    const NativeReply reply = client.Startup();
    ASSERT_EQ(reply.opcode(), Opcode::kReady) << reply.error_text() << tunnel.failure();
    EXPECT_EQ(RowsOf(client.Query("SELECT v FROM k.t WHERE id = 1")).rows.at(0).at(0), "one");
    const NativeReply refused = client.Query("INSERT INTO k.t (id, v) VALUES (2, 'x')");
    EXPECT_THAT(refused.error_text(), StartsWith("User ann has no MODIFY permission on <table k.t>"));
    Must("GRANT SELECT ON system_views.clients TO ann");
    const auto rows = RowsOf(client.Query("SELECT username FROM system_views.clients"));
    EXPECT_EQ(rows.rows.at(0).at(0), "ann");
  }
}

TEST_F(TlsLoginTest, AnIdentityMustBelongToARoleThatMayLogIn) {
  const NativeReply unknown = StartupAs("bob");
  EXPECT_EQ(unknown.error_code(), 0x0100u);
  EXPECT_THAT(unknown.error_text(), StartsWith("Certificate identity 'spiffe://test/bob' not authorized"));
  Must("ALTER ROLE ann WITH LOGIN = false");
  EXPECT_THAT(StartupAs("ann").error_text(), StartsWith("ann is not permitted to log in"));
  Must("ALTER ROLE ann WITH LOGIN = true");
  EXPECT_EQ(StartupAs("ann").opcode(), Opcode::kReady);
  Must("DROP IDENTITY 'spiffe://test/ann'");
  EXPECT_THAT(StartupAs("ann").error_text(), HasSubstr("not authorized"));
}

TEST_F(TlsLoginTest, WithoutIdentityThePasswordCounts) {
  for (const char* certificate : {"", "nameless"}) {
    const TlsTunnel tunnel(server_->port(), {.certificate = certificate});
    NativeClient client(tunnel.port());
    EXPECT_EQ(client.Startup().opcode(), Opcode::kAuthenticate) << certificate;
    const NativeReply reply = client.Ask(Opcode::kAuthResponse, SizedValue(Bytes("\0ann\0pw", 7)));
    EXPECT_EQ(reply.opcode(), Opcode::kAuthSuccess) << reply.error_text();
  }
}

}  // namespace
}  // namespace widerow
