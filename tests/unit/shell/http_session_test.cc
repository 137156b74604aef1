// Tests the shell's HTTP client with servers that misbehave.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include "net/http/http_server.h"
#include "shell/interrupt.h"
#include "shell/session.h"
#include "tests/unit/net/login_test.h"

namespace widerow {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// A server that serves one connection after the other. `answer` gets the number of the request (from 0) and its text,
// and returns the answer. If it returns "close", the connection is closed without an answer. If its result ends in
// "last", the connection is closed after the answer. An empty result is not sent.
class FakeServer {
 public:
  using Answer = std::function<std::string(int number, const std::string& request)>;

  explicit FakeServer(Answer answer) : answer_(std::move(answer)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::listen(listener_, 8), 0);
    socklen_t size = sizeof address;
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    const InterruptsBlocked blocked;
    thread_ = std::thread([this] { Serve(); });
  }
  ~FakeServer() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
  }

  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
  int connections() const { return connections_; }

 private:
  void Serve() {
    while (true) {
      const int client = ::accept(listener_, nullptr, nullptr);
      if (client < 0) return;
      ++connections_;
      Talk(client);
      ::close(client);
    }
  }

  void Talk(int client) {
    char bytes[65'536];
    ssize_t got = 0;
    while ((got = ::recv(client, bytes, sizeof bytes, 0)) > 0) {
      std::string body = answer_(number_++, std::string(bytes, static_cast<size_t>(got)));
      if (body == "close") return;
      if (body.empty()) continue;
      const bool last = body.ends_with("last");
      if (last) body.resize(body.size() - 4);
      const std::string reply =
          "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
          "\r\n\r\n" + body;
      if (::send(client, reply.data(), reply.size(), MSG_NOSIGNAL) < 0 || last) return;
    }
  }

  const Answer answer_;
  int listener_ = -1;
  uint16_t port_ = 0;
  std::atomic<int> connections_{0};
  int number_ = 0;
  std::thread thread_;
};

constexpr const char* kNoSchema = R"({"version":"x","keyspaces":[]})";

