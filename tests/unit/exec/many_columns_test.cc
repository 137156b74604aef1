// A row with very many columns, and a row with very many elements in a map.
#include <gtest/gtest.h>

#include "base/text.h"
#include "exec/engine/engine.h"
#include "tests/unit/scratch_engine.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

constexpr int kColumnsOfRow = 10'000;

class ManyColumnsTest : public ::testing::Test {
 protected:
  ManyColumnsTest() {
    Run("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
  }

  RowsPage Run(const std::string& text, const std::vector<BoundValue>& values = {}) {
    const Result<PreparedPtr> prepared = engine_->Prepare(text, "ks");
    if (!prepared.ok()) {
      ADD_FAILURE() << prepared.error().message;
      return {};
    }
    Result<Outcome> outcome = engine_->ExecutePrepared(**prepared, {.values = values});
    if (!outcome.ok()) {
      ADD_FAILURE() << outcome.error().message;
      return {};
    }
    auto* page = std::get_if<RowsPage>(&outcome->result);
    return page == nullptr ? RowsPage{} : std::move(*page);
  }
  // Returns the values of the only row.
  std::vector<Value> Row(const RowsPage& page) {
    EXPECT_EQ(page.row_count, 1u);
    PageReader reader(page);
    std::vector<ValueView> row;
    if (!reader.Next(row)) return {};
    std::vector<Value> values;
    for (const ValueView& value : row) values.push_back(value ? Value(Bytes(*value)) : Value());
    return values;
  }
  static Bytes Int(int32_t number) { return EncodeInteger(TypeKind::kInt, number); }

  const ScratchDirectory directory_;
  const std::unique_ptr<Engine> engine_ = OpenEngine(directory_);
};

TEST_F(ManyColumnsTest, ColumnsOfTheTable) {
  std::string columns, names = "k", markers = "?";
  std::vector<BoundValue> values = {{BoundValue::Kind::kValue, Int(1)}};
  for (int i = 0; i < kColumnsOfRow; ++i) {
    columns += StrCat(", c", i, " int");
    names += StrCat(", c", i);
    markers += ", ?";
    values.push_back({BoundValue::Kind::kValue, Int(i)});
  }
  Run("CREATE TABLE t (k int PRIMARY KEY" + columns + ")");
  Run("INSERT INTO t (" + names + ") VALUES (" + markers + ")", values);
  Run("UPDATE t SET c9999 = -1 WHERE k = 1");
  Run("DELETE c5000 FROM t WHERE k = 1");

  EXPECT_EQ(Row(Run("SELECT c9999, c0, c5000, c1234 FROM t WHERE k = 1")),
            (std::vector<Value>{Int(-1), Int(0), std::nullopt, Int(1234)}));
  const RowsPage whole = Run("SELECT * FROM t");
  const std::vector<Value> row = Row(whole);
  ASSERT_EQ(row.size(), size_t{kColumnsOfRow} + 1);
  for (size_t i = 1; i < row.size(); ++i) {
    const int number = std::stoi(whole.columns->at(i).name.substr(1));
    const Value expected = number == 5000 ? Value() : Value(Int(number == 9999 ? -1 : number));
    ASSERT_EQ(row[i], expected) << whole.columns->at(i).name;
  }
}

TEST_F(ManyColumnsTest, ElementsOfAMap) {
  Run("CREATE TABLE m (k int PRIMARY KEY, m map<int, int>)");
  for (int begin = 0; begin < kColumnsOfRow; begin += 1'000) {
    std::string elements;
    for (int i = begin; i < begin + 1'000; ++i) elements += StrCat(i > begin ? ", " : "", i, ": ", i * 2);
    Run("UPDATE m SET m = m + {" + elements + "} WHERE k = 1");
  }
  EXPECT_EQ(Row(Run("SELECT m[0], m[9999], m[10000] FROM m WHERE k = 1")),
            (std::vector<Value>{Int(0), Int(19'998), std::nullopt}));
  // A client reads the elements in pieces.
  int elements = 0;
  for (int begin = 0; begin < kColumnsOfRow; begin += 3'000) {
    const std::vector<Value> piece = Row(Run(StrCat("SELECT m[", begin, "..", begin + 2'999, "] FROM m WHERE k = 1")));
    ASSERT_TRUE(piece.at(0));
    const int count = ReadBigEndian<int32_t>(piece[0]->data());
    EXPECT_EQ(count, std::min(3'000, kColumnsOfRow - begin));
    elements += count;
  }
  EXPECT_EQ(elements, kColumnsOfRow);
}

}  // namespace
}  // namespace widerow
