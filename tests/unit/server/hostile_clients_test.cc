// Attacks on a running server: silent connections that use up the file descriptors, a full disk, and clients that never
// read their answers.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <sys/socket.h>

#include <chrono>
#include <thread>

#include "net/descriptors.h"
#include "net/protocol/frame.h"
#include "tests/unit/server/program.h"

namespace widerow {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// A connection from the address `from` of this machine. It sends nothing until Ask is called.
class Connection {
 public:
  Connection(const char* from, const std::string& port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    const timeval patience{.tv_sec = 20, .tv_usec = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    const sockaddr_in here = Address(from, 0), there = Address("127.0.0.1", static_cast<uint16_t>(std::stoi(port)));
    connected_ = ::bind(socket_, reinterpret_cast<const sockaddr*>(&here), sizeof here) == 0 &&
                 ::connect(socket_, reinterpret_cast<const sockaddr*>(&there), sizeof there) == 0;
  }
  Connection(Connection&& other) noexcept : socket_(std::exchange(other.socket_, -1)), connected_(other.connected_) {}
  ~Connection() {
    if (socket_ >= 0) ::close(socket_);
  }
  Connection& operator=(const Connection&) = delete;

  bool connected() const { return connected_; }
  void Send(ByteView bytes) {
    for (size_t sent = 0; sent < bytes.size();) {
      const ssize_t count = ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) break;
      sent += static_cast<size_t>(count);
    }
  }
  // Sends an HTTP request that asks the server to close the connection afterwards. Returns the answer.
  std::string Ask(const std::string& method, const std::string& target, const std::string& body = {}) {
    Send(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    std::string answer;
    char bytes[4'096];
    for (ssize_t count; (count = ::recv(socket_, bytes, sizeof bytes, 0)) > 0;)
      answer.append(bytes, static_cast<size_t>(count));
    return answer;
  }

 private:
  static sockaddr_in Address(const char* ip, uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    inet_pton(AF_INET, ip, &address.sin_addr);
    return address;
  }

  int socket_;
  bool connected_ = false;
};

class HostileClientsTest : public ServeTest {
 protected:
  static constexpr const char* kAttacker = "127.0.0.2";

  void Start(const Program::Limits& limits) {
    server_.emplace(ServeArguments(), ErrorFile("errors"), limits);
    const std::string ready = server_->ReadLine();
    ASSERT_THAT(ready, StartsWith("ready "));
    http_ = PortIn(ready);
    const size_t cql = ready.find("cql=127.0.0.1:") + 14;
    cql_ = ready.substr(cql, ready.find(' ', cql) - cql);
  }
  std::string Get(const std::string& target) const { return Connection("127.0.0.1", http_).Ask("GET", target); }
  std::string Query(const std::string& cql) const {
    return Connection("127.0.0.1", http_).Ask("POST", "/v1/query", R"({"query": ")" + cql + "\"}");
  }
  void MakeTable() const {
    EXPECT_THAT(Query("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}"),
                StartsWith("HTTP/1.1 200"));
    EXPECT_THAT(Query("CREATE TABLE k.t (id int PRIMARY KEY, v text)"), StartsWith("HTTP/1.1 200"));
  }
  // Inserts a row of 200 KB and returns the answer.
  std::string Insert(int id) const {
    return Query("INSERT INTO k.t (id, v) VALUES (" + std::to_string(id) + ", '" + std::string(200'000, 'x') + "')");
  }

  // Returns the greatest amount of memory that the server has used so far.
  size_t PeakBytes() const {
    std::ifstream status("/proc/" + std::to_string(server_->pid()) + "/status");
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with("VmHWM:")) return std::stoul(line.substr(6)) << 10;
    }
    return SIZE_MAX;
  }

  std::optional<Program> server_;
  std::string http_, cql_;
};

// One machine opens all the connections that it can get and sends nothing. Meanwhile the storage needs file descriptors
// for new files of the commit log, and other machines must be served.
TEST_F(HostileClientsTest, SilentConnectionsDoNotStopWrites) {
  rlimit own{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &own), 0);
  own.rlim_cur = own.rlim_max;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &own), 0);
  Start({.descriptors = 512});
  EXPECT_THAT(server_->Errors(), HasSubstr("the limit of open files is 512, so at most "));
  MakeTable();
  std::vector<Connection> silent;
  for (int i = 0; i < 700; ++i) silent.emplace_back(kAttacker, i % 2 == 0 ? cql_ : http_);
  for (int i = 0; i < 100; ++i) ASSERT_THAT(Insert(i), StartsWith("HTTP/1.1 200")) << i << server_->Errors();
  EXPECT_THAT(Get("/readyz"), StartsWith("HTTP/1.1 200"));
  Program shell({"shell", "127.0.0.1:" + http_, "-e", "SELECT count(*) FROM k.t"}, ErrorFile("shell"));
  EXPECT_THAT(shell.ReadAll(), HasSubstr("100"));
  EXPECT_EQ(shell.Wait(), 0) << shell.Errors();
}