TEST(HttpSessionTest, AConnectionThatTheServerClosedIsOpenedAgain) {
  const FakeServer server([](int number, const std::string&) {
    return number == 0 ? kNoSchema : number == 1 ? "{}last" : "{}";
  });
  auto session = OpenHttpSession(server.address());
  ASSERT_TRUE(session.ok()) << session.error().message;
  EXPECT_TRUE((*session)->Execute({.text = "a"}).ok());
  EXPECT_EQ(server.connections(), 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_TRUE((*session)->Execute({.text = "a"}).ok());
  EXPECT_EQ(server.connections(), 2);
}

TEST(HttpSessionTest, LogsInWhereThatIsRequired) {
  const ScratchDirectory directory;
  const auto engine = OpenEngineWithRoles(directory);
  ASSERT_NE(engine, nullptr);
  const auto server = HttpServer::Start(*engine, {.port = 0});
  ASSERT_TRUE(server.ok()) << server.error().message;
  const std::string address = (*server)->address();
  const auto nobody = OpenHttpSession(address);
  EXPECT_THAT(nobody.error().message, StartsWith("You have not logged in"));
  EXPECT_THAT(nobody.error().hint, StartsWith("log in with -u NAME (--user NAME)"));
  EXPECT_THAT(OpenHttpSession(address, {"ann", "wrong"}).error().message,
              StartsWith("Provided username ann and/or password are incorrect"));
  auto ann = OpenHttpSession(address, {"ann", "pw"});
  ASSERT_TRUE(ann.ok()) << ann.error().message;
  EXPECT_TRUE((*ann)->Execute({.text = "SELECT * FROM k.t"}).ok());
  EXPECT_EQ((*ann)->Execute({.text = "TRUNCATE k.t"}).error().code, ErrorCode::kUnauthorized);
  auto another = (*ann)->Connect();  // COPY's workers make their connections in this way.
  ASSERT_TRUE(another.ok()) << another.error().message;
  EXPECT_TRUE((*another)->Execute({.text = "SELECT * FROM k.t"}).ok());
}

TEST(HttpSessionTest, GoesOnWithANewPassword) {
  const ScratchDirectory directory;
  const auto engine = OpenEngineWithRoles(directory);
  ASSERT_NE(engine, nullptr);
  const auto server = HttpServer::Start(*engine, {.port = 0});
  ASSERT_TRUE(server.ok()) << server.error().message;
  auto ann = OpenHttpSession((*server)->address(), {"ann", "pw"});
  ASSERT_TRUE(ann.ok()) << ann.error().message;
  const auto runs_after = [&](const std::string& alter) {
    const auto altered = (*ann)->Execute({.text = alter});
    EXPECT_TRUE(altered.ok()) << altered.error().message;
    const auto another = (*ann)->Connect();
    return another.ok() && (*another)->Execute({.text = "SELECT * FROM k.t"}).ok() &&
           (*ann)->Execute({.text = "SELECT * FROM k.t"}).ok();
  };
  EXPECT_TRUE(runs_after("ALTER ROLE ann WITH PASSWORD = 'it''s new'"));
  EXPECT_TRUE(runs_after("alter role if exists 'ann' with password = $$x$$"));
  EXPECT_TRUE(runs_after("ALTER ROLE ann WITH GENERATED PASSWORD"));
}

TEST(HttpSessionTest, AStatementIsNeverSentTwice) {
  const FakeServer closing([](int number, const std::string&) {
    return number == 0 ? kNoSchema : number == 1 ? "close" : "{}";
  });
  auto other = OpenHttpSession(closing.address());
  ASSERT_TRUE(other.ok());
  // The request was sent, and then the connection was lost. The server may have run it, so it is not sent again.
  EXPECT_THAT((*other)->Execute({.text = "b"}).error().message, StartsWith("Lost the connection to 127.0.0.1:"));
  EXPECT_TRUE((*other)->Execute({.text = "c"}).ok());
  EXPECT_EQ(closing.connections(), 2);
}

TEST(HttpSessionTest, CtrlCEndsTheWait) {
  const FakeServer server([](int number, const std::string&) { return number == 0 ? kNoSchema : ""; });
  auto session = OpenHttpSession(server.address());
  ASSERT_TRUE(session.ok());
  CatchInterrupts();
  const pthread_t here = ::pthread_self();
  std::thread keyboard([here] {
    for (int i = 0; i < 100 && !Interrupted(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      ::pthread_kill(here, SIGINT);
    }
  });
  const auto outcome = (*session)->Execute({.text = "SELECT 1"});
  keyboard.join();
  ClearInterrupt();
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().message, "Interrupted");
  EXPECT_EQ(outcome.error().hint, "the statement may still run on the server");
}

TEST(HttpSessionTest, AnswersThatAreNoneOfAWiderowServer) {
  for (const char* body :
       {"<html>", "[1]",
        R"({"keyspaces":[{"name":"a","tables":[{"name":"t","columns":[{"name":"c","type":"nope"}]}]}]})"}) {
    const FakeServer server([body](int, const std::string&) { return body; });
    EXPECT_FALSE(OpenHttpSession(server.address()).ok()) << body;
  }
  const FakeServer server([](int number, const std::string&) {
    return number == 0 ? kNoSchema
                       : R"({"columns":[{"name":"a","type":"int"},{"name":"b","type":"int"}],"rows":[[1]]})";
  });
  auto session = OpenHttpSession(server.address());
  ASSERT_TRUE(session.ok());
  EXPECT_THAT((*session)->Execute({.text = "x"}).error().message, HasSubstr("another width"));
}

TEST(HttpSessionTest, APortThatRequiresTlsLeadsToTheOption) {
  const FakeServer server([](int, const std::string&) {
    return R"({"error":{"code":8704,"message":"this port requires TLS","hint":"use https:// instead of http://"}})";
  });
  const auto session = OpenHttpSession(server.address());
  ASSERT_FALSE(session.ok());
  EXPECT_EQ(session.error().message, "this port requires TLS");
  EXPECT_THAT(session.error().hint, StartsWith("add --tls, "));
}

TEST(HttpSessionTest, AddressesOfEveryForm) {
  for (const char* wrong : {"", ":1", "host:", "host:port", "host:123456"}) {
    EXPECT_THAT(OpenHttpSession(wrong).error().message, HasSubstr("is not an address")) << wrong;
  }
  EXPECT_THAT(OpenHttpSession("https://localhost:8042").error().hint, HasSubstr("and --tls"));
  EXPECT_THAT(OpenHttpSession("[::1]:1").error().message, StartsWith("Cannot connect to [::1]:1: "));
}

}  // namespace
}  // namespace widerow
