// Tests IN with a list that is bound as one value: long lists, the limits of their length and of their memory, and
// nulls in them.
#include <gtest/gtest.h>
#include <malloc.h>

#include "base/limits.h"
#include "exec/engine/engine.h"
#include "exec/select/show_rows.h"
#include "tests/unit/scratch_engine.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

class InListsTest : public ::testing::Test {
 protected:
  InListsTest() {
    Run("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    Run("CREATE TABLE ks.t (p int, c int, v int, s int static, PRIMARY KEY (p, c))");
    Run("CREATE TABLE ks.m (k int PRIMARY KEY, l list<int>, m map<int, int>)");
    Run("CREATE TABLE ks.b (k int, c int, v blob, n int, s blob static, l list<int>, PRIMARY KEY (k, c))");
    Run("CREATE TABLE ks.large (k int PRIMARY KEY, v blob)");
  }

  // Runs the statement. Returns the first sentence of its error, or the number of rows.
  std::string Run(const std::string& text, const std::vector<BoundValue>& values = {}) {
    const Result<PreparedPtr> prepared = engine_->Prepare(text, "ks");
    if (!prepared.ok()) return prepared.error().message;
    const Result<Outcome> outcome = engine_->ExecutePrepared(**prepared, {.values = values});
    if (!outcome.ok()) return outcome.error().message;
    const auto* page = std::get_if<RowsPage>(&outcome->result);
    return page == nullptr ? "" : std::to_string(page->row_count);
  }
  static Bytes Int(int32_t number) { return EncodeInteger(TypeKind::kInt, number); }
  static BoundValue Bound(Bytes bytes) { return {BoundValue::Kind::kValue, std::move(bytes)}; }
  static BoundValue Null() { return {BoundValue::Kind::kNull, {}}; }
  static BoundValue Unset() { return {BoundValue::Kind::kUnset, {}}; }
  static void AppendElement(const std::optional<Bytes>& element, Bytes& out) {
    AppendBigEndian(out, element ? static_cast<int32_t>(element->size()) : -1);
    if (element) out += *element;
  }
  // Encodes the fields of a tuple.
  static Bytes Fields(const std::vector<std::optional<Bytes>>& fields) {
    Bytes out;
    for (const auto& field : fields) AppendElement(field, out);
    return out;
  }
  static Bytes List(const std::vector<std::optional<Bytes>>& elements) {
    return Int(static_cast<int32_t>(elements.size())) + Fields(elements);
  }
  // Returns a bound list of the numbers from 0 to `count` - 1.
  static BoundValue Numbers(int32_t count) {
    Bytes out = Int(count);
    for (int32_t i = 0; i < count; ++i) AppendElement(Int(i), out);
    return Bound(std::move(out));
  }

  ScratchDirectory directory_;
  std::unique_ptr<Engine> engine_ = OpenEngine(directory_);
};

TEST_F(InListsTest, ListsOfManyValuesAreTakenOnEveryKeyColumn) {
  EXPECT_EQ(Run("UPDATE t SET v = 1 WHERE p = 7 AND c IN ?", {Numbers(10'000)}), "");
  EXPECT_EQ(Run("UPDATE t SET v = 1 WHERE p IN ? AND c = 1", {Numbers(10'000)}), "");
  EXPECT_EQ(Run("SELECT * FROM t WHERE p = 7 AND c IN ?", {Numbers(10'000)}), "10000");
  EXPECT_EQ(Run("SELECT * FROM t WHERE p IN ? AND c IN (1)", {Numbers(10'000)}), "10000");
  EXPECT_EQ(Run("SELECT * FROM t WHERE p IN ? AND c IN ?", {Numbers(100), Numbers(1'000)}), "1099");
  EXPECT_EQ(Run("DELETE FROM t WHERE p IN ?", {Numbers(10'000)}), "");
  EXPECT_EQ(Run("SELECT * FROM t"), "0");
}

TEST_F(InListsTest, ProductsOfListsAreBounded) {
  const std::string rows = Run("UPDATE t SET v = 1 WHERE p IN ? AND c IN ?", {Numbers(2'000), Numbers(2'000)});
  EXPECT_EQ(rows, "IN lists select 4000000 rows");
  EXPECT_EQ(Run("SELECT * FROM t WHERE p IN ? AND c IN ?", {Numbers(2'000), Numbers(2'000)}),
            "IN lists select 4000000 slices");
  EXPECT_EQ(Run("CREATE TABLE ks.wide (a int, b int, c text, d int, PRIMARY KEY ((a, b), c, d))"), "");
  EXPECT_EQ(Run("SELECT * FROM wide WHERE a IN ? AND b IN ?", {Numbers(2'000), Numbers(2'000)}),
            "IN lists select 4000000 partitions");
  const std::string one = "SELECT * FROM wide WHERE a = 1 AND b = 1 AND c = ? AND d IN ?";
  EXPECT_EQ(Run(one, {Bound(Bytes(1'000, 'x')), Numbers(100'000)}),
            "IN lists select keys of more than " + std::to_string(limits::kInBytesMax) + " bytes");
}

// A statement copies its values into each row. The memory of the copies is limited, and counted before they are made.
TEST_F(InListsTest, CopiesOfValuesAreBounded) {
  const BoundValue megabyte = Bound(Bytes(1 << 20, 'x'));
  const auto counted = [&](const std::string& text, const std::vector<BoundValue>& values) {
    const std::string error = Run(text, values), begin = "A write that takes in memory at least ";
    EXPECT_EQ(error.substr(0, begin.size()), begin) << text;
    EXPECT_NE(error.find(" bytes is longer than the maximum of 536870912"), std::string::npos) << error;
    return error.starts_with(begin) ? std::stoull(error.substr(begin.size())) : 0;
  };
  constexpr size_t kGigabyte = 1'000 << 20;
  EXPECT_GE(counted("UPDATE b SET v = ? WHERE k IN ? AND c = 1", {megabyte, Numbers(1'000)}), kGigabyte);
  EXPECT_GE(counted("UPDATE b SET v = ? WHERE k = 1 AND c IN ?", {megabyte, Numbers(1'000)}), kGigabyte);
  EXPECT_GE(counted("UPDATE b SET s = ? WHERE k IN ?", {megabyte, Numbers(1'000)}), kGigabyte);
  // The elements of a collection become cells, which need more memory than the value.
  EXPECT_GE(counted("UPDATE b SET l = ? WHERE k = 1 AND c IN ?", {Numbers(100'000), Numbers(100)}), kGigabyte);
  EXPECT_GE(counted("BEGIN BATCH UPDATE b SET v = ? WHERE k IN ? AND c = 1; UPDATE b SET v = ? WHERE k IN ? AND c = 2;"
                    " APPLY BATCH",
                    {megabyte, Numbers(300), megabyte, Numbers(300)}),
            600u << 20);
  EXPECT_EQ(Run("SELECT * FROM b"), "0");
  // The static column is written once.
  EXPECT_EQ(Run("UPDATE b SET s = ?, n = 1 WHERE k = 1 AND c IN ?", {megabyte, Numbers(1'000)}), "");
  EXPECT_EQ(Run("UPDATE b SET v = ? WHERE k = 1 AND c IN ?", {megabyte, Numbers(20)}), "");
}

// A read of many large rows keeps only one of them in memory.
TEST_F(InListsTest, ReadsHoldOneLargeRowAtATime) {
  constexpr int kRows = 20;
  for (int k = 0; k < kRows; ++k) {
    EXPECT_EQ(Run("INSERT INTO large (k, v) VALUES (?, ?)", {Bound(Int(k)), Bound(Bytes(1 << 20, 'x'))}), "");
  }
  ASSERT_TRUE(engine_->Flush().ok());  // From the data file, long values are read in pieces and put together.
  struct Viewer final : RowViewer {
    void Begin(const ResultColumnsPtr&) override {}
    bool Show(std::span<const ByteView> values) override {
      EXPECT_EQ(values[0].size(), size_t{1} << 20);
      const struct mallinfo2 now = mallinfo2();
      least = std::min(least, now.uordblks + now.hblkhd);
      most = std::max(most, now.uordblks + now.hblkhd);
      ++rows;
      return true;
    }
    int rows = 0;
    size_t least = SIZE_MAX, most = 0;
  };
  Viewer viewer;
  const Result<PreparedPtr> prepared = engine_->Prepare("SELECT v FROM large WHERE k IN ?", "ks");
  ASSERT_TRUE(prepared.ok());
  ASSERT_TRUE(engine_->ShowRows(**prepared, {.values = {Numbers(kRows)}}, viewer).ok());
  EXPECT_EQ(viewer.rows, kRows);
  EXPECT_LT(viewer.most - viewer.least, size_t{3} << 20);
}

TEST_F(InListsTest, NullInAListMatchesNothingInAFilter) {
  EXPECT_EQ(Run("INSERT INTO t (p, c, v) VALUES (1, 1, 2)"), "");
  EXPECT_EQ(Run("INSERT INTO t (p, c) VALUES (1, 2)"), "");
  const BoundValue two_or_null = Bound(List({Int(2), std::nullopt}));
  EXPECT_EQ(Run("SELECT * FROM t WHERE v IN ? ALLOW FILTERING", {two_or_null}), "1");
  EXPECT_EQ(Run("SELECT * FROM t WHERE v IN ? ALLOW FILTERING", {Bound(List({std::nullopt}))}), "0");
  EXPECT_EQ(Run("SELECT * FROM t WHERE v IN (?, ?) ALLOW FILTERING", {Bound(Int(2)), Null()}), "1");
  EXPECT_EQ(Run("SELECT * FROM t WHERE c IN ? ALLOW FILTERING", {two_or_null}),
            "Invalid null value in condition for column c");
  EXPECT_EQ(Run("SELECT * FROM t WHERE c IN (?, ?) ALLOW FILTERING", {Bound(Int(2)), Null()}),
            "Invalid null value in condition for column c");
  EXPECT_EQ(Run("SELECT * FROM t WHERE c IN (?, ?) ALLOW FILTERING", {Bound(Int(2)), Unset()}),
            "Invalid unset value for column c");
  EXPECT_EQ(Run("SELECT * FROM t WHERE p IN ?", {two_or_null}), "Invalid null value in condition for column p");
  EXPECT_EQ(Run("SELECT * FROM t WHERE (c) IN ? ALLOW FILTERING", {Bound(List({Fields({std::nullopt})}))}),
            "Invalid null value in condition for columns: [c]");
}

TEST_F(InListsTest, NullInAListOfAConditionIsTheAbsentValue) {
  EXPECT_EQ(Run("INSERT INTO t (p, c) VALUES (1, 1)"), "");
  const std::string update = "UPDATE t SET v = 5 WHERE p = 1 AND c = 1 IF v IN ?";
  EXPECT_EQ(Run(update, {Bound(List({Int(4), std::nullopt}))}), "1");
  EXPECT_EQ(Run("SELECT * FROM t WHERE v = 5 ALLOW FILTERING"), "1");
}

TEST_F(InListsTest, NullAndUnsetFieldsOfTuplesAreRefused) {
  EXPECT_EQ(Run("CREATE TABLE ks.r (p int, c int, d int, PRIMARY KEY (p, c, d))"), "");
  const std::string where = "SELECT * FROM r WHERE p = 1 AND (c, d) ";
  EXPECT_EQ(Run(where + "= (?, 1)", {Null()}), "Invalid null value for column c");
  EXPECT_EQ(Run(where + "= (?, 1)", {Unset()}), "Invalid unset value for tuple field number 0");
  EXPECT_EQ(Run(where + "> (?, 1)", {Null()}), "Invalid null value in condition for column c");
  EXPECT_EQ(Run(where + "IN ((?, ?), (2, 1))", {Bound(Int(1)), Null()}),
            "Invalid null value in condition for columns: [c, d]");
  EXPECT_EQ(Run(where + "IN ((?, ?), (2, 1))", {Bound(Int(1)), Unset()}),
            "Invalid unset value for tuple field number 1");
  EXPECT_EQ(Run(where + "IN ?", {Bound(List({Fields({Int(1), std::nullopt})}))}),
            "Invalid null value in condition for columns: [c, d]");
  EXPECT_EQ(Run(where + "IN ?", {Unset()}), "Invalid unset value for in(c,d)");
}

TEST_F(InListsTest, NullIndexesOfCollections) {
  EXPECT_EQ(Run("INSERT INTO m (k, l, m) VALUES (1, [1], {1: 1})"), "");
  EXPECT_EQ(Run("SELECT m[?] FROM m", {Null()}), "Invalid null value for element selection on m");
  EXPECT_EQ(Run("SELECT m[?] FROM m", {Unset()}), "Invalid unset value for element selection on m");
  EXPECT_EQ(Run("SELECT k FROM m WHERE m[?] = 1 ALLOW FILTERING", {Null()}), "Unsupported null map key for column m");
  // If the value is unset, nothing is written, but the list must have an element with this index. If the index is
  // unset, nothing is deleted.
  EXPECT_EQ(Run("UPDATE m SET l[?] = ? WHERE k = 1", {Bound(Int(0)), Unset()}), "");
  EXPECT_EQ(Run("UPDATE m SET l[?] = ? WHERE k = 1", {Bound(Int(9)), Unset()}),
            "List index 9 out of bound, list has size 1");
  EXPECT_EQ(Run("DELETE l[?] FROM m WHERE k = 1", {Unset()}), "");
  EXPECT_EQ(Run("UPDATE m SET l[?] = ?, l[?] = ? WHERE k = 1", {Bound(Int(0)), Null(), Bound(Int(0)), Bound(Int(4))}),
            "Attempted to set an element on a list which is null");
}

}  // namespace
}  // namespace widerow
