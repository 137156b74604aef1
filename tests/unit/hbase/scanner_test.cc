#include "net/hbase/filter/make_filters.h"
#include "tests/unit/hbase/hbase_test.h"

namespace widerow::hbase {
namespace {

class ScannerTest : public HBaseTest {
 protected:
  std::unique_ptr<ScanSpec> Range(Bytes start, Bytes stop, bool reversed = false) {
    auto spec = std::make_unique<ScanSpec>();
    spec->range = {.start = std::move(start), .stop = std::move(stop), .reversed = reversed};
    return spec;
  }
  // Creates the CQL table as the documents show it: PARTITION BY KEY, with 97 partitions.
  void CreateByKey() {
    Cql("CREATE KEYSPACE \"default\" WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    Cql("CREATE TABLEGROUP t");
    Cql("CREATE TABLE t$f (K varbinary(1024), Q varbinary(256), T bigint, V varbinary(1048576) NOT NULL, "
        "PRIMARY KEY (K, Q, T)) TABLEGROUP = t PARTITION BY KEY (K) PARTITIONS 97");
  }
};

TEST_F(ScannerTest, BothDirectionsInAnyBatch) {
  Create({{.name = "f", .attributes = {{"VERSIONS", "2"}}}}, {"b", "c"});
  for (const char* row : {"a", "b", "c"}) {
    for (const int64_t t : {1, 2, 3}) Put(row, "q", t, std::to_string(t));
    Put(row, "p", 1, "x");
  }
  EXPECT_EQ(Scan(Range("", "")), "a{f:p@1=x f:q@3=3} b{f:p@1=x f:q@3=3} c{f:p@1=x f:q@3=3} ");
  EXPECT_EQ(Scan(Range("c", "a", true)), "c{f:p@1=x f:q@3=3} b{f:p@1=x f:q@3=3} ");
  auto batches = Range("a", "b");
  batches->batch = 2;
  batches->read.max_versions = 9;
  EXPECT_EQ(Scan(std::move(batches)), "a{f:p@1=x f:q@3=3}+ a{f:q@2=2} ");
  auto limited = Range("", "");
  EXPECT_EQ(Scan(std::move(limited), {.results = 9, .rows = 2}), "a{f:p@1=x f:q@3=3} b{f:p@1=x f:q@3=3} ");
  EXPECT_EQ(Scan(Range("a", "b"), {.results = 9, .bytes = 1, .may_cut_rows = true}), "a{f:p@1=x}+ a{f:q@3=3} ");
}

TEST_F(ScannerTest, KeyPartitionsLookOrdered) {
  CreateByKey();
  std::string expected, backwards;
  for (int i = 0; i < 300; ++i) {
    const std::string row = "row" + std::to_string(1'000 + i);
    Put(row, "q", 2, "new");
    Put(row, "q", 1, "old");
    expected += row + "{f:q@2=new} ";
    backwards = row + "{f:q@2=new} " + backwards;
  }
  EXPECT_EQ(Scan(Range("", ""), {.results = 7}), expected);
  EXPECT_EQ(Scan(Range("", "", true), {.results = 7}), backwards);
}

TEST_F(ScannerTest, PrefixReadsOnePartition) {
  Cql("CREATE KEYSPACE \"default\" WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
  Cql("CREATE TABLE t$f (K varbinary(1024), Q varbinary(256), T bigint, V varbinary(1048576), "
      "K_PREFIX varbinary(1024) GENERATED ALWAYS AS (substring(K, 1, 4)), PRIMARY KEY (K, Q, T)) "
      "PARTITION BY KEY (K_PREFIX) PARTITIONS 97");
  EXPECT_EQ(Table()->families[0].prefix_bytes, 4u);
  for (const char* row : {"aaaa1", "aaaa2", "aaab1", "zzzz"}) Put(row, "q", 1, "v");
  EXPECT_EQ(Scan(Range("aaaa", "aaab")), "aaaa1{f:q@1=v} aaaa2{f:q@1=v} ");
  EXPECT_EQ(Scan(Range("", "")), "aaaa1{f:q@1=v} aaaa2{f:q@1=v} aaab1{f:q@1=v} zzzz{f:q@1=v} ");
}

TEST_F(ScannerTest, RowsWithMoreCellsThanAChunk) {
  Create({{.name = "f", .attributes = {}}, {.name = "g", .attributes = {}}});
  std::string wide;
  Mutation put;
  for (int i = 0; i < 500; ++i) {
    const std::string qualifier = "q" + std::to_string(1'000 + i);
    put.cells.push_back(MakeCell(qualifier, 1, "v"));
    wide += (wide.empty() ? "" : " ") + ("f:" + qualifier) + "@1=v";
  }
  for (const char* row : {"a", "b", "c"}) {
    put.row = row;
    ASSERT_TRUE(writer_.Apply(Caller(), *Table(), {&put, 1}).ok());
  }
  Mutation other;
  other.row = "b";
  other.cells = {{.family = "g", .qualifier = "q", .timestamp = 1, .value = "v"}};
  ASSERT_TRUE(writer_.Apply(Caller(), *Table(), {&other, 1}).ok());
  EXPECT_EQ(Scan(Range("", "")), "a{" + wide + "} b{" + wide + " g:q@1=v} c{" + wide + "} ");
  EXPECT_EQ(Scan(Range("", "", true)), "c{" + wide + "} b{" + wide + " g:q@1=v} a{" + wide + "} ");
}

// A row that is too large to be encoded directly is read as Cell objects, and so are all rows after it.
TEST_F(ScannerTest, LargeRowsAmongSmallOnes) {
  Create({{.name = "f", .attributes = {}}});
  std::string expected;
  for (const auto& [row, bytes] : std::map<std::string, size_t>{{"a", 1}, {"b", 3'000}, {"c", 1}, {"d", 90'000}}) {
    std::string cells;
    for (const char* qualifier : {"q1", "q2", "q3"}) {
      const Bytes value(bytes, 'v');
      for (const int64_t t : {1, 2}) Put(row, qualifier, t, value);
      cells += (cells.empty() ? "" : " ") + ("f:" + std::string(qualifier)) + "@2=" + value;
    }
    expected += row + "{" + cells + "} ";
  }
  EXPECT_EQ(Scan(Range("", "")), expected);
  EXPECT_EQ(Scan(Range("", ""), {.results = 1}), expected);
  EXPECT_EQ(Scan(Range("", ""), {.results = 9, .bytes = 100}), expected);
  EXPECT_EQ(Scan(Range("d", "")), expected.substr(expected.find("d{")));
}

TEST_F(ScannerTest, ExpiredCells) {
  Create({{.name = "f", .attributes = {{"TTL", "100"}, {"VERSIONS", "3"}}}});
  const int64_t now = catalog_.own().NowMs();
  const std::string young = std::to_string(now);
  for (const char* row : {"a", "b", "c"}) Put(row, "q", now - 200'000, "old");
  Put("b", "q", now, "young");
  auto spec = Range("", "");
  spec->read.max_versions = 3;
  EXPECT_EQ(Scan(std::move(spec)), "b{f:q@" + young + "=young} ");
}

TEST_F(ScannerTest, ManyVersionsOfAColumn) {
  Create({{.name = "f", .attributes = {{"VERSIONS", "3"}}}});
  for (const char* row : {"a", "b"}) {
    for (const char* qualifier : {"", "q", "r"}) {
      for (int64_t t = 1; t <= 40; ++t) Put(row, qualifier, t, std::to_string(t));
      if (*row == 'a') { ASSERT_TRUE(engine_->Flush().ok()); }
    }
  }
  Put("b", "r", 50, "new");
  const auto scan = [&](int32_t versions, TimeRange times, std::vector<Bytes> qualifiers = {}) {
    auto spec = Range("", "");
    spec->read.max_versions = versions;
    spec->read.time_range = times;
    if (!qualifiers.empty()) spec->read.families = {{.family = "f", .qualifiers = std::move(qualifiers)}};
    return Scan(std::move(spec));
  };
  EXPECT_EQ(scan(1, {}), "a{f:@40=40 f:q@40=40 f:r@40=40} b{f:@40=40 f:q@40=40 f:r@50=new} ");
  EXPECT_EQ(scan(2, {.from = 3, .to = 30}),
            "a{f:@29=29 f:@28=28 f:q@29=29 f:q@28=28 f:r@29=29 f:r@28=28} "
            "b{f:@29=29 f:@28=28 f:q@29=29 f:q@28=28 f:r@29=29 f:r@28=28} ");
  EXPECT_EQ(scan(9, {.from = 39, .to = 60}, {"r"}), "a{f:r@40=40 f:r@39=39} b{f:r@50=new f:r@40=40 f:r@39=39} ");
  EXPECT_EQ(scan(1, {.from = 41, .to = 60}, {"", "q"}), "");
  EXPECT_EQ(Get("b", 1), "f:@40=40 f:q@40=40 f:r@50=new");
  Delete("b", CellType::kDelete, "r", 50);
  EXPECT_EQ(Get("b", 1), "f:@40=40 f:q@40=40 f:r@40=40");
}

// Counts the rows that it gets, and needs only the newest version of each column.
class Counter final : public RowViewer {
 public:
  Mode mode() const override { return {.of_one_moment = false, .skips_alike = true}; }
  void Begin(const ResultColumnsPtr& /*columns*/) override {}
  bool Show(std::span<const ByteView> /*values*/) override { return ++rows_ > 0; }
  bool SkipsAlike() const override { return true; }
  int rows() const { return rows_; }

 private:
  int rows_ = 0;
};

TEST_F(ScannerTest, OldVersionsAreNotRead) {
  Create({{.name = "f", .attributes = {}}}, {"b"});
  for (const char* row : {"a", "b", "c"}) {
    for (int64_t t = 1; t <= 40; ++t) Put(row, "q", t, "v");
    Put(row, "r", 1, "v");
  }
  const Result<PreparedPtr> select = engine_->Prepare("SELECT q, t, v FROM \"default\".t$f ORDER BY k", "");
  ASSERT_TRUE(select.ok()) << select.error().message;
  Counter counter;
  ASSERT_TRUE(catalog_.own().Show(*select, {}, counter, {}).ok());
  EXPECT_EQ(counter.rows(), 6);
}

// A request whose time is used up examines one more row and then ends. So a scan comes to its end, however slow its
// filter is.
TEST_F(ScannerTest, FiltersHaveATime) {
  Create({{.name = "f"}});
  for (const char* row : {"a", "b", "c", "d"}) Put(row, "q", 1, "v");
  const HTablePtr table = Table();
  auto spec = Range("", "");
  spec->read.filter = MakeRowFilter(CompareOp::kEqual, MakeBinaryComparator("c"));
  const Result<std::vector<ReadFamily>> families = FamiliesOf(*table, spec->read);
  ASSERT_TRUE(families.ok());
  Scanner scanner(table, MakeTableSource(catalog_.For(Caller()), table, *families), *families, std::move(spec));
  std::string rows;
  int requests = 0;
  for (bool more = true; more && requests < 10; ++requests) {
    const Result<ScanAnswer> answer = scanner.Next({.results = 10, .time = {}}, catalog_.own().NowMs());
    ASSERT_TRUE(answer.ok());
    for (const ScanResult& result : answer->results) rows += result.cells.row;
    EXPECT_EQ(answer->out_of_time, answer->more);
    more = answer->more;
  }
  EXPECT_EQ(rows, "c");
  EXPECT_EQ(requests, 4);
}

TEST_F(ScannerTest, AFilterHasATimeForEachRow) {
  Create({{.name = "f"}});
  for (int i = 0; i < 40; ++i) Put("r", "q" + std::to_string(i), 1, "v");
  const auto read = [&](std::chrono::milliseconds time) {
    ReadSpec spec;
    spec.filter = MakeValueFilter(CompareOp::kEqual, MakeBinaryComparator("v"));
    spec.filter_time = time;
    return writer_.Get(Caller(), *Table(), "r", spec);
  };
  const Result<std::vector<Cell>> all = read(std::chrono::seconds(30));
  ASSERT_TRUE(all.ok());
  EXPECT_EQ(all->size(), 40u);
  const Result<std::vector<Cell>> refused = read({});
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, ::testing::HasSubstr("more than 0 ms for one row"));
}

TEST_F(ScannerTest, PageFilterEndsTheScan) {
  Create({{.name = "f", .attributes = {}}});
  for (const char* row : {"a", "b", "c"}) Put(row, "q", 1, "v");
  auto spec = Range("", "");
  spec->read.filter = MakePageFilter(2);
  EXPECT_EQ(Scan(std::move(spec)), "a{f:q@1=v} b{f:q@1=v} ");
}

TEST_F(ScannerTest, FilterListsAndColumns) {
  Create({{.name = "f", .attributes = {{"VERSIONS", "3"}}}});
  for (const char* row : {"a", "b"}) {
    for (const char* qualifier : {"p1", "p2", "q1"}) Put(row, qualifier, 1, qualifier);
  }
  Put("b", "q1", 2, "new");
  const auto scan = [&](FilterPtr filter) {
    auto spec = Range("", "");
    spec->read.filter = std::move(filter);
    spec->read.max_versions = 3;
    return Scan(std::move(spec));
  };
  EXPECT_EQ(scan(MakeColumnPrefixFilter("p")), "a{f:p1@1=p1 f:p2@1=p2} b{f:p1@1=p1 f:p2@1=p2} ");
  EXPECT_EQ(scan(MakeColumnPaginationFilter(1, 1, std::nullopt)), "a{f:p2@1=p2} b{f:p2@1=p2} ");
  EXPECT_EQ(scan(MakeFirstKeyOnlyFilter()), "a{f:p1@1=p1} b{f:p1@1=p1} ");
  EXPECT_EQ(
      scan(MakeSingleColumnValueFilter({.family = "f", .qualifier = "q1", .comparator = MakeBinaryComparator("new")})),
      "b{f:p1@1=p1 f:p2@1=p2 f:q1@2=new f:q1@1=q1} ");
  std::vector<FilterPtr> either;
  either.push_back(MakeValueFilter(CompareOp::kEqual, MakeBinaryComparator("p2")));
  either.push_back(MakeQualifierFilter(CompareOp::kEqual, MakeSubstringComparator("Q")));
  EXPECT_EQ(scan(MakeOrList(std::move(either))), "a{f:p2@1=p2 f:q1@1=q1} b{f:p2@1=p2 f:q1@2=new f:q1@1=q1} ");
  std::vector<FilterPtr> both;
  both.push_back(MakePrefixFilter("b"));
  both.push_back(MakeTimestampsFilter({2}, false));
  EXPECT_EQ(scan(MakeAndList(std::move(both))), "b{f:q1@2=new} ");
  EXPECT_EQ(scan(MakeFuzzyRowFilter({{.key = "b", .mask = Bytes(1, '\0')}}, false)),
            "a{f:p1@1=p1 f:p2@1=p2 f:q1@1=q1} b{f:p1@1=p1 f:p2@1=p2 f:q1@2=new f:q1@1=q1} ");
  EXPECT_EQ(scan(MakeFuzzyRowFilter({{.key = "b", .mask = "\xff"}}, true)),
            "b{f:p1@1=p1 f:p2@1=p2 f:q1@2=new f:q1@1=q1} ");
}

// Each family is read by itself: the filter can end the read of a family, or let it go on at a later row.
TEST_F(ScannerTest, FiltersMoveFamiliesAsInHBase) {
  Create({{.name = "f", .attributes = {{"VERSIONS", "3"}}}});
  for (const char* row : {"a", "b", "c"}) {
    for (const int64_t t : {1, 2, 3}) Put(row, "", t, std::to_string(t));
    Put(row, "q", 2, "x");
  }
  const auto scan = [&](FilterPtr filter, bool reversed = false) {
    auto spec = Range("", "", reversed);
    spec->read.filter = std::move(filter);
    return Scan(std::move(spec));
  };
  // The filter counts each version of the column without a name. If the limit is 1, the second version ends the read.
  EXPECT_EQ(scan(MakeColumnCountGetFilter(1)), "a{f:@3=3} ");
  EXPECT_EQ(Get("a", 1, MakeColumnCountGetFilter(3)), "f:@3=3");
  // The filter ends the read at the last cell of "a". The scan sees this when it comes to the next row.
  EXPECT_EQ(scan(MakeColumnCountGetFilter(3)), "a{f:@3=3} ");
  EXPECT_EQ(scan(MakeColumnCountGetFilter(4)), "a{f:@3=3 f:q@2=x} b{f:@3=3 f:q@2=x} c{f:@3=3 f:q@2=x} ");
  // The inner filter does not know that the read is reversed. So it ends the read at "c", which is greater than "a".
  EXPECT_EQ(scan(MakeWhileMatchFilter(MakeInclusiveStopFilter("a")), true), "");
  EXPECT_EQ(scan(MakeWhileMatchFilter(MakeInclusiveStopFilter("a"))), "a{f:@3=3 f:q@2=x} ");
  // A hint in a reversed read does not pass over versions.
  EXPECT_EQ(scan(MakeTimestampsFilter({2}, true), true), "c{f:@2=2 f:q@2=x} b{f:@2=2 f:q@2=x} a{f:@2=2 f:q@2=x} ");
  // The cells of a row that is excluded by its key are shown to the filter, too.
  std::vector<FilterPtr> both;
  both.push_back(MakeRowFilter(CompareOp::kNotEqual, MakeBinaryComparator("a")));
  both.push_back(MakeWhileMatchFilter(MakeQualifierFilter(CompareOp::kEqual, MakeBinaryComparator(""))));
  EXPECT_EQ(scan(MakeOrList(std::move(both))), "a{f:@3=3} b{f:@3=3 f:q@2=x} c{f:@3=3 f:q@2=x} ");
}

TEST_F(ScannerTest, HintsOfOneFamilyLeaveTheOthers) {
  Create({{.name = "f", .attributes = {}}, {.name = "g", .attributes = {}}});
  for (const char* row : {"a", "b", "c"}) {
    Apply(MutationKind::kPut, row,
          {{.family = "f", .qualifier = "q", .timestamp = 1, .value = "x"},
           {.family = "g", .qualifier = "q", .timestamp = 1, .value = "y"}});
  }
  auto spec = Range("", "");
  std::vector<FilterPtr> either;
  either.push_back(MakeFuzzyRowFilter({{.key = "c", .mask = "\xff"}}, true));
  spec->read.filter = MakeOrList(std::move(either));
  EXPECT_EQ(Scan(std::move(spec)), "c{f:q@1=x g:q@1=y} ");
}

}  // namespace
}  // namespace widerow::hbase
