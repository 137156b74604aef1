#include <ctime>
#include <thread>

#include "net/hbase/cells/java_error.h"
#include "net/hbase/filter/make_filters.h"
#include "net/hbase/store/row_reader.h"
#include "tests/unit/hbase/hbase_test.h"

namespace widerow::hbase {
namespace {

class RowWriterTest : public HBaseTest {};

TEST_F(RowWriterTest, NewestVersionWins) {
  Create({{.name = "f", .attributes = {{"VERSIONS", "3"}}}});
  Put("r", "q", 10, "a");
  Put("r", "q", 30, "c");
  Put("r", "q", 20, "b");
  EXPECT_EQ(Get("r"), "f:q@30=c");
  EXPECT_EQ(Get("r", 2), "f:q@30=c f:q@20=b");
  Put("r", "q", 30, "d");  // The same timestamp: the later put wins.
  EXPECT_EQ(Get("r", 9), "f:q@30=d f:q@20=b f:q@10=a");
  Put("r", "q", 40, "e");
  EXPECT_EQ(Get("r", 9), "f:q@40=e f:q@30=d f:q@20=b");
}

TEST_F(RowWriterTest, DeletesHideLaterPutsWithOldTimestamps) {
  Create({{.name = "f", .attributes = {{"VERSIONS", "5"}}}});
  Put("r", "q", 10, "a");
  Put("r", "q", 20, "b");
  Put("r", "p", 20, "x");
  Delete("r", CellType::kDeleteColumn, "q", 15);
  EXPECT_EQ(Get("r", 9), "f:p@20=x f:q@20=b");
  Put("r", "q", 12, "old");
  EXPECT_EQ(Get("r", 9), "f:p@20=x f:q@20=b");
  Put("r", "q", 16, "new");
  EXPECT_EQ(Get("r", 9), "f:p@20=x f:q@20=b f:q@16=new");

  Delete("r", CellType::kDelete, "q", 16);
  Put("r", "q", 16, "again");
  EXPECT_EQ(Get("r", 9), "f:p@20=x f:q@20=b");

  Delete("r", CellType::kDeleteFamilyVersion, "", 20);
  EXPECT_EQ(Get("r", 9), "");
  Put("r", "q", 20, "hidden");
  Put("r", "q", 21, "seen");
  EXPECT_EQ(Get("r", 9), "f:q@21=seen");

  Delete("r", CellType::kDeleteFamily, "", 100);
  Put("r", "q", 100, "hidden");
  Put("r", "q", 101, "seen");
  EXPECT_EQ(Get("r", 9), "f:q@101=seen");
}

// The work of a Delete grows with the number of its cells, and not with the square of it.
TEST_F(RowWriterTest, DeletesWithManyCells) {
  Create({{.name = "f"}});
  int row = 0;
  const auto work = [&](CellType type, bool one_column, int count) {
    std::vector<Cell> cells;
    for (int i = 0; i < count; ++i) {
      cells.push_back(MakeCell(one_column ? "" : "q" + std::to_string(i), one_column ? i : 1, {}, type));
    }
    const std::clock_t begun = std::clock();
    Apply(MutationKind::kDelete, "r" + std::to_string(++row), std::move(cells));
    return static_cast<double>(std::clock() - begun);
  };
  for (const CellType type :
       {CellType::kDelete, CellType::kDeleteColumn, CellType::kDeleteFamily, CellType::kDeleteFamilyVersion}) {
    for (const bool one_column : {true, false}) {
      const bool of_family = type == CellType::kDeleteFamily || type == CellType::kDeleteFamilyVersion;
      if (of_family && !one_column) continue;
      const double few = work(type, one_column, 10'000);
      EXPECT_LT(work(type, one_column, 80'000), 24 * few) << static_cast<int>(type) << " " << one_column;
    }
  }
}

TEST_F(RowWriterTest, MarkersOutliveARestartOfTheCatalog) {
  Create({{.name = "f", .attributes = {}}});
  Delete("r", CellType::kDeleteFamily, "", 50);
  Catalog other(*engine_);
  RowWriter writer(other);
  const Result<HTablePtr> table = other.Find({.name = "t"});
  ASSERT_TRUE(table.ok());
  Mutation put;
  put.row = "r";
  put.cells = {MakeCell("q", 49, "hidden"), MakeCell("q", 51, "seen")};
  ASSERT_TRUE(writer.Apply(Caller(), **table, {&put, 1}).ok());
  EXPECT_EQ(Get("r", 9), "f:q@51=seen");
}

TEST_F(RowWriterTest, DeleteOfTheNewestVersionLetsAnOlderOneReappear) {
  Create({{.name = "f", .attributes = {}}});
  Put("r", "q", 10, "a");
  Put("r", "q", 20, "b");
  Delete("r", CellType::kDelete, "q", kLatestTimestamp);
  EXPECT_EQ(Get("r", 9), "f:q@10=a");
}

TEST_F(RowWriterTest, IncrementAndAppend) {
  Create({{.name = "f", .attributes = {}}});
  Bytes five, seven;
  AppendBigEndian(five, int64_t{5});
  AppendBigEndian(seven, int64_t{7});
  Apply(MutationKind::kIncrement, "r", {MakeCell("n", kLatestTimestamp, five)});
  const WriteResult result = Apply(MutationKind::kIncrement, "r", {MakeCell("n", kLatestTimestamp, seven)});
  ASSERT_EQ(result.cells.size(), 1u);
  EXPECT_EQ(ReadBigEndian<int64_t>(result.cells[0].value.data()), 12);
  Apply(MutationKind::kAppend, "r", {MakeCell("s", kLatestTimestamp, "ab")});
  EXPECT_EQ(Apply(MutationKind::kAppend, "r", {MakeCell("s", kLatestTimestamp, "cd")}).cells[0].value, "abcd");

  Mutation wrong;
  wrong.kind = MutationKind::kIncrement;
  wrong.row = "r";
  wrong.cells = {MakeCell("s", kLatestTimestamp, five)};
  const Result<WriteResult> refused = writer_.Apply(Caller(), *Table(), {&wrong, 1});
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, ::testing::HasSubstr("4 bytes wide"));
}

TEST_F(RowWriterTest, AnAppendInTheMillisecondOfADelete) {
  Create({{.name = "f", .attributes = {}}});
  for (int i = 0; i < 50; ++i) {
    const Bytes row = "r" + std::to_string(i);
    Delete(row, CellType::kDeleteColumn, "s", kLatestTimestamp);
    Apply(MutationKind::kAppend, row, {MakeCell("s", kLatestTimestamp, "a")});
    EXPECT_THAT(Get(row), ::testing::EndsWith("=a"));
  }
  // As in HBase, a delete with a timestamp far ahead hides the new cell.
  constexpr int64_t kFar = int64_t{1} << 60;
  Put("far", "s", kFar, "a");
  Delete("far", CellType::kDelete, "s", kFar + 1);
  Apply(MutationKind::kAppend, "far", {MakeCell("s", kLatestTimestamp, "b")});
  EXPECT_EQ(Get("far", 9), "f:s@" + std::to_string(kFar) + "=a");
}

TEST_F(RowWriterTest, Conditions) {
  Create({{.name = "f", .attributes = {}}});
  const auto check = [&](CompareOp op, const Bytes& value) {
    RowCondition condition;
    condition.row = "r";
    condition.read.families = {{.family = "f", .qualifiers = {"q"}}};
    condition.op = op;
    condition.comparator = MakeBinaryComparator(value);
    Mutation put;
    put.row = "r";
    put.cells = {MakeCell("seen", kLatestTimestamp, "1")};
    const Result<WriteResult> result = writer_.Apply(Caller(), *Table(), {&put, 1}, &condition);
    EXPECT_TRUE(result.ok());
    return result.ok() && result->processed;
  };
  EXPECT_TRUE(check(CompareOp::kEqual, ""));
  EXPECT_FALSE(check(CompareOp::kNotEqual, ""));
  Put("r", "q", 10, "m");
  EXPECT_FALSE(check(CompareOp::kEqual, ""));
  EXPECT_TRUE(check(CompareOp::kEqual, "m"));
  // The operator compares the given value with the stored one.
  EXPECT_TRUE(check(CompareOp::kLess, "a"));
  EXPECT_FALSE(check(CompareOp::kGreater, "a"));
}

// A condition compares as its comparator says, not only byte by byte.
TEST_F(RowWriterTest, ComparatorsOfConditions) {
  Create({{.name = "f"}});
  Put("r", "q", 10, "Widerow");
  const auto check = [&](CompareOp op, ComparatorPtr comparator) {
    RowCondition condition{.row = "r", .read = {}, .filter = {}, .op = op, .comparator = std::move(comparator)};
    condition.read.families = {{.family = "f", .qualifiers = {"q"}}};
    const Result<WriteResult> result = writer_.Apply(Caller(), *Table(), {}, &condition);
    EXPECT_TRUE(result.ok());
    return result.ok() && result->processed;
  };
  EXPECT_TRUE(check(CompareOp::kEqual, MakeBinaryPrefixComparator("Wide")));
  EXPECT_FALSE(check(CompareOp::kNotEqual, MakeBinaryPrefixComparator("Wide")));
  EXPECT_FALSE(check(CompareOp::kEqual, MakeBinaryPrefixComparator("Tall")));
  EXPECT_TRUE(check(CompareOp::kEqual, MakeSubstringComparator("ROW")));
  EXPECT_TRUE(check(CompareOp::kNotEqual, MakeSubstringComparator("column")));
  EXPECT_TRUE(check(CompareOp::kEqual, *MakeRegexComparator("^W.*w$", 0, "UTF-8")));
  EXPECT_TRUE(check(CompareOp::kEqual, MakeBinaryComponentComparator("row", 4)));
  EXPECT_FALSE(check(CompareOp::kEqual, MakeNullComparator()));
  EXPECT_TRUE(check(CompareOp::kNotEqual, MakeNullComparator()));
}

TEST_F(RowWriterTest, MutationsOfARowAreOneWrite) {
  Create({{.name = "f", .attributes = {}}, {.name = "g", .attributes = {}}});
  Put("r", "old", 10, "x");
  std::vector<Mutation> mutations(2);
  mutations[0].kind = MutationKind::kDelete;
  mutations[0].row = mutations[1].row = "r";
  mutations[0].timestamp = 20;
  mutations[1].cells = {MakeCell("q", 21, "1"), MakeCell("q", 20, "hidden")};
  mutations[1].cells.push_back({.family = "g", .qualifier = "q", .timestamp = 21, .value = "2"});
  ASSERT_TRUE(writer_.Apply(Caller(), *Table(), mutations).ok());
  EXPECT_EQ(Get("r", 9), "f:q@21=1 g:q@21=2");
}

TEST_F(RowWriterTest, TtlAndMinVersions) {
  Create({{.name = "f", .attributes = {{"TTL", "10"}}},
          {.name = "g", .attributes = {{"TTL", "10"}, {"MIN_VERSIONS", "1"}, {"VERSIONS", "2"}}}});
  const int64_t now = catalog_.own().NowMs();
  Put("r", "q", now - 20'000, "expired");
  Mutation put;
  put.row = "r";
  for (const int64_t age : {20'000, 30'000}) {
    put.cells.push_back({.family = "g", .qualifier = "q", .timestamp = now - age, .value = std::to_string(age)});
  }
  ASSERT_TRUE(writer_.Apply(Caller(), *Table(), {&put, 1}).ok());
  EXPECT_EQ(Get("r", 9), "g:q@" + std::to_string(now - 20'000) + "=20000");
}

// The table `t` with the family `f`, and a clock that the test moves.
class CellTtlTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto storage = OpenLmdbEngine({.directory = directory_.path(), .map_bytes = uint64_t{1} << 34, .clock = clock_});
    ASSERT_TRUE(storage.ok()) << storage.error().message;
    engine_ = std::make_unique<Engine>(std::move(*storage));
    catalog_ = std::make_unique<Catalog>(*engine_);
    writer_ = std::make_unique<RowWriter>(*catalog_);
    ASSERT_TRUE(Admin(*catalog_).Create(Caller(), {.id = {.name = "t"}, .families = {{.name = "f"}}}, {}).ok());
    Result<HTablePtr> table = catalog_->Find({.name = "t"});
    ASSERT_TRUE(table.ok());
    table_ = std::move(*table);
  }
  void SetTime(int64_t after_ms) { clock_->Set((kBeginMs + after_ms) * 1'000); }

  static constexpr int64_t kBeginMs = 1'800'000'000'950;
  const ScratchDirectory directory_;
  const std::shared_ptr<ManualClock> clock_ = std::make_shared<ManualClock>(kBeginMs * 1'000);
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Catalog> catalog_;
  std::unique_ptr<RowWriter> writer_;
  HTablePtr table_;
};

// A cell with a TTL of 700 ms that is put at the end of a second is still there in the next second.
TEST_F(CellTtlTest, NoCellExpiresEarly) {
  Mutation put{.row = "r", .cells = {{.family = "f", .qualifier = "q", .value = "v"}}, .ttl_ms = 700};
  ASSERT_TRUE(writer_->Apply(Caller(), *table_, {&put, 1}).ok());
  const auto cells = [&](int64_t after_ms) {
    SetTime(after_ms);
    ReadSpec read;
    const Result<std::vector<Cell>> found = writer_->Get(Caller(), *table_, "r", read);
    return found.ok() ? found->size() : 99;
  };
  EXPECT_EQ(cells(0), 1u);
  EXPECT_EQ(cells(700), 1u);
  EXPECT_EQ(cells(1'050), 0u);
}

// If an increment names no TTL, the counter keeps the TTL that it has. With each increment, the TTL starts again.
TEST_F(CellTtlTest, IncrementsKeepTheLifeOfACell) {
  const auto increment = [&](int64_t after_ms, int64_t ttl_ms) {
    SetTime(after_ms);
    Mutation one{.kind = MutationKind::kIncrement,
                 .row = "r",
                 .cells = {{.family = "f", .qualifier = "n", .value = Bytes(7, '\0') + '\1'}},
                 .ttl_ms = ttl_ms};
    const Result<WriteResult> result = writer_->Apply(Caller(), *table_, {&one, 1});
    return result.ok() && result->cells.size() == 1 ? int{result->cells[0].value[7]} : -1;
  };
  EXPECT_EQ(increment(0, 10'000), 1);
  int64_t now_ms = 0;
  for (int n = 2; n <= 20; ++n) EXPECT_EQ(increment(now_ms += 3'333, 0), n);
  EXPECT_EQ(increment(now_ms += 9'950, 0), 21);
  EXPECT_EQ(increment(now_ms += 11'050, 0), 1);         // The counter had expired.
  EXPECT_EQ(increment(now_ms += 1'000'000, 5'000), 2);  // The new counter had no TTL until now.
  EXPECT_EQ(increment(now_ms += 1'000, 20'000), 3);     // It gets another TTL.
  EXPECT_EQ(increment(now_ms += 19'000, 0), 4);
}

TEST_F(RowWriterTest, OldVersionsAreRemoved) {
  Create({{.name = "f", .attributes = {}}});
  for (int64_t t = 1; t <= 400; ++t) Put("r", "q", t, "v");
  const FamilyColumns columns{.family = "f", .qualifiers = {"q"}};
  const Result<StoredRow> stored = ReadStoredRow(catalog_.own(), {ReadFamily{&Table()->families[0], &columns}}, "r");
  ASSERT_TRUE(stored.ok());
  EXPECT_LT(stored->families[0].size(), 200u);
  EXPECT_EQ(Get("r", 9), "f:q@400=v");
}

// Each put writes both columns, always in the same order.
TEST_F(RowWriterTest, OldVersionsAreRemovedInEachColumn) {
  Create({{.name = "f", .attributes = {}}});
  for (int64_t t = 1; t <= 600; ++t) Apply(MutationKind::kPut, "r", {MakeCell("a", t, "v"), MakeCell("b", t, "v")});
  for (const char* const column : {"a", "b"}) {
    const FamilyColumns columns{.family = "f", .qualifiers = {column}};
    const Result<StoredRow> stored = ReadStoredRow(catalog_.own(), {ReadFamily{&Table()->families[0], &columns}}, "r");
    ASSERT_TRUE(stored.ok());
    EXPECT_LT(stored->families[0].size(), 500u) << column;
  }
}

TEST_F(RowWriterTest, UnknownFamilyIsRefused) {
  Create({{.name = "f", .attributes = {}}});
  Mutation put;
  put.row = "r";
  put.cells = {{.family = "nope", .qualifier = "q", .timestamp = 1, .value = "v"}};
  const Result<WriteResult> refused = writer_.Apply(Caller(), *Table(), {&put, 1});
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, ::testing::StartsWith(kNoSuchFamily));
}

TEST_F(RowWriterTest, TablesOfCqlAreTheSame) {
  Create({{.name = "f", .attributes = {}}});
  Put("r", "q", 5, "v");
  Cql("INSERT INTO t$f (k, q, t, v) VALUES (0x72, 0x70, 7, 0x63)");
  EXPECT_EQ(Get("r"), "f:p@7=c f:q@5=v");
  Delete("r", CellType::kDeleteFamily, "", 6);
  EXPECT_EQ(Get("r"), "f:p@7=c");
}

// A delete reads the delete markers of the row in its transaction. A change of the schema replaces the statement that
// reads them.
TEST_F(RowWriterTest, ConcurrencyOfDeletesWithTheSchema) {
  Create({{.name = "f"}});
  Delete("r", CellType::kDelete, "q", 1);  // Makes the table of the markers.
  std::atomic<bool> done{false};
  std::thread client([&] {
    int64_t t = 0;
    while (!done) {
      std::vector<Mutation> mutations(2);
      for (Mutation& mutation : mutations) mutation.row = "r";
      mutations[0].kind = MutationKind::kDelete;
      mutations[0].cells = {MakeCell("q", ++t, {}, CellType::kDelete)};
      mutations[1].kind = MutationKind::kIncrement;
      mutations[1].cells = {MakeCell("n", kLatestTimestamp, Bytes(7, '\0') + '\1')};
      EXPECT_TRUE(writer_.Apply(Caller(), *Table(), mutations).ok());
    }
  });
  for (int i = 0; i < 50; ++i) {
    Cql("CREATE TABLE other (k int PRIMARY KEY)");
    Cql("DROP TABLE other");
    Table();  // The catalog forgets the statements of the old schema.
  }
  done = true;
  client.join();
}

// A CQL statement changes the state of the row from "open" to "closed". From then on, no write whose condition has seen
// "open" may be applied.
TEST_F(RowWriterTest, ConcurrencyOfConditionsWithCql) {
  Create({{.name = "f", .attributes = {}}});
  Put("r", "state", 1, "open");
  std::atomic<bool> done{false};
  std::thread client([&] {
    while (!done) {
      RowCondition condition;
      condition.row = "r";
      condition.read.families = {{.family = "f", .qualifiers = {"state"}}};
      condition.comparator = MakeBinaryComparator("open");
      Mutation increment;
      increment.kind = MutationKind::kIncrement;
      increment.row = "r";
      increment.cells = {MakeCell("n", kLatestTimestamp, Bytes(7, '\0') + '\1')};
      EXPECT_TRUE(writer_.Apply(Caller(), *Table(), {&increment, 1}, &condition).ok());
    }
  });
  const auto set_state = [&](const std::string& state) {
    Cql("UPDATE \"default\".t$f SET v = 0x" + ToHex(state) + " WHERE k = 0x72 AND q = 0x" + ToHex("state") +
        " AND t = 1");
  };
  const auto count = [&] { return Get("r", 1, MakeQualifierFilter(CompareOp::kEqual, MakeBinaryComparator("n"))); };
  int late = 0;
  for (int round = 0; round < 300; ++round) {
    set_state("closed");
    const std::string closed_at = count();
    std::this_thread::sleep_for(std::chrono::microseconds(300));
    late += count() != closed_at;
    set_state("open");
    std::this_thread::sleep_for(std::chrono::microseconds(300));
  }
  done = true;
  client.join();
  EXPECT_EQ(late, 0);
  EXPECT_NE(count(), "");
}

}  // namespace
}  // namespace widerow::hbase
