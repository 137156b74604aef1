#include "storage/storage_engine.h"
#include "storage_test_support.h"
#include "types/token.h"

namespace widerow {
namespace {

using namespace storage_test;
using ::testing::HasSubstr;

class EngineTest : public EngineFixture {
 protected:
  void InsertRow(const Bytes& key, const Bytes& clustering, const Bytes& value, int64_t timestamp = 10) {
    Write(Row(table_, key, clustering, Insert(timestamp, {MakeCell(kA, timestamp, value)})));
  }
};

TEST_F(EngineTest, ARowIsReadBackAndSurvivesReopening) {
  InsertRow("k", "c", "v");
  const std::string expected = "k/c marker@10 3=v@10\n";
  EXPECT_EQ(ReadPartition("k"), expected);
  EXPECT_EQ(ReadAll(), expected);
  Reopen();
  EXPECT_EQ(ReadPartition("k"), expected);
}

// If a client sends each write after the answer to the previous one, each write is a group of its own and costs one
// sync. CommitLogTest.OneWriteAGroupAndOneSyncCall shows that a group costs one sync.
TEST_F(EngineTest, AWriteThatWaitsForThePreviousOneCostsOneGroup) {
  constexpr uint64_t kWrites = 50;
  const uint64_t before = engine().Statistics().groups;
  for (uint64_t i = 0; i < kWrites; ++i) InsertRow("k" + std::to_string(i % 7), std::to_string(i), "v");
  EXPECT_EQ(engine().Statistics().groups - before, kWrites);
}

TEST_F(EngineTest, GetRowFindsOneRowByItsKey) {
  InsertRow("k", "c", "v");
  auto view = engine().OpenView();
  ASSERT_TRUE(view.ok());
  RowView row;
  Result<bool> found = (*view)->GetRow(*table_, "k", "c", row);
  ASSERT_TRUE(found.ok() && found.value());
  EXPECT_EQ(RowText(row), "k/c marker@10 3=v@10");
  found = (*view)->GetRow(*table_, "k", "other", row);
  EXPECT_TRUE(found.ok() && !found.value());
  found = (*view)->GetStaticRow(*table_, "k", row);
  EXPECT_TRUE(found.ok() && !found.value());
}

TEST_F(EngineTest, AViewKeepsItsSnapshot) {
  InsertRow("k", "c", "old");
  auto view = engine().OpenView();
  InsertRow("k", "c", "new", 11);
  RowView row;
  ASSERT_TRUE((*view)->GetRow(*table_, "k", "c", row).value());
  EXPECT_EQ(RowText(row), "k/c marker@10 3=old@10");
  EXPECT_EQ(ReadPartition("k"), "k/c marker@11 3=new@11\n");
}

TEST_F(EngineTest, RowsComeInClusteringOrderBothWaysAndInRanges) {
  for (const char* c : {"d", "a", "c", "b", "e"}) InsertRow("k", c, c);
  Slice slice;
  slice.table = table_;
  slice.partitions = Slice::OnePartition{"k"};
  slice.clustering = {{"a", "c", false}, {"d", std::nullopt, true}};
  EXPECT_EQ(Read(slice), "k/a marker@10 3=a@10\nk/b marker@10 3=b@10\nk/d marker@10 3=d@10\n");
  slice.direction = Direction::kBackward;
  EXPECT_EQ(Read(slice), "k/d marker@10 3=d@10\nk/b marker@10 3=b@10\nk/a marker@10 3=a@10\n");
  slice.clustering = {{"d", std::nullopt, false}};
  EXPECT_EQ(Read(slice), "k/e marker@10 3=e@10\nk/d marker@10 3=d@10\n");
}

TEST_F(EngineTest, StaticRowsComeFirst) {
  PartitionMutation mutation = Row(table_, "k", "c", Insert(1, {}));
  mutation.rows.push_back({true, {}, Update({MakeCell(kStaticText, 1, "s")})});
  Write(std::move(mutation));
  const std::string expected = "k/static 2=s@1\nk/c marker@1\n";
  EXPECT_EQ(ReadPartition("k"), expected);
  EXPECT_EQ(ReadPartition("k", Direction::kBackward), expected);
  EXPECT_EQ(ReadAll(), expected);
  Slice slice;
  slice.table = table_;
  slice.partitions = Slice::TokenRange{};
  EXPECT_EQ(Read(slice), "k/c marker@1\n");
  slice.want_statics = true;
  slice.want_rows = false;
  EXPECT_EQ(Read(slice), "k/static 2=s@1\n");
}

TEST_F(EngineTest, PartitionsComeInTokenOrderAndTokenRangesCutThem) {
  std::map<int64_t, Bytes> keys;
  for (int i = 0; i < 50; ++i) keys[Murmur3Token(Int(i))] = Int(i);
  for (const auto& [token, key] : keys) InsertRow(key, "c", "v");
  const auto lines = [&](int64_t first, int64_t last) {
    std::string out;
    for (const auto& [token, key] : keys) {
      if (token >= first && token <= last) out += "0x" + ToHex(key) + "/c marker@10 3=v@10\n";
    }
    return out;
  };
  EXPECT_EQ(ReadAll(), lines(INT64_MIN, INT64_MAX));
  const int64_t first = std::next(keys.begin(), 10)->first, last = std::next(keys.begin(), 30)->first;
  Slice slice;
  slice.table = table_;
  slice.partitions = Slice::TokenRange{first, last};
  EXPECT_EQ(Read(slice), lines(first, last));
  slice.direction = Direction::kBackward;
  EXPECT_EQ(Read(slice), lines(first, last));
  slice.partitions = Slice::TokenRange{last, first};
  EXPECT_EQ(Read(slice), "");
}

// Reads a slice in pages of `page` rows. Each page begins after the last row of the previous page.
std::string ReadInPages(LmdbEngine& engine, Slice slice, int page) {
  std::string out;
  while (true) {
    auto view = engine.OpenView();
    auto cursor = (*view)->OpenSlice(slice);
    RowView row;
    int rows = 0;
    while (rows < page && (*cursor)->Next(row).value()) {
      out += RowText(row) + "\n";
      ++rows;
      slice.resume = Slice::ResumePoint{Bytes(row.partition_key), Bytes(row.clustering), false, row.is_static};
    }
    if (rows < page) return out;
  }
}

TEST_F(EngineTest, ResumingGivesTheSameRowsForEveryPageSize) {
  for (int p = 0; p < 5; ++p) {
    PartitionMutation mutation = Partition(table_, Int(p));
    if (p % 2 == 0) mutation.rows.push_back({true, {}, Update({MakeCell(kStaticText, 1, "s")})});
    for (const char* c : {"a", "b", "c", "d"}) mutation.rows.push_back({false, c, Insert(1, {})});
    Write(std::move(mutation));
  }
  for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
    for (const bool ranges : {false, true}) {
      Slice slice;
      slice.table = table_;
      slice.partitions = Slice::TokenRange{};
      slice.want_statics = true;
      slice.direction = direction;
      if (ranges) slice.clustering = {{"a", std::nullopt, true}, {"b", "d", false}};
      const std::string whole = Read(slice);
      for (int page = 1; page < 9; ++page) EXPECT_EQ(ReadInPages(engine(), slice, page), whole) << page;
      slice.partitions = Slice::OnePartition{Int(2)};
      const std::string partition = Read(slice);
      for (int page = 1; page < 6; ++page) EXPECT_EQ(ReadInPages(engine(), slice, page), partition) << page;
    }
  }
}

TEST_F(EngineTest, PartitionDoneAndSkipPartitionGoToTheNextPartition) {
  for (int p = 0; p < 3; ++p) {
    for (const char* c : {"a", "b"}) InsertRow(Int(p), c, "v");
  }
  Slice slice;
  slice.table = table_;
  slice.partitions = Slice::TokenRange{};
  auto view = engine().OpenView();
  auto cursor = (*view)->OpenSlice(slice);
  RowView row;
  std::vector<Bytes> keys;
  while ((*cursor)->Next(row).value()) {
    keys.emplace_back(row.partition_key);
    ASSERT_TRUE((*cursor)->SkipPartition().ok());
  }
  ASSERT_EQ(keys.size(), 3u);
  slice.resume = Slice::ResumePoint{.partition_key = keys[0], .partition_done = true};
  EXPECT_THAT(Read(slice), ::testing::StartsWith("0x" + ToHex(keys[1]) + "/a"));
  slice.resume->partition_key = keys[2];
  EXPECT_EQ(Read(slice), "");
}

// Reads a slice, and skips the rows whose clustering begins with the same byte as that of the row before them.
std::string ReadUnlike(LmdbEngine& engine, const Slice& slice) {
  std::string out;
  auto view = engine.OpenView();
  auto cursor = (*view)->OpenSlice(slice);
  RowView row;
  while ((*cursor)->Next(row).value()) {
    out += Bytes(row.partition_key) + Bytes(row.clustering) + ' ';
    EXPECT_TRUE((*cursor)->SkipAlike(1).ok());
  }
  return out;
}

TEST_F(EngineTest, SkipAlikeGoesToTheNextBeginning) {
  const auto write = [&](int from) {
    for (const char* partition : {"k", "l"}) {
      for (const auto& [beginning, rows] : std::map<char, int>{{'a', 1}, {'b', 60}, {'c', 2}, {'d', 17}, {'e', 35}}) {
        for (int i = from; i < rows; i += 2) InsertRow(partition, beginning + std::to_string(100 + i), "v");
      }
    }
  };
  Slice one, all, range, back;
  one.table = all.table = range.table = back.table = table_;
  one.partitions = range.partitions = back.partitions = Slice::OnePartition{"k"};
  all.partitions = Slice::TokenRange{};
  range.clustering = {{"b101", "c", false}, {"d105", std::nullopt, true}, {"d110", "e110", false}};
  back.direction = Direction::kBackward;
  const std::string k = "ka100 kb100 kc100 kd100 ke100 ", l = "la100 lb100 lc100 ld100 le100 ";
  const auto check = [&] {
    EXPECT_EQ(ReadUnlike(engine(), one), k);
    EXPECT_THAT(ReadUnlike(engine(), all), ::testing::AnyOf(k + l, l + k));
    EXPECT_EQ(ReadUnlike(engine(), range), "kb101 kd105 kd110 ke100 ");
    EXPECT_THAT(ReadUnlike(engine(), back), ::testing::StartsWith("ke134 ke133 "));  // A backward read skips nothing.
  };
  write(0);
  Flush();
  write(1);
  check();  // Every second row is in the data file.
  Flush();
  check();
  // A view does not see the rows that are written after it.
  auto view = engine().OpenView();
  auto cursor = (*view)->OpenSlice(one);
  for (const char* c : {"a0", "b0", "b2"}) InsertRow("k", c, "v");
  RowView row;
  ASSERT_TRUE((*cursor)->Next(row).value());
  ASSERT_TRUE((*cursor)->SkipAlike(1).ok());
  ASSERT_TRUE((*cursor)->Next(row).value());
  EXPECT_EQ(row.clustering, "b100");
}

TEST_F(EngineTest, PartitionsOfLongKeysAreOrdinaryPartitions) {
  for (const size_t size : {480u, 495u, 500u, 511u, 600u, 2'048u, 65'535u}) {
    for (const char* c : {"b", "a"}) InsertRow(Bytes(size, 'k'), c + Bytes(size, 'x'), "v");
  }
  for (const size_t size : {480u, 495u, 500u, 511u, 600u, 2'048u, 65'535u}) {
    Slice slice;
    slice.table = table_;
    slice.partitions = Slice::OnePartition{Bytes(size, 'k')};
    auto view = engine().OpenView();
    for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
      slice.direction = direction;
      auto cursor = (*view)->OpenSlice(slice);
      RowView row;
      ASSERT_TRUE((*cursor)->Next(row).value()) << size;
      const bool forward = direction == Direction::kForward;
      EXPECT_EQ(row.clustering, (forward ? "a" : "b") + Bytes(size, 'x'));
      EXPECT_EQ(row.partition_key, Bytes(size, 'k'));
      ASSERT_TRUE((*cursor)->Next(row).value());
      EXPECT_FALSE((*cursor)->Next(row).value());
    }
    slice.direction = Direction::kForward;
    slice.clustering = {{"a" + Bytes(size, 'x'), std::nullopt, true}, {"b", "b" + Bytes(size + 1, 'x'), false}};
    EXPECT_EQ(ReadInPages(engine(), slice, 1), Read(slice));
  }
  for (const size_t size : {480u, 495u, 500u, 511u, 600u, 2'048u, 65'535u}) {
    PartitionMutation mutation = Partition(table_, Bytes(size, 'k'));
    mutation.partition_deletion = {100, 0};
    Write(std::move(mutation));
  }
  EXPECT_EQ(ReadAll(), "");
}

