// Tests of Engine that scripts cannot express: batches that clients build from prepared statements, and traces.
#include "exec/engine/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/scratch_engine.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

using ::testing::HasSubstr;

class EngineDoorTest : public ::testing::Test {
 protected:
  EngineDoorTest() {
    Run("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    Run("CREATE TABLE ks.t (k int, c int, v int, l list<int>, PRIMARY KEY (k, c))");
  }

  Outcome Run(const std::string& text, const RequestParameters& parameters = {}) {
    Result<Outcome> outcome = engine_->Execute(text, parameters);
    if (outcome.ok()) return std::move(*outcome);
    ADD_FAILURE() << text << ": " << outcome.error().message;
    return {};
  }
  // Returns the first column of each row, as int.
  std::vector<int64_t> Ints(const std::string& text) {
    std::vector<int64_t> out;
    const Outcome outcome = Run(text);
    PageReader reader(std::get<RowsPage>(outcome.result));
    for (std::vector<ValueView> row; reader.Next(row);) out.push_back(row[0] ? DecodeInteger(*row[0]) : -1);
    return out;
  }
  PreparedPtr Prepare(const std::string& text) { return engine_->Prepare(text, "ks").value(); }
  static BoundValue Int(int32_t number) { return {BoundValue::Kind::kValue, EncodeInteger(TypeKind::kInt, number)}; }

  ScratchDirectory directory_;
  std::unique_ptr<Engine> engine_ = OpenEngine(directory_);
};

// The value after IN is a bound list with an empty element. Like Cassandra 5.0.9, the engine reads the element as null,
// unless the elements are texts or blobs.
TEST_F(EngineDoorTest, AnEmptyElementOfAListBehindInIsNull) {
  Run("CREATE TABLE ks.texts (k int, c text, v int, PRIMARY KEY (k, c))");
  const auto two = [](const std::string& second) {
    const TypePtr list = ListType(ScalarType(TypeKind::kBlob));
    return BoundValue{BoundValue::Kind::kValue, JoinCollection(*list, {ByteView(""), ByteView(second)})};
  };
  const auto run = [&](const std::string& text, BoundValue list) {
    return engine_->ExecutePrepared(*Prepare(text), {.values = {std::move(list)}});
  };
  const BoundValue ints = two(EncodeInteger(TypeKind::kInt, 1));
  for (const std::string text : {"UPDATE t SET v = 1 WHERE k = 1 AND c IN ?", "DELETE FROM t WHERE k = 1 AND c IN ?",
                                 "SELECT v FROM t WHERE k = 1 AND c IN ?"}) {
    EXPECT_EQ(run(text, ints).error().message, "Invalid null value in condition for column c") << text;
  }
  EXPECT_EQ(run("UPDATE t SET v = 1 WHERE k IN ? AND c = 1", ints).error().message,
            "Invalid null value in condition for column k");
  EXPECT_TRUE(Ints("SELECT v FROM ks.t").empty());
  ASSERT_TRUE(run("UPDATE texts SET v = 1 WHERE k = 1 AND c IN ?", two("a")).ok());
  EXPECT_THAT(Ints("SELECT v FROM ks.texts WHERE k = 1 AND c IN ('', 'a')"), ::testing::ElementsAre(1, 1));
  // In conditions after IF, null equals null.
  Run("INSERT INTO ks.t (k, c) VALUES (1, 1)");
  ASSERT_TRUE(run("UPDATE t SET v = 5 WHERE k = 1 AND c = 1 IF v IN ?", ints).ok());
  EXPECT_THAT(Ints("SELECT v FROM ks.t"), ::testing::ElementsAre(5));
}

TEST_F(EngineDoorTest, ABatchBindsEachStatementsOwnValues) {
  const PreparedPtr insert = Prepare("INSERT INTO t (k, c, v) VALUES (?, ?, ?)");
  const PreparedPtr update = Prepare("UPDATE t SET v = :v WHERE k = 1 AND c = :c");
  const std::vector<BatchEntry> entries{{insert, {Int(1), Int(1), Int(10)}, {}},
                                        {insert, {Int(1), Int(2), Int(20)}, {}},
                                        {update, {Int(3), Int(30)}, {"c", "v"}}};
  ASSERT_TRUE(engine_->ExecuteBatch(BatchStatement::Kind::kLogged, entries, {.timestamp = 1'000}).ok());
  EXPECT_THAT(Ints("SELECT v FROM ks.t WHERE k = 1"), ::testing::ElementsAre(10, 20, 30));
  EXPECT_THAT(Ints("SELECT writetime(v) FROM ks.t WHERE k = 1"), ::testing::Each(1'000));
}

TEST_F(EngineDoorTest, ABatchIsAllOrNothing) {
  const PreparedPtr insert = Prepare("INSERT INTO t (k, c, v) VALUES (?, ?, ?)");
  const BoundValue null{BoundValue::Kind::kNull, {}};
  const Result<Outcome> outcome = engine_->ExecuteBatch(
      BatchStatement::Kind::kUnlogged,
      std::vector<BatchEntry>{{insert, {Int(1), Int(1), Int(1)}, {}}, {insert, {Int(1), null, Int(1)}, {}}}, {});
  ASSERT_FALSE(outcome.ok());
  EXPECT_THAT(outcome.error().message, HasSubstr("Invalid null value in condition for column c"));
  EXPECT_TRUE(Ints("SELECT v FROM ks.t").empty());
}

TEST_F(EngineDoorTest, ABatchRefusesWhatIsNoWrite) {
  const std::vector<BatchEntry> select{{Prepare("SELECT * FROM t"), {}, {}}};
  EXPECT_EQ(engine_->ExecuteBatch(BatchStatement::Kind::kLogged, select, {}).error().message,
            "Invalid statement in batch: only UPDATE, INSERT and DELETE statements are allowed.");
  const std::vector<BatchEntry> insert{{Prepare("INSERT INTO t (k, c) VALUES (1, 1)"), {}, {}}};
  EXPECT_EQ(engine_->ExecuteBatch(BatchStatement::Kind::kCounter, insert, {}).error().message,
            "Cannot include non-counter statement in a counter batch");
  EXPECT_EQ(engine_
                ->ExecuteBatch(BatchStatement::Kind::kLogged,
                               std::vector<BatchEntry>{{insert[0].statement, {Int(1)}, {}}}, {})
                .error()
                .message,
            "There were 0 markers(?) in CQL but 1 bound variables");
}

TEST_F(EngineDoorTest, ABatchPlansAgainAfterASchemaChange) {
  const PreparedPtr append = Prepare("UPDATE t SET l[0] = ? WHERE k = 1 AND c = 1");
  Run("INSERT INTO ks.t (k, c, l) VALUES (1, 1, [5])");
  Run("ALTER TABLE ks.t ADD w int");
  ASSERT_TRUE(
      engine_->ExecuteBatch(BatchStatement::Kind::kLogged, std::vector<BatchEntry>{{append, {Int(7)}, {}}}, {}).ok());
  const Bytes row = std::get<RowsPage>(Run("SELECT l FROM ks.t WHERE k = 1 AND c = 1").result).body;
  EXPECT_THAT(row, ::testing::EndsWith(EncodeInteger(TypeKind::kInt, 7)));
  Run("DROP TABLE ks.t");
  EXPECT_EQ(engine_->ExecuteBatch(BatchStatement::Kind::kLogged, std::vector<BatchEntry>{{append, {Int(7)}, {}}}, {})
                .error()
                .code,
            ErrorCode::kInvalid);
}

TEST_F(EngineDoorTest, OnlyTracedRequestsLeaveATrace) {
  EXPECT_TRUE(Run("SELECT * FROM ks.t").trace_id.empty());
  const Bytes id = Run("SELECT * FROM ks.t WHERE k = 1", {.trace = true}).trace_id;
  ASSERT_EQ(id.size(), 16u);
  const Outcome sessions = Run("SELECT session_id, request, parameters['query'] FROM system_traces.sessions");
  PageReader reader(std::get<RowsPage>(sessions.result));
  std::vector<ValueView> row;
  ASSERT_TRUE(reader.Next(row));
  EXPECT_EQ(row[0], ByteView(id));
  EXPECT_EQ(row[1], "Execute CQL3 query");
  EXPECT_EQ(row[2], "SELECT * FROM ks.t WHERE k = 1");
  EXPECT_FALSE(reader.Next(row));
  const std::string events = std::get<RowsPage>(Run("SELECT activity FROM system_traces.events").result).body;
  EXPECT_THAT(events, HasSubstr("Parsing SELECT * FROM ks.t WHERE k = 1"));
  EXPECT_THAT(events, HasSubstr("PartitionSlice"));
  EXPECT_THAT(events, HasSubstr("Read 0 rows"));
}

TEST_F(EngineDoorTest, AFailedRequestIsTracedToo) {
  EXPECT_FALSE(engine_->Execute("SELECT * FROM ks.none", {.trace = true}).ok());
  const std::string events = std::get<RowsPage>(Run("SELECT activity FROM system_traces.events").result).body;
  EXPECT_THAT(events, HasSubstr("Request failed: table none does not exist"));
}

}  // namespace
}  // namespace widerow
