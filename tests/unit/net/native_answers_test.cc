// Warnings, refusals of batches and of consistency levels, and traces must be like those of Cassandra.
#include "tests/unit/net/native_test.h"

namespace widerow {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

TEST_F(NativeTest, PrepareIsTracedToo) {
  for (const uint8_t version : {3, 4, 5}) {
    auto client = Connect(version);
    const std::string text = "SELECT v FROM k.t WHERE pk = ? AND ck = " + std::to_string(version);
    // The first PREPARE makes the statement, and the second one finds it.
    for (int i = 0; i < 2; ++i) {
      const NativeReply traced = client->Ask(Opcode::kPrepare, PrepareBody(text, version), FrameFlags::kTracing);
      EXPECT_EQ(traced.result_kind(), 4);
      ASSERT_EQ(traced.trace_id.size(), 16u);
      const ParametersText id{.values = {SizedValue(traced.trace_id)}};
      const NativeRows session = RowsOf(
          client->Query("SELECT request, parameters['query'] FROM system_traces.sessions WHERE session_id = ?", id));
      ASSERT_EQ(session.rows.size(), 1u);
      EXPECT_EQ(session.rows[0], (std::vector<Value>{"Preparing CQL3 query", text}));
      EXPECT_GE(RowsOf(client->Query("SELECT activity FROM system_traces.events WHERE session_id = ?", id)).rows.size(),
                2u);
    }
    EXPECT_EQ(client->Ask(Opcode::kPrepare, PrepareBody(text, version)).trace_id, "");
    EXPECT_THAT(
        client->Ask(Opcode::kPrepare, PrepareBody("SELECT nope FROM k.t", version), FrameFlags::kTracing).error_text(),
        StartsWith("Undefined column name nope in table k.t"));
  }
}

TEST_F(NativeTest, BatchesAreGuardedAsCassandraDoes) {
  const std::string batch = "BEGIN UNLOGGED BATCH INSERT INTO k.t (pk, ck, v) VALUES (1, 1, '" +
                            std::string(5'200, 'x') + "'); DELETE FROM k.t WHERE pk = 2; APPLY BATCH";
  for (const uint8_t version : {4, 5}) {
    auto client = Connect(version);
    EXPECT_THAT(client->Query(batch).warnings, ElementsAre(HasSubstr("Batch for [k.t] is of size ")));
    EXPECT_THAT(client->Query("INSERT INTO k.t (pk, ck, v) VALUES (1, 1, 'x')").warnings, IsEmpty());
    const Bytes large = SizedValue(std::string(60'000, 'x'));
    const NativeReply refused = client->Query(
        "BEGIN BATCH UPDATE k.t SET v = ? WHERE pk = 77 AND ck = 1; DELETE FROM k.t WHERE pk = 2; APPLY BATCH",
        {.values = {large}});
    EXPECT_EQ(refused.error_code(), kInvalid);
    EXPECT_THAT(refused.error_text(), StartsWith("Batch too large\nhint: "));
    EXPECT_THAT(refused.warnings, IsEmpty());
    EXPECT_EQ(RowsOf(client->Query("SELECT v FROM k.t WHERE pk = 77")).rows.size(), 0u);
  }
  EXPECT_EQ(Connect(3)->Query(batch).result_kind(), 1);
}

TEST_F(NativeTest, ErrorsCarryTheWarningsThatCameBefore) {
  ASSERT_EQ(
      Connect(4)->Query("CREATE TABLE k.grace (pk int PRIMARY KEY, v text) WITH gc_grace_seconds = 0").result_kind(),
      5);
  const std::string insert = "INSERT INTO k.grace (pk, v) VALUES (1, '" + std::string(60'000, 'x') + "')";
  // The batch needs a second partition: as in Cassandra, a batch of one partition is never too large.
  const std::string other = "DELETE FROM k.grace WHERE pk = 2";
  for (const uint8_t version : {4, 5}) {
    auto client = Connect(version);
    for (const NativeReply& refused :
         {client->Query("BEGIN BATCH " + insert + "; " + other + "; APPLY BATCH"),
          client->Ask(Opcode::kBatch,
                      BatchBody(0, {{.id = {}, .cql = insert, .values = {}}, {.id = {}, .cql = other, .values = {}}},
                                version))}) {
      EXPECT_EQ(refused.error_code(), kInvalid);
      EXPECT_THAT(refused.error_text(), StartsWith("Batch too large"));
      EXPECT_THAT(
          refused.warnings,
          ElementsAre(HasSubstr("Executing a LOGGED BATCH on table [k.grace], configured with a gc_grace_seconds")));
    }
    EXPECT_THAT(client->Query("SELECT nope FROM k.grace").warnings, IsEmpty());
  }
}

TEST_F(NativeTest, ConsistencyLevels) {
  for (const uint8_t version : {3, 4, 5}) {
    auto client = Connect(version);
    const auto text = [&](const char* cql, uint16_t level) {
      return client->Query(cql, {.consistency = level}).error_text();
    };
    EXPECT_EQ(text("SELECT * FROM k.t", 0), "ANY ConsistencyLevel is only supported for writes");
    EXPECT_EQ(text("DELETE FROM k.t WHERE pk = 1", 8), "You must use conditional updates for serializable writes");
    EXPECT_EQ(text("DELETE FROM k.t WHERE pk = 1", 9), "You must use conditional updates for serializable writes");
    EXPECT_EQ(text("DELETE FROM k.t WHERE pk = 1", 11),
              "NODE_LOCAL consistency level is highly dangerous and should be used only for debugging purposes");
    EXPECT_EQ(text("SELECT * FROM k.t", 12), "Unknown code 12 for a consistency level");
    EXPECT_EQ(client->Query("DELETE FROM k.t WHERE pk = 1", {.consistency = 0}).result_kind(), 1);
    EXPECT_EQ(client->Query("SELECT * FROM k.t", {.consistency = 8}).result_kind(), 2);
  }
}

}  // namespace
}  // namespace widerow