TEST_F(EngineTest, APartitionKeyBeyondTheLimitIsRefused) {
  const Status status = Apply(Row(table_, Bytes(65'536, 'k'), "c", Insert(1, {})));
  EXPECT_EQ(ErrorText(status), "Invalid Key length of 65536 is longer than maximum of 65535");
}

TEST_F(EngineTest, DecideStepsSeeEarlierWritesAndMayRefuse) {
  const auto increment = [&](ReadView& view) -> Result<Mutation> {
    RowView row;
    WR_ASSIGN_OR_RETURN(const bool found, view.GetRow(*table_, "k", "c", row));
    const Bytes before = found ? Bytes(row.packed.Find(kA)) : Bytes();
    if (before.size() == 3) return InvalidError("enough");
    const int64_t timestamp = engine().NextTimestampMicros();
    return Mutation{Row(table_, "k", "c", Insert(timestamp, {MakeCell(kA, timestamp, before + "x")}))};
  };
  for (int i = 0; i < 3; ++i) {
    widerow::Write write;
    write.decide = increment;
    ASSERT_TRUE(engine().Apply(std::move(write)).ok());
  }
  widerow::Write refused;
  refused.mutation.push_back(Row(table_, "k", "other", Insert(1, {})));
  refused.decide = increment;
  EXPECT_EQ(ErrorText(engine().Apply(std::move(refused))), "Invalid enough");
  EXPECT_THAT(ReadPartition("k"), HasSubstr("3=xxx@"));
  EXPECT_THAT(ReadPartition("k"), ::testing::Not(HasSubstr("other"))) << "a refused write leaves nothing behind";
}

// The standard library throws if there is no memory. Then this write alone is refused, and the writer goes on.
TEST_F(EngineTest, AWriteWithoutMemoryIsRefused) {
  widerow::Write refused;
  refused.mutation.push_back(Row(table_, "k", "refused", Insert(1, {})));
  refused.decide = [](ReadView&) -> Result<Mutation> { throw std::bad_alloc(); };
  EXPECT_EQ(ErrorText(engine().Apply(std::move(refused))), "Overloaded The server has no memory for this request");
  widerow::Write good;
  good.mutation.push_back(Row(table_, "k", "good", Insert(1, {MakeCell(kA, 1, "x")})));
  EXPECT_TRUE(engine().Apply(std::move(good)).ok());
  EXPECT_THAT(ReadPartition("k"), HasSubstr("good"));
  EXPECT_THAT(ReadPartition("k"), ::testing::Not(HasSubstr("refused")));
}

// If a group is too long for one record of the log, it is logged in parts. If a single write is too long, only this
// write is refused.
TEST_F(EngineTest, AWriteThatIsTooLongIsRefusedAlone) {
  constexpr int kWrites = 6, kLong = 2;
  engine().SetRecordBytesMax(10'000);
  std::promise<void> release;
  widerow::Write holder;  // This write occupies the writer, so that the writes after it become one group.
  holder.decide = [released = release.get_future().share()](ReadView&) -> Result<Mutation> {
    return released.wait(), Mutation{};
  };
  engine().Submit(std::move(holder), [](const Status&) {});
  std::vector<Status> statuses(kWrites);
  std::atomic<int> answered{0};
  for (int i = 0; i < kWrites; ++i) {
    widerow::Write write;
    const Bytes value(i == kLong ? 40'000 : 4'000, 'x');
    write.mutation.push_back(Row(table_, Int(i), "c", Insert(1, {MakeCell(kA, 1, value)})));
    engine().Submit(std::move(write), [&, i](Status status) {
      statuses[i] = std::move(status);
      ++answered;
    });
  }
  release.set_value();
  for (int waits = 0; waits < 6'000 && answered < kWrites; ++waits)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ASSERT_EQ(answered, kWrites);
  for (int i = 0; i < kWrites; ++i) {
    EXPECT_EQ(statuses[i].ok(), i != kLong) << i << " " << ErrorText(statuses[i]);
    EXPECT_EQ(ReadPartition(Int(i)).empty(), i == kLong) << i;
  }
  EXPECT_THAT(ErrorText(statuses[kLong]), ::testing::HasSubstr("is longer than the maximum of 10000"));
  Reopen();
  for (int i = 0; i < kWrites; ++i) EXPECT_EQ(ReadPartition(Int(i)).empty(), i == kLong) << i;
  EXPECT_EQ(Stats()[0].rows, kWrites - 1);
}

TEST_F(EngineTest, TimestampsGrowAlsoAcrossRestartsOfAClockThatGoesBack) {
  int64_t last = 0;
  for (int i = 0; i < 100; ++i) {
    const int64_t next = engine().NextTimestampMicros();
    ASSERT_GT(next, last);
    last = next;
  }
  clock_->Set(1'000);
  Reopen();
  EXPECT_GT(engine().NextTimestampMicros(), last);
}

TEST_F(EngineTest, PartitionStatsCountWhatIsStored) {
  auto table = NewTable(engine().NewStorageId());
  // One partition for negative tokens, and one for the others.
  table->partition_map = {{1, ""}, {2, Bytes("\x80", 1) + Bytes(7, '\0')}};
  UseTable(table);
  for (int i = 0; i < 100; ++i) InsertRow(Int(i), "c", "v");
  InsertRow(Int(1), "c", "again", 11);
  engine().CountRead(*table_, Int(1), 7);
  const std::vector<PartitionStats> stats = Stats();
  ASSERT_EQ(stats.size(), 2u);
  EXPECT_EQ(stats[0].rows + stats[1].rows, 100);
  EXPECT_GT(stats[0].rows, 20);
  EXPECT_EQ(stats[0].writes + stats[1].writes, 101u);
  EXPECT_EQ(stats[Murmur3Token(Int(1)) < 0 ? 0 : 1].reads, 1u);
  EXPECT_EQ(stats[Murmur3Token(Int(1)) < 0 ? 0 : 1].read_micros, 7u);
  Reopen();
  EXPECT_EQ(Stats()[0].rows, stats[0].rows);
  EXPECT_EQ(Stats()[1].bytes, stats[1].bytes);
  for (int i = 0; i < 100; ++i) {
    PartitionMutation deletion = Partition(table_, Int(i));
    deletion.partition_deletion = {100, kStartSeconds};
    Write(std::move(deletion));
  }
  EXPECT_EQ(Stats()[0].rows, 0);
  EXPECT_EQ(Stats()[0].bytes, 0);
}

TEST_F(EngineTest, CellsOfADroppedColumnAreGone) {
  Write(Row(table_, "k", "c", Update({MakeCell(kA, 1, "a"), MakeCell(kB, 1, Bytes(5'000, 'b'))})));
  auto without = std::make_shared<TableSchema>(*table_);
  std::erase_if(without->columns, [](const ColumnSchema& column) { return column.id == kB; });
  without->dropped_columns.push_back({"b", ScalarType(TypeKind::kText), false, 5});
  const TablePtr before = table_;
  UseTable(without);
  EXPECT_EQ(ReadPartition("k"), "k/c 3=a@1\n");
  // Writes with the schema of the time before the drop. The row is rewritten, and the rewrite removes the old cell.
  Write(Row(before, "k", "c", Update({MakeCell(kA, 2, "a2"), MakeCell(kB, 2, "late")})));
  EXPECT_EQ(ReadPartition("k"), "k/c 3=a2@2\n");
  EXPECT_EQ(RecordCount(), 1u);
}

}  // namespace
}  // namespace widerow
