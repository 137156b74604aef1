// A *quick* request runs on the thread of its connection, because handing it over to a worker costs more than running
// it. These tests check which requests are quick.
#include <future>

#include "net/native/run_request.h"
#include "tests/unit/net/native_messages.h"
#include "tests/unit/net/native_test.h"

namespace widerow {
namespace {

class QuickRequests : public NativeTest {
 protected:
  void SetUp() override {
    NativeTest::SetUp();
    MakeRows(20, 10);
  }
  // Runs the statement. Returns the number of rows if the request is quick, and otherwise nullopt.
  std::optional<size_t> Rows(const std::string& cql, const ParametersText& parameters) {
    const auto statement = engine_->Prepare(cql, "k");
    EXPECT_TRUE(statement.ok()) << statement.error().message;
    if (!statement.ok()) return std::nullopt;
    NativeRequest request{.opcode = Opcode::kExecute,
                          .to = {.version = 4, .stream = 1},
                          .keyspace = "k",
                          .body = ExecuteBody((*statement)->id, 4, parameters)};
    NativeAnswer answer;
    if (RunIfQuick(
            *engine_, request, nullptr, [] { return nullptr; }, answer) != QuickRun::kDone)
      return std::nullopt;
    const NativeRequest again{.opcode = Opcode::kExecute,
                              .to = {.version = 4, .stream = 1},
                              .keyspace = "k",
                              .body = ExecuteBody((*statement)->id, 4, parameters)};
    // A worker gives the same answer.
    EXPECT_EQ(answer.frame, RunRequest(*engine_, again, nullptr, 1 << 20).frame);
    return RowsOf(Connect()->Ask(Opcode::kExecute, ExecuteBody((*statement)->id, 4, parameters))).rows.size();
  }
};

TEST_F(QuickRequests, OneRow) {
  EXPECT_EQ(Rows("SELECT v FROM t WHERE pk = ? AND ck = ?", {.values = {IntValue(0), IntValue(3)}}), 1u);
}

TEST_F(QuickRequests, APageOfAPartition) {
  const std::string cql = "SELECT v FROM t WHERE pk = ?";
  EXPECT_EQ(Rows(cql, {.values = {IntValue(0)}, .page_rows = 5'000}), 20u);
  EXPECT_EQ(Rows(cql, {.values = {IntValue(0)}, .page_rows = 5'001}), std::nullopt);
  EXPECT_EQ(Rows(cql, {.values = {IntValue(0)}}), std::nullopt);
  EXPECT_EQ(Rows("SELECT v FROM t", {.page_rows = 10}), std::nullopt);
}

TEST_F(QuickRequests, ALimitWithoutPages) {
  EXPECT_EQ(Rows("SELECT v FROM t WHERE pk = ? AND ck < ? LIMIT 7", {.values = {IntValue(0), IntValue(15)}}), 7u);
  EXPECT_EQ(Rows("SELECT v FROM t WHERE pk = ? LIMIT 500", {.values = {IntValue(0)}}), 20u);
  EXPECT_EQ(Rows("SELECT v FROM t WHERE pk = ? LIMIT 501", {.values = {IntValue(0)}}), std::nullopt);

  const std::string bound = "SELECT v FROM t WHERE pk = ? LIMIT ?";
  EXPECT_EQ(Rows(bound, {.values = {IntValue(0), IntValue(4)}}), 4u);
  EXPECT_EQ(Rows(bound, {.values = {IntValue(0), IntValue(501)}}), std::nullopt);
  EXPECT_EQ(Rows(bound, {.values = {IntValue(0), IntValue(-1)}}), std::nullopt);
  EXPECT_EQ(Rows(bound, {.values = {IntValue(0), kUnsetValue}}), std::nullopt);
  EXPECT_EQ(Rows(bound, {.values = {IntValue(0)}}), std::nullopt);
}

TEST_F(QuickRequests, LargeRowsAreReadByWorkers) {
  Must("INSERT INTO t (pk, ck, v) VALUES (5, 1, '" + std::string(2'000'000, 'x') + "')");
  Must("INSERT INTO t (pk, ck, v) VALUES (6, 1, '" + std::string(500'000, 'x') + "')");
  for (const std::string cql : {"SELECT v FROM t WHERE pk = ? AND ck = 1", "SELECT v FROM t WHERE pk = ? LIMIT 5",
                                "SELECT ck, toJson(v) FROM t WHERE pk = ? AND ck = 1"}) {
    EXPECT_EQ(Rows(cql, {.values = {IntValue(5)}}), std::nullopt) << cql;
    EXPECT_EQ(Rows(cql, {.values = {IntValue(6)}}), 1u) << cql;
  }
}

// Receives one answer. A thread of the storage makes the answer and calls CompleteSubmitted.
class Waiting : public AnswerSink {
 public:
  void CompleteSubmitted(NativeAnswer answer) override { answer_.set_value(std::move(answer)); }
  NativeAnswer Wait() { return answer_.get_future().get(); }

 private:
  std::promise<NativeAnswer> answer_;
};

TEST_F(QuickRequests, WritesAreSubmitted) {
  NativeAnswer answer;
  const auto run = [&](const std::string& cql, const ParametersText& parameters,
                       const std::shared_ptr<AnswerSink>& sink) {
    const auto statement = engine_->Prepare(cql, "k");
    NativeRequest request{.opcode = Opcode::kExecute,
                          .to = {.version = 4, .stream = 1},
                          .keyspace = "k",
                          .body = ExecuteBody((*statement)->id, 4, parameters)};
    return RunIfQuick(
        *engine_, request, nullptr, [&] { return sink; }, answer);
  };
  const ParametersText row{.values = {IntValue(77), IntValue(1), SizedValue("new")}};
  const auto written = std::make_shared<Waiting>();
  EXPECT_EQ(run("INSERT INTO t (pk, ck, v) VALUES (?, ?, ?)", row, written), QuickRun::kSubmitted);
  EXPECT_EQ(static_cast<Opcode>(written->Wait().frame[4]), Opcode::kResult);
  EXPECT_EQ(Rows("SELECT v FROM t WHERE pk = ? AND ck = ?", {.values = {IntValue(77), IntValue(1)}}), 1u);

  // A write that is refused needs no thread of the storage, so it is answered at once.
  EXPECT_EQ(run("DELETE FROM t WHERE pk = ? AND ck = ?", {.values = {IntValue(77), kUnsetValue}}, nullptr),
            QuickRun::kDone);
  EXPECT_EQ(static_cast<Opcode>(answer.frame[4]), Opcode::kError);
  EXPECT_EQ(run("TRUNCATE t", {}, nullptr), QuickRun::kNo);
}

TEST_F(QuickRequests, TextsWhoseLikeHasBeenPlanned) {
  const auto run = [&](const std::string& cql, const std::shared_ptr<AnswerSink>& sink, NativeAnswer& answer) {
    NativeRequest request{
        .opcode = Opcode::kQuery, .to = {.version = 4, .stream = 1}, .keyspace = "k", .body = QueryBody(cql, 4)};
    return RunIfQuick(
        *engine_, request, nullptr, [&] { return sink; }, answer);
  };
  NativeAnswer answer;
  EXPECT_EQ(run("INSERT INTO t (pk, ck, v) VALUES (88, 1, 'a')", nullptr, answer), QuickRun::kNo)
      << "the first of its shape";
  ASSERT_TRUE(engine_->Execute("INSERT INTO t (pk, ck, v) VALUES (88, 1, 'a')", {.keyspace = "k"}).ok());
  const auto written = std::make_shared<Waiting>();
  EXPECT_EQ(run("INSERT INTO t (pk, ck, v) VALUES (88, 2, 'b')", written, answer), QuickRun::kSubmitted);
  EXPECT_EQ(static_cast<Opcode>(written->Wait().frame[4]), Opcode::kResult);

  EXPECT_EQ(run("SELECT v FROM t WHERE pk = 88 AND ck = 1", nullptr, answer), QuickRun::kNo);
  ASSERT_TRUE(engine_->Execute("SELECT v FROM t WHERE pk = 88 AND ck = 1", {.keyspace = "k"}).ok());
  ASSERT_EQ(run("SELECT v FROM t WHERE pk = 88 AND ck = 2", nullptr, answer), QuickRun::kDone);
  const NativeRequest again{.opcode = Opcode::kQuery,
                            .to = {.version = 4, .stream = 1},
                            .keyspace = "k",
                            .body = QueryBody("SELECT v FROM t WHERE pk = 88 AND ck = 2", 4)};
  EXPECT_EQ(answer.frame, RunRequest(*engine_, again, nullptr, 1 << 20).frame);
  EXPECT_NE(answer.frame.find('b', 9), Bytes::npos) << "the row that was submitted";

  // The error must point into the text of the statement. So the text is parsed and planned, which is not quick.
  EXPECT_EQ(run("INSERT INTO t (pk, ck, v) VALUES (88, 99999999999, 'b')", written, answer), QuickRun::kNo);
  EXPECT_EQ(run("INSERT INTO t (pk, ck, v) VALUES (88, 3, 'c') IF NOT EXISTS", written, answer), QuickRun::kNo);
  EXPECT_EQ(run("SELEKT", nullptr, answer), QuickRun::kNo);
}

// A SELECT that passes many deleted rows is stopped on the thread of its connection. A worker runs it again.
TEST_F(QuickRequests, NotWhatPassesManyDeadRows) {
  const auto remove = [&](int pk, int rows) {
    for (int ck = 0; ck < rows;) {
      std::string batch = "BEGIN UNLOGGED BATCH ";
      for (int end = ck + 500; ck < end; ++ck)
        batch += "DELETE FROM k.t WHERE pk = " + std::to_string(pk) + " AND ck = " + std::to_string(ck) + "; ";
      ASSERT_TRUE(engine_->Execute(batch + "APPLY BATCH", {}).ok());
    }
    ASSERT_TRUE(engine_
                    ->Execute("INSERT INTO k.t (pk, ck, v) VALUES (" + std::to_string(pk) + ", " +
                                  std::to_string(rows) + ", 'alive')",
                              {})
                    .ok());
  };
  remove(500, 2'000);
  remove(501, 12'000);
  const std::string cql = "SELECT v FROM t WHERE pk = ?";
  EXPECT_EQ(Rows(cql, {.values = {IntValue(500)}, .page_rows = 100}), 1u);
  EXPECT_EQ(Rows(cql, {.values = {IntValue(501)}, .page_rows = 100}), std::nullopt);
  EXPECT_EQ(Rows("SELECT v FROM t WHERE pk = ? LIMIT 5", {.values = {IntValue(501)}}), std::nullopt);
  const auto client = Connect();
  for (int i = 0; i < 3; ++i) {  // The second and the third text differ from the first only in their constants.
    EXPECT_EQ(RowsOf(client->Query("SELECT v FROM k.t WHERE pk = 501 LIMIT 3")).rows.size(), 1u);
  }
}

TEST_F(QuickRequests, NotWhatMustLookAtMore) {
  EXPECT_EQ(Rows("SELECT v FROM t WHERE pk = ? AND v = 'y' LIMIT 1 ALLOW FILTERING", {.values = {IntValue(0)}}),
            std::nullopt);
  EXPECT_EQ(Rows("SELECT count(*) FROM t WHERE pk = ? LIMIT 1", {.values = {IntValue(0)}}), std::nullopt);
}

}  // namespace
}  // namespace widerow
