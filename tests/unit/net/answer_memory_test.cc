// Some clients ask for much and read nothing. The answers to them must stay within the server's memory limits, also
// while the answers are being made. Other clients must be served.
#include <atomic>
#include <chrono>
#include <thread>

#include "net/memory_budget.h"
#include "tests/unit/net/http_test.h"
#include "tests/unit/net/native_test.h"

namespace widerow {
namespace {

using Steady = std::chrono::steady_clock;

constexpr size_t kTotal = 64u << 20, kOfConnection = 4u << 20;
constexpr int kRows = 10'000;
constexpr size_t kRowBytes = 1'000;

// Calls `look` every few milliseconds until `done` is set. Returns the greatest value that `look` has returned.
template <typename Look>
size_t MostUntil(const std::atomic<bool>& done, const Look& look) {
  size_t most = 0;
  while (!done.load()) {
    most = std::max<size_t>(most, look());
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return most;
}

class AnswerMemoryTest : public NativeTest {
 protected:
  void SetUp() override {
    NativeTest::SetUp();
    MakeRows(kRows, kRowBytes);
    Start({.port = 0, .connection_bytes_max = kOfConnection, .total_bytes_max = kTotal});
  }

  // Opens connections that ask for the whole table again and again and never read. Meanwhile runs `honest`, which acts
  // as another client. Returns the greatest number of bytes that the server held.
  template <typename Honest>
  size_t Attack(int connections, const ParametersText& parameters, const Honest& honest) {
    std::vector<std::unique_ptr<NativeClient>> greedy;
    for (int i = 0; i < connections; ++i) {
      greedy.push_back(Connect(i % 2 == 0 ? 4 : 5, i % 4 == 3 ? "lz4" : ""));
      for (int16_t stream = 0; stream < 100; ++stream)
        greedy.back()->Send(Opcode::kQuery, QueryBody("SELECT * FROM k.t", i % 2 == 0 ? 4 : 5, parameters), stream);
    }
    std::atomic<bool> done{false};
    size_t most = 0;
    std::thread watch([&] { most = MostUntil(done, [&] { return server_->held_bytes(); }); });
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    honest();
    done = true;
    watch.join();
    greedy.clear();
    EXPECT_TRUE(HoldsAtMost(0)) << server_->held_bytes();
    return most;
  }
  // Connects, reads the table in pages, and reads one row. Each request must succeed within five seconds.
  void ReadHonestly(uint8_t version) {
    const auto before = Steady::now();
    const auto client = Connect(version);
    size_t rows = 0;
    ParametersText parameters{.page_rows = 2'000};
    do {
      const NativeReply reply = client->Query("SELECT ck, v FROM k.t WHERE pk = 0", parameters);
      ASSERT_EQ(reply.result_kind(), 2) << reply.error_text();
      const NativeRows page = RowsOf(reply);
      rows += page.rows.size();
      parameters.paging_state = page.paging_state;
      EXPECT_EQ(client->Query("SELECT v FROM k.t WHERE pk = 0 AND ck = 7").result_kind(), 2);
    } while (!parameters.paging_state.empty());
    EXPECT_EQ(rows, size_t{kRows});
    EXPECT_LT(Steady::now() - before, std::chrono::seconds(5 * 10));
  }
};

TEST_F(AnswerMemoryTest, PagesOfClientsThatReadNothing) {
  const size_t most = Attack(6, {.page_rows = 100'000}, [&] {
    for (const uint8_t version : {4, 5}) ReadHonestly(version);
  });
  // Each of the seven connections may hold kOfConnection bytes. Each running request may also hold kStartBytes.
  EXPECT_LT(most, 7 * kOfConnection + 128 * AnswerMemory::kStartBytes);
}

TEST_F(AnswerMemoryTest, WholeAnswersOfClientsThatReadNothing) {
  const size_t most = Attack(6, {}, [&] { ReadHonestly(4); });
  EXPECT_LT(most, kTotal);
  // If no other client needs memory, one client may get the whole answer at once.
  const auto client = Connect();
  const NativeReply whole = client->Query("SELECT * FROM k.t");
  ASSERT_EQ(whole.result_kind(), 2) << whole.error_text();
  EXPECT_EQ(RowsOf(whole).rows.size(), size_t{kRows});
}

// A client sends many requests without waiting. Answers that do not fit into memory together are made one after
// another.
TEST_F(AnswerMemoryTest, PipelinedWholeAnswersOfAClientThatReads) {
  for (const uint8_t version : {4, 5}) {
    const auto client = Connect(version);
    constexpr int kRequests = 30;
    for (int16_t stream = 0; stream < kRequests; ++stream)
      client->Send(Opcode::kQuery, QueryBody("SELECT * FROM k.t", version), stream);
    for (int i = 0; i < kRequests; ++i) {
      const std::optional<NativeReply> reply = client->Read();
      ASSERT_TRUE(reply.has_value());
      ASSERT_EQ(reply->result_kind(), 2) << reply->error_text();
      EXPECT_EQ(RowsOf(*reply).rows.size(), size_t{kRows});
    }
  }
  EXPECT_TRUE(HoldsAtMost(0));
}

// A client that reads its answers gets every row, however many of its requests run at the same time.
TEST_F(AnswerMemoryTest, PipelinedPagesOfAClientThatReads) {
  for (const uint8_t version : {4, 5}) {
    const auto client = Connect(version);
    constexpr int kRequests = 40;
    ParametersText parameters{.page_rows = 100'000};
    for (int16_t stream = 0; stream < kRequests; ++stream)
      client->Send(Opcode::kQuery, QueryBody("SELECT pk, ck, v FROM k.t", version, parameters), stream);
    std::map<int16_t, size_t> rows;
    for (int open = kRequests; open > 0;) {
      const std::optional<NativeReply> reply = client->Read();
      ASSERT_TRUE(reply.has_value());
      ASSERT_EQ(reply->result_kind(), 2) << reply->error_text();
      const NativeRows page = RowsOf(*reply);
      rows[reply->header.stream] += page.rows.size();
      if (page.paging_state.empty()) {
        --open;
        continue;
      }
      parameters.paging_state = page.paging_state;
      client->Send(Opcode::kQuery, QueryBody("SELECT pk, ck, v FROM k.t", version, parameters), reply->header.stream);
    }
    for (const auto& [stream, count] : rows) EXPECT_EQ(count, size_t{kRows}) << stream;
  }
  EXPECT_TRUE(HoldsAtMost(0));
}

// The memory of an answer to a conditional write is counted, too. It is counted before the answer is made.
TEST_F(AnswerMemoryTest, ConditionalWritesOfClientsThatReadNothing) {
  Must("INSERT INTO t (pk, ck, v) VALUES (1, 1, '" + std::string(3u << 20, 'x') + "')");
  const auto greedy = Connect();
  const NativePrepared failing = greedy->Prepare("UPDATE k.t SET v = 'y' WHERE pk = 1 AND ck = 1 IF v = 'z'");
  constexpr int kRequests = 100;
  for (int16_t stream = 0; stream < kRequests; ++stream)
    greedy->Send(Opcode::kExecute, ExecuteBody(failing.id), stream);
  std::atomic<bool> done{false};
  size_t most = 0;
  std::thread watch([&] { most = MostUntil(done, [&] { return server_->held_bytes(); }); });
  std::this_thread::sleep_for(std::chrono::milliseconds(1'000));
  ReadHonestly(4);
  done = true;
  watch.join();
  EXPECT_LT(most, kTotal);
  int answered = 0, refused = 0;
  for (int i = 0; i < kRequests; ++i) {
    const std::optional<NativeReply> reply = greedy->Read();
    ASSERT_TRUE(reply.has_value());
    if (reply->is_error()) {
      EXPECT_EQ(reply->error_code(), kOverloaded);
      ++refused;
    } else {
      EXPECT_GT(reply->body.size(), 3u << 20);
      ++answered;
    }
  }
  EXPECT_GT(answered, 0);
  EXPECT_GT(refused, 0);
  EXPECT_EQ(Connect()->Ask(Opcode::kExecute, ExecuteBody(failing.id)).result_kind(), 2);
}

class HttpAnswerMemoryTest : public HttpTest {
 protected:
  void SetUp() override {
    HttpTest::SetUp();
    MakeMany(kRows, kRowBytes);
    Start({.port = 0, .connection_bytes_max = kOfConnection, .total_bytes_max = kTotal});
  }
  bool HoldsNothing() {
    for (int i = 0; i < 3'000 && server_->held_bytes() > 0; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return server_->held_bytes() == 0;
  }
};

TEST_F(HttpAnswerMemoryTest, AnswersOfClientsThatReadNothing) {
  std::vector<std::unique_ptr<HttpClient>> greedy;
  for (int i = 0; i < 120; ++i) {
    greedy.push_back(std::make_unique<HttpClient>(server_->port()));
    greedy.back()->Send(QueryRequestText(i % 2 == 0 ? R"({"query": "SELECT * FROM k.many", "page_size": 100000})"
                                                    : R"({"query": "SELECT * FROM k.many"})"));
  }
  std::atomic<bool> done{false};
  size_t most = 0;
  std::thread watch([&] { most = MostUntil(done, [&] { return server_->held_bytes(); }); });
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_EQ(HttpClient(server_->port()).Get("/healthz").status, 200);
  const HttpResponse all = Query(R"({"query": "SELECT ck FROM k.many"})", "text/csv");
  EXPECT_EQ(all.status, 200);
  EXPECT_EQ(std::count(all.body.begin(), all.body.end(), '\n'), kRows + 1);
  done = true;
  watch.join();
  EXPECT_LT(most, kTotal + 120 * AnswerMemory::kStartBytes);
  greedy.clear();
  EXPECT_TRUE(HoldsNothing()) << server_->held_bytes();
}

TEST_F(HttpAnswerMemoryTest, BodiesCountWhileTheyArrive) {
  const std::string body = R"({"query": ")" + std::string(20u << 20, ' ') + "SELECT 1\"}";
  const std::string head = "POST /v1/query HTTP/1.1\r\nHost: localhost\r\nContent-Length: ";
  std::vector<std::unique_ptr<HttpClient>> slow;
  for (int i = 0; i < 2; ++i) {
    slow.push_back(std::make_unique<HttpClient>(server_->port()));
    slow.back()->Send(head + std::to_string(body.size()) + "\r\n\r\n" + body.substr(0, 10u << 20));
  }
  for (int i = 0; i < 500 && server_->held_bytes() < (36u << 20); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  HttpClient another(server_->port());
  another.Send(head + std::to_string(body.size()) + "\r\n\r\n" + body.substr(0, 18u << 20));
  const HttpResponse refused = another.Read();
  EXPECT_EQ(refused.status, 503);
  EXPECT_THAT(refused.body, ::testing::HasSubstr("the server has no memory for a request of this size"));
  EXPECT_EQ(Query(R"({"query": "SELECT ck FROM k.many LIMIT 3"})").status, 200) << "a small one is answered";
  slow.clear();
  EXPECT_TRUE(HoldsNothing()) << server_->held_bytes();
}

}  // namespace
}  // namespace widerow
