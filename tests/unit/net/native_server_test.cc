#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "tests/unit/net/native_test.h"

namespace widerow {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST_F(NativeTest, HandshakeOfEachVersionAndCompression) {
  for (const uint8_t version : {3, 4, 5}) {
    for (const char* compression : {"", "lz4", "snappy"}) {
      NativeClient client(port(), version);
      EXPECT_EQ(client.Ask(Opcode::kOptions, {}).opcode(), Opcode::kSupported);
      const NativeReply ready = client.Startup(compression);
      if (version == 5 && std::string(compression) == "snappy") {
        EXPECT_THAT(ready.error_text(), StartsWith("Snappy compression is not supported in protocol V5"));
        continue;
      }
      ASSERT_EQ(ready.opcode(), Opcode::kReady) << ready.error_text();
      EXPECT_EQ(ready.header.version, version);
      EXPECT_EQ(client.Ask(Opcode::kOptions, {}).opcode(), Opcode::kSupported);
      EXPECT_EQ(client.Query("SELECT v FROM k.t WHERE pk = 1").result_kind(), 2);
      const std::string text(5'000, 'z');
      EXPECT_EQ(client.Query("INSERT INTO k.t (pk, ck, v) VALUES (7, 7, '" + text + "')").result_kind(), 1);
      const NativeRows rows = RowsOf(client.Query("SELECT v FROM k.t WHERE pk = 7"));
      ASSERT_EQ(rows.rows.size(), 1u);
      EXPECT_EQ(rows.rows[0][0], text);
      EXPECT_THAT(client.Ask(Opcode::kStartup, StartupBody()).error_text(),
                  StartsWith("Unexpected message STARTUP, the connection is already initialized"));
    }
  }
}

TEST_F(NativeTest, EveryKindOfResult) {
  for (const uint8_t version : {3, 4, 5}) {
    auto client = Connect(version);
    const std::string table = "k.kinds" + std::to_string(version);
    const NativeReply created = client->Query("CREATE TABLE " + table + " (a int PRIMARY KEY, b int)");
    EXPECT_EQ(created.result_kind(), 5);
    EXPECT_THAT(created.body, HasSubstr("CREATED"));
    EXPECT_EQ(client->Query("USE k").body, Bytes("\0\0\0\3\0\1k", 7));
    EXPECT_EQ(client->Query("INSERT INTO kinds" + std::to_string(version) + " (a, b) VALUES (1, 2)").result_kind(), 1);
    const NativeRows rows = RowsOf(client->Query("SELECT a, b FROM " + table));
    EXPECT_THAT(rows.names, ElementsAre("a", "b"));
    EXPECT_EQ(rows.flags, 1);
    const NativeRows bare = RowsOf(client->Query("SELECT a, b FROM " + table, {.skip_metadata = true}));
    EXPECT_EQ(bare.flags, 4);
    EXPECT_EQ(bare.column_count, 2);
    const NativePrepared prepared = client->Prepare("SELECT b FROM " + table + " WHERE a = ?");
    EXPECT_EQ(prepared.id.size(), 16u);
    EXPECT_EQ(prepared.metadata_id.size(), version == 5 ? 16u : 0u);
    EXPECT_EQ(client->Query("CREATE TABLE " + table + " (a int PRIMARY KEY)").error_code(), kAlreadyExists);
    EXPECT_EQ(client->Query("CREATE TABLE IF NOT EXISTS " + table + " (a int PRIMARY KEY)").result_kind(), 1);
    const NativeReply syntax = client->Query("SELEC");
    EXPECT_EQ(syntax.error_code(), kSyntax);
    EXPECT_THAT(syntax.error_text(), StartsWith("line 1:0 "));
    EXPECT_EQ(client->Query("SELECT * FROM k.nosuch").error_code(), kInvalid);
    EXPECT_EQ(client->Query("USE nosuch").error_code(), kInvalid);
    EXPECT_EQ(
        client->Ask(Opcode::kQuery, QueryBody("SELECT a FROM kinds" + std::to_string(version), version)).result_kind(),
        2)
        << "a USE that failed changes nothing";
  }
}

TEST_F(NativeTest, ValuesByPlaceByNameNullUnsetAndTimestamps) {
  for (const uint8_t version : {4, 5}) {
    auto client = Connect(version);
    const NativePrepared insert = client->Prepare("INSERT INTO k.t (pk, ck, v) VALUES (?, ?, ?)");
    const auto execute = [&](const ParametersText& parameters) {
      return client->Ask(Opcode::kExecute, ExecuteBody(insert.id, version, parameters, insert.metadata_id));
    };
    const auto value = [&] {
      const NativeRows rows = RowsOf(client->Query("SELECT v FROM k.t WHERE pk = 1 AND ck = 1"));
      return rows.rows.empty() ? "no row" : rows.rows[0][0].value_or("null");
    };
    const auto with = [](Bytes v, int64_t timestamp) {
      return ParametersText{.values = {IntValue(1), IntValue(1), std::move(v)}, .timestamp = timestamp, .serial = true};
    };
    const int64_t base = version * 1'000;
    EXPECT_EQ(execute(with(SizedValue("one"), base + 100)).result_kind(), 1);
    EXPECT_EQ(execute(with(SizedValue("older"), base + 50)).result_kind(), 1);
    EXPECT_EQ(value(), "one") << "default timestamps decide";
    EXPECT_EQ(execute(with(kUnsetValue, base + 200)).result_kind(), 1);
    EXPECT_EQ(value(), "one") << "unset leaves it";
    EXPECT_EQ(execute(with(kNullValue, base + 300)).result_kind(), 1);
    EXPECT_EQ(value(), "null");
    EXPECT_EQ(client
                  ->Query("INSERT INTO k.t (pk, ck, v) VALUES (:p, :c, :v)",
                          {.values = {SizedValue("named"), IntValue(1), IntValue(1)},
                           .names = {"v", "c", "p"},
                           .timestamp = base + 400})
                  .result_kind(),
              1);
    EXPECT_EQ(value(), "named");
    EXPECT_EQ(execute({.values = {IntValue(1)}}).error_code(), kInvalid) << "too few";
  }
}

TEST_F(NativeTest, PagingAndTamperedPagingState) {
  MakeRows(1'000, 10);
  for (const uint8_t version : {3, 4, 5}) {
    auto client = Connect(version, "lz4");
    const NativePrepared select = client->Prepare("SELECT ck FROM k.t WHERE pk = ?");
    const auto page = [&](const Bytes& state) {
      return client->Ask(
          Opcode::kExecute,
          ExecuteBody(select.id, version,
                      {.values = {IntValue(0)}, .skip_metadata = true, .page_rows = 64, .paging_state = state},
                      select.metadata_id));
    };
    std::set<Value> seen;
    Bytes state;
    int pages = 0;
    do {
      const NativeRows rows = RowsOf(page(state));
      EXPECT_TRUE(rows.names.empty());
      for (const auto& row : rows.rows) seen.insert(row[0]);
      state = rows.paging_state;
      ++pages;
    } while (!state.empty() && pages < 100);
    EXPECT_EQ(seen.size(), 1'000u);
    EXPECT_EQ(pages, 16);

    const Bytes good = RowsOf(page({})).paging_state;
    for (size_t at = 0; at < good.size(); ++at) {
      Bytes bad = good;
      bad[at] = static_cast<char>(bad[at] ^ 0x41);
      const NativeReply reply = page(bad);
      EXPECT_TRUE(reply.is_error()) << at;
      EXPECT_THAT(reply.error_text(), HasSubstr("paging state"));
    }
    EXPECT_TRUE(client->Query("SELECT v FROM k.t WHERE pk = 1", {.page_rows = 5, .paging_state = good}).is_error())
        << "a paging state belongs to its statement";
  }
}

TEST_F(NativeTest, PagesOfGroupsEndByTheirBytes) {
  MakeRows(1, 1);
  auto client = Connect(4);
  const Bytes megabyte(1u << 20, 'x');
  for (int32_t ck = 0; ck < 20; ++ck) {
    EXPECT_FALSE(
        client->Query("INSERT INTO k.t (pk, ck, v) VALUES (7, ?, ?)", {.values = {IntValue(ck), SizedValue(megabyte)}})
            .is_error());
  }
  std::vector<Value> seen;
  Bytes state;
  int pages = 0;
  do {
    const NativeRows rows = RowsOf(client->Query("SELECT ck, v FROM k.t WHERE pk = 7 GROUP BY pk, ck",
                                                 {.page_rows = 5'000, .paging_state = state}));
    for (const auto& row : rows.rows) seen.push_back(row[0]);
    state = rows.paging_state;
    ++pages;
  } while (!state.empty() && pages < 100);
  ASSERT_EQ(seen.size(), 20u);
  EXPECT_TRUE(std::adjacent_find(seen.begin(), seen.end()) == seen.end());
  EXPECT_EQ(pages, 2) << "a page has 16 MiB";
}

TEST_F(NativeTest, Batches) {
  for (const uint8_t version : {3, 4, 5}) {
    auto client = Connect(version, version == 4 ? "snappy" : "");
    const NativePrepared insert = client->Prepare("INSERT INTO k.t (pk, ck, v) VALUES (?, ?, 'batch')");
    const int pk = 100 + version;
    const Bytes body = BatchBody(0,
                                 {{.id = insert.id, .values = {IntValue(pk), IntValue(1)}},
                                  {.cql = "INSERT INTO k.t (pk, ck, v) VALUES (" + std::to_string(pk) + ", 2, 'text')"},
                                  {.cql = "DELETE FROM k.t WHERE pk = ? AND ck = 3", .values = {IntValue(pk)}}},
                                 version);
    EXPECT_EQ(client->Ask(Opcode::kBatch, body).result_kind(), 1);
    EXPECT_EQ(RowsOf(client->Query("SELECT v FROM k.t WHERE pk = " + std::to_string(pk))).rows.size(), 2u);
    EXPECT_EQ(client->Ask(Opcode::kBatch, BatchBody(0, {}, version)).result_kind(), 1);
    EXPECT_EQ(client->Ask(Opcode::kBatch, BatchBody(0, {{.cql = "SELECT * FROM k.t"}}, version)).error_text(),
              "Invalid statement in batch: only UPDATE, INSERT and DELETE statements are allowed.");
    EXPECT_EQ(
        client->Ask(Opcode::kBatch, BatchBody(2, {{.id = insert.id, .values = {IntValue(1), IntValue(1)}}}, version))
            .error_code(),
        kInvalid)
        << "a counter batch holds no other statements";
    EXPECT_EQ(client->Ask(Opcode::kBatch, BatchBody(0, {{.cql = "INSER"}}, version)).error_code(), kSyntax);
  }
}

// Statements that differ only in their constants have one shape and are planned once (docs/internals/unprepared.md).
// With tracing, each statement of a batch is planned. A batch must give the same answers with and without tracing.
TEST_F(NativeTest, TextsOfABatchByTheirShape) {
  auto client = Connect(4);
  const auto insert = [](const std::string& values) { return "INSERT INTO k.t (pk, ck, v) VALUES (" + values + ")"; };
  const std::vector<std::vector<BatchEntryText>> batches = {
      {{.cql = insert("500, 1, 'a'")}, {.cql = insert("500, 2, 'b'")}},
      {{.cql = insert("500, 3, 'it''s'")},
       {.cql = insert("501, -4, ''")},
       {.cql = "DELETE FROM k.t WHERE pk = 500 AND ck = 1"}},
      {{.cql = "DELETE FROM k.t WHERE pk = 500 AND ck = 2"}, {.cql = insert("502, 1, 'c'")}},
      {{.cql = "UPDATE k.t SET v = ? WHERE pk = 503 AND ck = 1", .values = {"d"}}},
      {{.cql = "UPDATE k.t SET v = ? WHERE pk = 503 AND ck = 1", .values = {"e"}}},
      {{.cql = insert("504, 1, 'f'")}, {.cql = insert("504, 'x', 'f'")}},
      {{.cql = insert("505, 1, 'f'") + " USING TTL 100"},
       {.cql = insert("505, 2, 'f'") + " USING TTL -100"},
       {.cql = "INSER"}},
      {{.cql = insert("506, 1, 'f'"), .values = {"one too many"}}},
      {{.cql = insert("99999999999, 1, 'g'")}},
      {{.cql = insert("null, 1, 'g'")}},
      {{.cql = "SELECT * FROM k.t WHERE pk = 500"}},
      {{.cql = "SELECT * FROM k.t WHERE pk = 501"}},
      {{.cql = insert("507, 1, 'h'")}, {.cql = insert("507, 1, 'i'")}}};
  const auto ask = [&](uint8_t flags) {
    Must("TRUNCATE k.t");
    std::vector<std::string> answers;
    for (const auto& batch : batches) {
      const NativeReply reply = client->Ask(Opcode::kBatch, BatchBody(0, batch, 4), flags);
      answers.push_back(reply.is_error() ? reply.error_text() : "done");
    }
    for (const auto& row : RowsOf(client->Query("SELECT pk, ck, v FROM k.t")).rows) {
      for (const auto& value : row) answers.push_back(value.value_or("null"));
    }
    return answers;
  };
  const auto planned = ask(FrameFlags::kTracing);
  EXPECT_EQ(ask(0), planned);
  EXPECT_EQ(ask(0), planned);
}

TEST_F(NativeTest, KeyspaceOfConnectionAndOfRequest) {
  Must("CREATE KEYSPACE other WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
  Must("CREATE TABLE other.mine (a int PRIMARY KEY)");
  auto client = Connect(5), second = Connect(5);
  EXPECT_THAT(client->Query("SELECT * FROM t").error_text(), StartsWith("No keyspace has been specified"));
  client->Query("USE k");
  EXPECT_EQ(client->Query("SELECT * FROM t").result_kind(), 2);
  EXPECT_THAT(second->Query("SELECT * FROM t").error_text(), StartsWith("No keyspace has been specified"));
  EXPECT_EQ(client->Query("SELECT * FROM mine", {.keyspace = "other"}).result_kind(), 2);
  EXPECT_EQ(client->Ask(Opcode::kPrepare, PrepareBody("SELECT * FROM mine", 5, "other")).result_kind(), 4);
  EXPECT_EQ(
      client->Ask(Opcode::kBatch, BatchBody(0, {{.cql = "INSERT INTO mine (a) VALUES (1)"}}, 5, {.keyspace = "other"}))
          .result_kind(),
      1);
  EXPECT_EQ(RowsOf(client->Query("SELECT * FROM mine", {.keyspace = "other"})).rows.size(), 1u);
}

TEST_F(NativeTest, NowInSecondsOfARequest) {
  auto client = Connect(5);
  const auto later = static_cast<int32_t>(time(nullptr) + 1'000);
  EXPECT_EQ(client->Query("INSERT INTO k.t (pk, ck, v) VALUES (9, 9, 'short') USING TTL 10", {.now_seconds = later})
                .result_kind(),
            1);
  EXPECT_EQ(RowsOf(client->Query("SELECT v FROM k.t WHERE pk = 9", {.now_seconds = later + 5})).rows.size(), 1u);
  EXPECT_EQ(RowsOf(client->Query("SELECT v FROM k.t WHERE pk = 9", {.now_seconds = later + 11})).rows.size(), 0u);
}

TEST_F(NativeTest, TracingAndCustomPayload) {
  for (const uint8_t version : {4, 5}) {
    auto client = Connect(version);
    const NativeReply traced =
        client->Ask(Opcode::kQuery, QueryBody("SELECT * FROM k.t", version), FrameFlags::kTracing);
    EXPECT_EQ(traced.result_kind(), 2);
    EXPECT_EQ(traced.trace_id.size(), 16u);
    const NativeRows session =
        RowsOf(client->Query("SELECT session_id FROM system_traces.sessions WHERE session_id = ?",
                             {.values = {SizedValue(traced.trace_id)}}));
    EXPECT_EQ(session.rows.size(), 1u);
    Bytes payload;
    AppendBigEndian(payload, uint16_t{1});
    AppendString(payload, "key");
    AppendSizedBytes(payload, "anything");
    EXPECT_EQ(client->Ask(Opcode::kQuery, payload + QueryBody("SELECT * FROM k.t", version), FrameFlags::kCustomPayload)
                  .result_kind(),
              2);
  }
  EXPECT_EQ(Connect(3)->Ask(Opcode::kQuery, QueryBody("SELECT * FROM k.t", 3), FrameFlags::kCustomPayload).error_text(),
            "Received frame with CUSTOM_PAYLOAD flag for native protocol version < 4");
}

TEST_F(NativeTest, SchemaChangesArePushedToThoseWhoAsked) {
  for (const uint8_t version : {3, 4, 5}) {
    auto listener = Connect(version), silent = Connect(version);
    EXPECT_EQ(listener->Ask(Opcode::kRegister, RegisterBody({"SCHEMA_CHANGE", "STATUS_CHANGE"})).opcode(),
              Opcode::kReady);
    EXPECT_EQ(silent->Ask(Opcode::kRegister, RegisterBody({"TOPOLOGY_CHANGE"})).opcode(), Opcode::kReady);
    EXPECT_EQ(silent->Ask(Opcode::kRegister, RegisterBody({"FOO"})).error_text(), "Invalid value 'FOO' for Type");
    Must("CREATE TABLE pushed" + std::to_string(version) + " (a int PRIMARY KEY)");
    const std::optional<NativeReply> event = listener->Read();
    ASSERT_TRUE(event.has_value());
    EXPECT_EQ(event->opcode(), Opcode::kEvent);
    EXPECT_EQ(event->header.stream, -1);
    EXPECT_THAT(event->body, HasSubstr("SCHEMA_CHANGE"));
    EXPECT_THAT(event->body, HasSubstr("pushed" + std::to_string(version)));
    EXPECT_FALSE(silent->Read(50).has_value());
  }
}

// A slow request and quick requests are sent on one connection. The quick ones are answered first.
TEST_F(NativeTest, AnswersComeOutOfOrderConcurrency) {
  MakeRows(20'000, 200);
  for (const uint8_t version : {4, 5}) {
    auto client = Connect(version);
    bool overtaken = false;
    // On a busy machine, the quick requests may be started too late. So the test tries again.
    for (int round = 0; round < 50 && !overtaken; ++round) {
      client->Send(Opcode::kQuery, QueryBody("SELECT count(*) FROM k.t WHERE v = 'none' ALLOW FILTERING", version), 1);
      for (int16_t stream = 2; stream < 10; ++stream) {
        client->Send(Opcode::kQuery, QueryBody("SELECT v FROM k.t WHERE pk = 1 AND ck = 1", version), stream);
      }
      std::vector<int> order;
      for (int i = 0; i < 9; ++i) order.push_back(client->Read()->header.stream);
      EXPECT_EQ(std::set<int>(order.begin(), order.end()).size(), 9u);
      overtaken = order.front() != 1;
    }
    EXPECT_TRUE(overtaken);
  }
}

TEST_F(NativeTest, ManyClientsPipelineConcurrency) {
  constexpr int kClients = 8, kRequests = 400;
  std::vector<std::thread> threads;
  for (int id = 0; id < kClients; ++id) {
    threads.emplace_back([this, id] {
      const auto version = static_cast<uint8_t>(3 + id % 3);
      auto client = Connect(version, id % 2 == 0 ? "lz4" : "");
      const NativePrepared insert = client->Prepare("INSERT INTO k.t (pk, ck, v) VALUES (?, ?, ?)");
      for (int16_t i = 0; i < kRequests; ++i) {
        client->Send(Opcode::kExecute,
                     ExecuteBody(insert.id, version, {.values = {IntValue(1'000 + id), IntValue(i), SizedValue("v")}},
                                 insert.metadata_id),
                     i);
      }
      std::set<int> streams;
      for (int i = 0; i < kRequests; ++i) {
        const std::optional<NativeReply> reply = client->Read();
        ASSERT_TRUE(reply.has_value());
        EXPECT_EQ(reply->result_kind(), 1) << reply->error_text();
        streams.insert(reply->header.stream);
      }
      EXPECT_EQ(streams.size(), size_t{kRequests});
      EXPECT_EQ(RowsOf(client->Query("SELECT ck FROM k.t WHERE pk = " + std::to_string(1'000 + id))).rows.size(),
                size_t{kRequests});
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(HoldsAtMost(0)) << server_->held_bytes();
}

// When the server stops, it still answers running requests. Clients that close their connections while requests run do
// no harm.
TEST_F(NativeTest, StopAndHangUpWhileRequestsRunConcurrency) {
  MakeRows(5'000, 100);
  for (int round = 0; round < 5; ++round) {
    std::vector<std::unique_ptr<NativeClient>> clients;
    for (int i = 0; i < 6; ++i) {
      clients.push_back(Connect(static_cast<uint8_t>(3 + i % 3)));
      for (int16_t stream = 0; stream < 5; ++stream) {
        clients.back()->Send(Opcode::kQuery, QueryBody("SELECT * FROM k.t", static_cast<uint8_t>(3 + i % 3)), stream);
      }
    }
    clients.resize(3);  // The other clients close their connections.
    std::thread reader([&] {
      for (auto& client : clients) client->WaitForClose(20'000);
    });
    Start({.port = 0});
    reader.join();
  }
  ExpectOthersUnaffected();
}

}  // namespace
}  // namespace widerow
