// Tests HTTPS.
#include <gmock/gmock.h>
#include <openssl/ssl.h>

#include "net/http/basic_credentials.h"
#include "net/tls/tls_acceptor.h"
#include "tests/unit/net/certificates.h"
#include "tests/unit/net/http_test.h"
#include "tests/unit/net/login_test.h"
#include "tests/unit/net/tls_tunnel.h"

namespace widerow {
namespace {

using ::testing::HasSubstr;

std::unique_ptr<TlsAcceptor> OpenTls(ClientCertificates clients = ClientCertificates::kNotAsked) {
  auto opened = TlsAcceptor::Open(Certificates::For("server", clients), 1, [](const std::string&) {});
  EXPECT_TRUE(opened.ok()) << opened.error().message;
  return opened.ok() ? std::move(*opened) : nullptr;
}

class TlsHttpTest : public HttpTest {
 protected:
  void StartTls(PortSecurity security, HttpOptions options = {}) {
    server_.reset();
    tls_ = OpenTls();
    options.port = 0;
    options.security = security;
    options.tls = tls_.get();
    Start(options);
  }
  void TearDown() override { server_.reset(); }

  std::unique_ptr<TlsAcceptor> tls_;
};

TEST_F(TlsHttpTest, ServesBothProtocolsAndKeepsConnections) {
  StartTls(PortSecurity::kTls);
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    const TlsTunnel tunnel(server_->port(), {.version = version});
    HttpClient client(tunnel.port());
    for (int i = 0; i < 3; ++i) EXPECT_EQ(client.Query(R"({"query": "DESCRIBE KEYSPACES"})").status, 200);
    client.Send("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    EXPECT_EQ(client.Read().body, "ok\n");
    EXPECT_EQ(tunnel.WaitForFailure(), "end") << "the end of the connection is signed";
  }
}

TEST_F(TlsHttpTest, LongBodiesAndAnswersInPartsPass) {
  MakeMany(2'000, 4'000);
  StartTls(PortSecurity::kOptional);
  const TlsTunnel tunnel(server_->port());
  HttpClient client(tunnel.port());
  const std::string text(3'000'000, 'y');
  const std::string insert = "INSERT INTO k.many (pk, ck, v) VALUES (1, 1, '" + text + "')";
  EXPECT_EQ(client.Query("{\"query\": \"" + insert + "\"}").status, 200);
  const HttpResponse answer = client.Query(R"({"query": "SELECT v FROM k.many"})", "text/csv");
  EXPECT_TRUE(answer.complete);
  EXPECT_GT(answer.chunks, 1u);
  EXPECT_GT(answer.body.size(), 11'000'000u);
  EXPECT_THAT(answer.body, HasSubstr(text));
  EXPECT_EQ(Query(R"({"query": "DESCRIBE KEYSPACES"})").status, 200) << "without TLS";
}

TEST_F(TlsHttpTest, APortForTlsTellsPlainClients) {
  StartTls(PortSecurity::kTls);
  const HttpResponse refused = HttpClient(server_->port()).Get("/healthz");
  EXPECT_EQ(refused.status, 400);
  EXPECT_THAT(refused.body, HasSubstr("this port requires TLS"));
}

TEST_F(TlsHttpTest, MetricsCountHandshakes) {
  StartTls(PortSecurity::kTls);
  HttpClient(server_->port()).Send("\x16\x03\x01 garbage of a client");
  const TlsTunnel tunnel(server_->port());
  std::string text;
  for (int i = 0; i < 500 && text.find("result=\"failed\"} 1") == std::string::npos; ++i) {
    text = HttpClient(tunnel.port()).Get("/metrics").body;
  }
  EXPECT_THAT(text, HasSubstr("widerow_tls_handshakes_total{result=\"failed\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("widerow_tls_handshakes_total{result=\"done\"} "));
  EXPECT_THAT(text, HasSubstr("\nwiderow_tls_certificate_expiry_timestamp_seconds "));
}

TEST_F(TlsHttpTest, TheCertificateProvesTheHost) {
  StartTls(PortSecurity::kOptional);
  const TlsTunnel tunnel(server_->port());
  const auto status = [](uint16_t port, const std::string& origin) {
    HttpClient client(port);
    client.Send("GET /metrics HTTP/1.1\r\nHost: db.example.org:8042\r\n" + origin + "\r\n");
    return client.Read().status;
  };
  EXPECT_EQ(status(tunnel.port(), ""), 200);
  EXPECT_EQ(status(server_->port(), ""), 403) << "without TLS, another site's name may point here";
  EXPECT_EQ(status(tunnel.port(), "Origin: https://db.example.org:8042\r\n"), 200);
  EXPECT_EQ(status(tunnel.port(), "Origin: http://db.example.org:8042\r\n"), 403);
}

TEST_F(TlsHttpTest, SilentAndSlowClientsAreCutOff) {
  StartTls(PortSecurity::kTls, {.idle_timeout_ms = 300, .tls_handshake_ms = 300});
  HttpClient silent(server_->port()), half(server_->port());
  half.Send(std::string_view("\x16\x03\x01\x02", 4));
  EXPECT_TRUE(silent.WaitForClose(5'000));
  EXPECT_TRUE(half.WaitForClose(5'000));
  const TlsTunnel tunnel(server_->port());
  HttpClient idle(tunnel.port());
  EXPECT_EQ(idle.Get("/healthz").status, 200);
  EXPECT_TRUE(idle.WaitForClose(5'000));
}

TEST(TlsHttpLoginTest, ACertificateLogsInForEachRequest) {
  const ScratchDirectory directory;
  const auto engine = OpenEngineWithRoles(directory);
  ASSERT_NE(engine, nullptr);
  ConnectionFacts facts;
  facts.user = std::make_shared<const User>(*engine->schema()->access->Find("cassandra"));
  const auto superuser = std::make_shared<const ConnectionFacts>(facts);
  const auto must = [&](const std::string& cql) { EXPECT_TRUE(engine->Execute(cql, {.connection = superuser}).ok()); };
  const auto tls = OpenTls(ClientCertificates::kOptional);
  const auto server = HttpServer::Start(*engine, {.port = 0, .security = PortSecurity::kTls, .tls = tls.get()});
  ASSERT_TRUE(server.ok()) << server.error().message;
  const TlsTunnel tunnel((*server)->port(), {.certificate = "ann"});
  const std::string read = R"({"query": "SELECT v FROM k.t"})";

  EXPECT_THAT(HttpClient(tunnel.port()).Query(read).body,
              HasSubstr("Certificate identity 'spiffe://test/ann' not authorized"));
  HttpClient client(tunnel.port());
  must("ADD IDENTITY 'spiffe://test/ann' TO ROLE 'ann'");
  EXPECT_EQ(client.Query(read).status, 200);
  EXPECT_EQ(client.Query(R"({"query": "TRUNCATE k.t"})").status, 403);
  client.Send(QueryRequestText(R"({"query": "TRUNCATE k.t"})",
                               "Authorization: " + WriteBasicCredentials("cassandra", "cassandra") + "\r\n"));
  EXPECT_EQ(client.Read().status, 200) << "a name and a password come before the certificate";
  must("DROP IDENTITY 'spiffe://test/ann'");
  EXPECT_EQ(client.Query(read).status, 401);
  const TlsTunnel nobody((*server)->port());
  EXPECT_THAT(HttpClient(nobody.port()).Query(read).body, HasSubstr("You have not logged in"));
}

}  // namespace
}  // namespace widerow