// The program may not write beyond RLIMIT_FSIZE. For the program this is like a full disk.
TEST_F(HostileClientsTest, AServerWithoutRoomIsNotReady) {
  Start({.file_bytes = 1u << 20});
  MakeTable();
  EXPECT_THAT(Get("/readyz"), StartsWith("HTTP/1.1 200"));
  std::string answer;
  for (int i = 0; i < 100 && (answer = Insert(i)).starts_with("HTTP/1.1 200"); ++i) {}
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 500"));
  const std::string not_ready = Get("/readyz");
  EXPECT_THAT(not_ready, StartsWith("HTTP/1.1 503"));
  EXPECT_THAT(not_ready, HasSubstr("\r\n\r\nwrites are refused: free space on the disk"));
  EXPECT_THAT(Get("/healthz"), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(Query("SELECT id FROM k.t WHERE id = 0"), HasSubstr("[[0]]"));
  // When the server stops, data.mdb cannot take the rows that the log has. The exit status says so.
  server_->Signal(SIGTERM);
  EXPECT_EQ(server_->Wait(), 1);
  EXPECT_THAT(server_->Errors(), HasSubstr("closing the data directory failed: "));
}

// Returns a frame of version 4 of the native protocol.
Bytes NativeFrame(Opcode opcode, int16_t stream, const Bytes& body) {
  Bytes frame;
  AppendFrameHeader(frame, {.version = 4,
                            .stream = stream,
                            .opcode = static_cast<uint8_t>(opcode),
                            .body_bytes = static_cast<uint32_t>(body.size())});
  return frame + body;
}

// Clients ask for the whole table many times at once, and read nothing.
TEST_F(HostileClientsTest, AnswersThatNobodyReadsTakeBoundedMemory) {
  Start({});
  MakeTable();
  for (int i = 0; i < 100; ++i) ASSERT_THAT(Insert(i), StartsWith("HTTP/1.1 200")) << i;
  const std::string startup(
      "\0\1\0\13CQL_VERSION\0\5"
      "3.0.0",
      22),
      cql = "SELECT * FROM k.t";
  Bytes body;
  AppendBigEndian(body, static_cast<uint32_t>(cql.size()));
  body += cql + Bytes("\0\1\4", 3);  // Consistency ONE, and the flag for a page size.
  AppendBigEndian(body, uint32_t{100'000});
  std::vector<Connection> greedy;
  for (int i = 0; i < 3; ++i) {
    greedy.emplace_back(kAttacker, cql_);
    greedy.back().Send(NativeFrame(Opcode::kStartup, 0, startup));
    for (int16_t stream = 0; stream < 100; ++stream) greedy.back().Send(NativeFrame(Opcode::kQuery, stream, body));
  }
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  for (int i = 0; std::chrono::steady_clock::now() < end; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_THAT(Query("SELECT id FROM k.t WHERE id = " + std::to_string(i % 100)), HasSubstr("[["));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  }
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  // Each of the three connections may take 64 MiB. Together with a row of 200 KB for each running request, and with
  // what the server needs in any case, that is less than 512 MiB.
  EXPECT_LT(PeakBytes(), 512u << 20);
#endif
}

TEST(DescriptorsTest, CapsLeaveRoomForFiles) {
  const ConnectionCaps most;
  for (const unsigned io_threads : {1u, 2u, 64u, 256u}) {
    for (const int servers : {2, 3, 4}) {
      const ServersOfProcess all{.io_threads = io_threads, .hbase = servers > 2, .thrift = servers > 3};
      if (servers == 2 || io_threads <= 2) {
        const ConnectionCaps enough = CapsFor(kDescriptorsEnough, all);
        EXPECT_EQ(enough.native, most.native);
        EXPECT_EQ(enough.http, most.http);
        EXPECT_EQ(enough.hbase, all.hbase ? most.hbase : 0);
        EXPECT_EQ(enough.thrift, all.thrift ? most.thrift : 0);
      }
      for (const uint64_t descriptors : {64u, 256u, 512u, 1'024u, 4'096u, 1u << 30}) {
        const ConnectionCaps caps = CapsFor(descriptors, all);
        EXPECT_GT(caps.native, 0u);
        EXPECT_GT(caps.http, 0u);
        EXPECT_EQ(caps.hbase > 0, all.hbase);
        EXPECT_EQ(caps.thrift > 0, all.thrift);
        const size_t together = caps.native + caps.http + caps.hbase + caps.thrift;
        EXPECT_LE(together, descriptors / 10 * 9) << descriptors;
        if (descriptors == 1'024) { EXPECT_LE(together, 1'024u - 384); }
      }
    }
  }
}

}  // namespace
}  // namespace widerow
