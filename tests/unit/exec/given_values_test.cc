// Tests values that an INSERT gives for a generated column: each must equal the derived value, also if the derived
// value is null. Null and unset count as not given.
#include <gtest/gtest.h>

#include "exec/engine/engine.h"
#include "tests/unit/scratch_engine.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

class GivenValuesTest : public ::testing::Test {
 protected:
  GivenValuesTest() {
    Run("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    Run("CREATE TABLE ks.t (k int PRIMARY KEY, d timestamp, day date GENERATED ALWAYS AS (to_date(d)))");
    Run("CREATE TABLE ks.keyed (d timestamp, day date GENERATED ALWAYS AS (to_date(d)), PRIMARY KEY (day, d))");
  }

  // Runs the statement. Returns the message of its error.
  std::string Run(const std::string& text, const std::vector<BoundValue>& values = {}) {
    const Result<PreparedPtr> prepared = engine_->Prepare(text, "ks");
    if (!prepared.ok()) return prepared.error().message;
    const Result<Outcome> outcome = engine_->ExecutePrepared(**prepared, {.values = values});
    return outcome.ok() ? "" : outcome.error().message;
  }
  // Inserts a row by bind markers. Returns the message of the error.
  std::string Insert(const BoundValue& source, const BoundValue& given) {
    return Run("INSERT INTO ks.t (k, d, day) VALUES (1, ?, ?)", {source, given});
  }
  static BoundValue Moment() { return {BoundValue::Kind::kValue, EncodeInteger(TypeKind::kTimestamp, 0)}; }
  static BoundValue Day(uint32_t day) {
    return {BoundValue::Kind::kValue, EncodeInteger(TypeKind::kDate, static_cast<int64_t>(kFirstOf1970 + day))};
  }
  static BoundValue Null() { return {BoundValue::Kind::kNull, {}}; }
  static BoundValue Unset() { return {BoundValue::Kind::kUnset, {}}; }

  static constexpr uint32_t kFirstOf1970 = 1u << 31;
  const std::string refused_ = "Generated column day is null for this row, not '1970-01-02'";
  ScratchDirectory directory_;
  std::unique_ptr<Engine> engine_ = OpenEngine(directory_);
};

TEST_F(GivenValuesTest, MustBeTheDerivedValue) {
  EXPECT_EQ(Insert(Moment(), Day(0)), "");
  EXPECT_EQ(Insert(Moment(), Day(1)), "Generated column day is '1970-01-01' for this row, not '1970-01-02'");
}

TEST_F(GivenValuesTest, NullAndUnsetAreNotGiven) {
  for (const BoundValue& given : {Null(), Unset()}) {
    for (const BoundValue& source : {Moment(), Null(), Unset()}) EXPECT_EQ(Insert(source, given), "");
  }
}

TEST_F(GivenValuesTest, ADerivedNullEqualsNoValue) {
  for (const BoundValue& source : {Null(), Unset()}) EXPECT_EQ(Insert(source, Day(1)), refused_);
  EXPECT_EQ(Run("INSERT INTO ks.t (k, d, day) VALUES (1, null, '1970-01-02')"), refused_);
}

TEST_F(GivenValuesTest, WithoutSources) {
  EXPECT_EQ(Run("INSERT INTO ks.t (k, day) VALUES (1, null)"), "");
  EXPECT_EQ(Run("INSERT INTO ks.t (k, day) VALUES (1, '1970-01-02')"),
            "Generated column day is given, and not what it is derived from");
  EXPECT_EQ(Run(R"(INSERT INTO ks.t JSON '{"k": 1, "day": null}' DEFAULT UNSET)"), "");
}

TEST_F(GivenValuesTest, MembersOfJson) {
  EXPECT_EQ(Run(R"(INSERT INTO ks.t JSON '{"k": 1, "d": 0, "day": "1970-01-01"}')"), "");
  EXPECT_EQ(Run(R"(INSERT INTO ks.t JSON '{"k": 1, "d": null, "day": null}')"), "");
  EXPECT_EQ(Run(R"(INSERT INTO ks.t JSON '{"k": 1, "d": null, "day": "1970-01-02"}')"), refused_);
  EXPECT_EQ(Run(R"(INSERT INTO ks.t JSON '{"k": 1, "day": "1970-01-02"}')"), refused_);
  const auto bound = [&](const std::string& json) {
    return Run("INSERT INTO ks.t JSON ? DEFAULT UNSET", {{BoundValue::Kind::kValue, json}});
  };
  EXPECT_EQ(bound(R"({"k": 1, "day": null})"), "");
  EXPECT_EQ(bound(R"({"k": 1})"), "");
  EXPECT_EQ(bound(R"({"k": 1, "day": "1970-01-02"})"), "JSON that is bound cannot give generated column day a value");
}

TEST_F(GivenValuesTest, OfAKeyColumn) {
  const std::string insert = "INSERT INTO ks.keyed (d, day) VALUES (?, ?)";
  EXPECT_EQ(Run(insert, {Moment(), Day(0)}), "");
  EXPECT_EQ(Run(insert, {Moment(), Null()}), "");
  EXPECT_EQ(Run(insert, {Moment(), Unset()}), "");
  EXPECT_EQ(Run(insert, {Null(), Day(1)}), refused_);
}

}  // namespace
}  // namespace widerow
