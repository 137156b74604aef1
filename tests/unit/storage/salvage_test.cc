// Damages the pages of a data file, one at a time, and salvages each file. The result must open. It must have no row
// that the undamaged file lacks, and may lack only rows of the damaged page.
#include "storage/check/salvage.h"

#include <fstream>
#include <set>
#include <sstream>

#include "storage/engine/restored.h"
#include "storage_test_support.h"
#include "types/order_codec.h"

namespace widerow {
namespace {

namespace fs = std::filesystem;
using namespace storage_test;

class SalvageTest : public EngineFixture {
 protected:
  static constexpr size_t kPageBytes = 4'096;
  static constexpr size_t kRowsOfPageMax = 60;

  Bytes At(ByteView text) const {
    Bytes out;
    AppendComparable(*table_->clustering(0).type, table_->clustering(0).descending, text, out);
    return out;
  }
  void Fill() {
    for (int i = 0; i < 3'000; ++i) {
      Write(Row(table_, Int(i), At("c"), Insert(1, {MakeCell(kA, 1, Bytes(100, static_cast<char>('a' + i % 26)))})));
    }
    Write(Row(table_, Bytes(2'000, 'k'), At(Bytes(600, 'c')), Insert(1, {MakeCell(kA, 1, "long")})));
    Write(Row(table_, "spilled", At("c"), Insert(1, {MakeCell(kA, 1, Bytes(300'000, 's'))})));
    Flush();
    Write(Row(table_, Int(5'000), At("c"), Insert(1, {MakeCell(kA, 1, "late")})));
  }
  static std::multiset<std::string> Lines(const std::string& text) {
    std::multiset<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.insert(line);
    return lines;
  }
  std::string RowsOf(const fs::path& directory) {
    StorageOptions there = options();
    there.directory = directory;
    auto opened = LmdbEngine::Open(there);
    if (!opened.ok()) return "error: " + opened.error().message;
    std::swap(engine_, *opened);
    std::string rows = ReadAll();
    std::swap(engine_, *opened);
    return rows;
  }
  static void Spoil(const fs::path& file, uint64_t offset) {
    std::fstream data(file, std::ios::in | std::ios::out | std::ios::binary);
    data.seekp(static_cast<std::streamoff>(offset));
    data.write("spoilt", 6);
  }
  Result<SalvageReport> Salvage(const fs::path& from, const fs::path& to) {
    fs::remove_all(to);
    return SalvageDirectory(
        from, to, [](const std::string&, uint64_t, uint64_t) {},
        [](const SalvageReport&) { return std::string("the report\n"); });
  }

  // Returns the beginning of RowText for a place.
  static std::string LineOf(const SalvagedPlace& place) {
    RowView row;
    row.partition_key = place.partition_key;
    row.is_static = !place.has_row;
    row.clustering = place.clustering;
    return RowText(row);
  }
  static std::string PlaceOfLine(const std::string& line) { return line.substr(0, line.find(' ')); }

  // Copies the directory as a kill would leave it, with writes in the log. Closing the engine would fold them.
  fs::path Killed() {
    const fs::path killed = scratch_.path() / "killed";
    fs::copy(directory_.path(), killed, fs::copy_options::recursive);
    engine_.reset();
    return killed;
  }

  // Writes rows, static columns, collections with a record for each element, and rows with long keys. Then the log gets
  // updates of some of them.
  void FillForUpdates() {
    for (int i = 0; i < kRows; ++i) {
      Write(Row(table_, Int(i), At("c"), Insert(1, {MakeCell(kA, 1, Bytes(100, static_cast<char>('a' + i % 26)))})));
      if (i % 4 == 0) Write(StaticOf(Int(i)));
      if (i % 9 == 0) Write(Row(table_, Int(i), At("m"), Insert(1, Elements(0, 30))));
      if (i % 5 == 0) Write(Row(table_, LongKey(i), At("c"), Insert(1, {MakeCell(kA, 1, "long")})));
    }
    Flush();
    for (int i = 0; i < kRows; i += 3) {
      Write(Row(table_, Int(i), At("c"), Update({MakeCell(kB, 2, "late")})));
      if (i % 5 == 0) Write(Row(table_, LongKey(i), At("c"), Update({MakeCell(kB, 2, "late")})));
      if (i % 9 == 0) Write(Row(table_, Int(i), At("m"), Update(Elements(30, 31))));
    }
    for (int i = 1; i < kRows; i += 3) {
      RowFragment whole = Insert(2, {MakeCell(kA, 2, "whole"), MakeCell(kB, 2, "whole")});
      for (const ColumnId column : {kMap, kDecimals, kList}) whole.column_deletions.push_back({column, {1, 1}});
      if (i % 2 == 0) whole = Update({MakeCell(kB, 2, "whole")});
      if (i % 2 == 0) whole.deletion = {1, 1};
      Write(Row(table_, Int(i), At("c"), std::move(whole)));
    }
  }
  static Bytes LongKey(int i) { return Int(i) + Bytes(700, 'k'); }
  PartitionMutation StaticOf(const Bytes& key) {
    PartitionMutation mutation = Row(table_, key, "", Update({MakeCell(kStaticText, 1, "static")}));
    mutation.rows[0].is_static = true;
    return mutation;
  }
  static std::vector<Cell> Elements(int begin, int end) {
    std::vector<Cell> cells;
    for (int i = begin; i < end; ++i) cells.push_back(MakeCell(kMap, 1, Bytes(100, 'm'), Int(i)));
    return cells;
  }

  static constexpr int kRows = 600;
  TempDirectory scratch_;
};

TEST_F(SalvageTest, OnlyRowsOfTheDamagedPageAreLost) {
  Fill();
  const std::multiset<std::string> all = Lines(ReadAll());
  engine_.reset();
  const fs::path damaged = scratch_.path() / "damaged", salvaged = scratch_.path() / "salvaged";
  const uint64_t pages = fs::file_size(directory_.path() / "data.mdb") / kPageBytes;
  ASSERT_GT(pages, 100u);
  size_t lost_any = 0, found_below = 0;
  for (uint64_t page = 2; page < pages; page += pages / 50) {
    fs::remove_all(damaged);
    fs::copy(directory_.path(), damaged, fs::copy_options::recursive);
    Spoil(damaged / "data.mdb", page * kPageBytes + 40);
    const Result<SalvageReport> report = Salvage(damaged, salvaged);
    ASSERT_TRUE(report.ok()) << "page " << page << ": " << report.error().message;
    const std::multiset<std::string> rows = Lines(RowsOf(salvaged));
    std::vector<std::string> more, missing;
    std::set_difference(rows.begin(), rows.end(), all.begin(), all.end(), std::back_inserter(more));
    std::set_difference(all.begin(), all.end(), rows.begin(), rows.end(), std::back_inserter(missing));
    const bool lost_catalog = !report->notes.empty();
    EXPECT_TRUE(more.empty()) << "page " << page << ": " << more[0].substr(0, 200);
    if (!lost_catalog) {
      EXPECT_LE(missing.size(), report->damaged_pages == 0 && report->lost_records == 0 ? 0 : kRowsOfPageMax)
          << "page " << page;
    }
    lost_any += missing.empty() ? 0 : 1;
    found_below += report->found_pages > 0 ? 1 : 0;
  }
  EXPECT_GT(lost_any, 0u);
}

TEST_F(SalvageTest, RowsBelowADamagedBranchPageAreFound) {
  Fill();
  const std::multiset<std::string> all = Lines(ReadAll());
  engine_.reset();
  const fs::path damaged = scratch_.path() / "damaged", salvaged = scratch_.path() / "salvaged";
  const uint64_t pages = fs::file_size(directory_.path() / "data.mdb") / kPageBytes;
  size_t branches = 0;
  for (uint64_t page = 2; page < pages; ++page) {
    std::ifstream data(directory_.path() / "data.mdb", std::ios::binary);
    data.seekg(static_cast<std::streamoff>(page * kPageBytes + 10));
    if (data.get() != 1) continue;  // Not a branch page.
    fs::remove_all(damaged);
    fs::copy(directory_.path(), damaged, fs::copy_options::recursive);
    Spoil(damaged / "data.mdb", page * kPageBytes + 40);
    const Result<SalvageReport> report = Salvage(damaged, salvaged);
    ASSERT_TRUE(report.ok()) << report.error().message;
    if (report->damaged_pages == 0) continue;  // A free page.
    ++branches;
    EXPECT_EQ(Lines(RowsOf(salvaged)), all) << "page " << page;
    EXPECT_GT(report->found_pages, 0u);
  }
  EXPECT_GT(branches, 0u);
}

// The disk has lost the write of a page, so the file has an old page there, with a checksum that matches.
TEST_F(SalvageTest, AnOldPageGivesNoOldRows) {
  Fill();
  const fs::path data = directory_.path() / "data.mdb", older = scratch_.path() / "older.mdb";
  for (int round = 0; round < 6; ++round) {
    if (round == 3) fs::copy_file(data, older);
    for (int i = round; i < 3'000; i += 2 + round) {
      Write(Row(table_, Int(i), At("c"),
                Insert(2 + round, {MakeCell(kA, 2 + round, Bytes(100, static_cast<char>('0' + round)))})));
    }
    Flush();
  }
  const std::multiset<std::string> all = Lines(ReadAll());
  engine_.reset();
  const fs::path damaged = scratch_.path() / "damaged", salvaged = scratch_.path() / "salvaged";
  std::ifstream now(data, std::ios::binary), then(older, std::ios::binary);
  const auto page_of = [](std::ifstream& file, uint64_t page) {
    Bytes bytes(kPageBytes, '\0');
    file.seekg(static_cast<std::streamoff>(page * kPageBytes));
    file.read(bytes.data(), kPageBytes);
    return bytes;
  };
  constexpr char kLeaf = 2;
  size_t harmed = 0;
  for (uint64_t page = 2; page < fs::file_size(older) / kPageBytes && harmed < 6; ++page) {
    const Bytes old = page_of(then, page);
    if (old[10] != kLeaf || old == page_of(now, page)) continue;
    fs::remove_all(damaged);
    fs::copy(directory_.path(), damaged, fs::copy_options::recursive);
    {
      std::fstream file(damaged / "data.mdb", std::ios::in | std::ios::out | std::ios::binary);
      file.seekp(static_cast<std::streamoff>(page * kPageBytes));
      file.write(old.data(), kPageBytes);
    }
    const Result<SalvageReport> report = Salvage(damaged, salvaged);
    ASSERT_TRUE(report.ok()) << "page " << page << ": " << report.error().message;
    if (report->damaged_pages == 0) continue;  // A free page.
    ++harmed;
    const std::multiset<std::string> rows = Lines(RowsOf(salvaged));
    EXPECT_TRUE(std::includes(all.begin(), all.end(), rows.begin(), rows.end())) << "page " << page;
  }
  EXPECT_GT(harmed, 0u);
}

// A row whose large value is lost is removed, also in a table without clustering columns, and beside a static row.
TEST_F(SalvageTest, ARowWithoutItsLargeValueIsRemoved) {
  for (int i = 0; i < 8; ++i) {
    Write(Row(table_, Int(i), "", Insert(1, {MakeCell(kA, 1, Bytes(20'000, static_cast<char>('a' + i)))})));
    Write(StaticOf(Int(i)));
  }
  Flush();
  const std::multiset<std::string> all = Lines(ReadAll());
  const fs::path killed = Killed();
  const fs::path damaged = scratch_.path() / "damaged", salvaged = scratch_.path() / "salvaged";
  const uint64_t pages = fs::file_size(killed / "data.mdb") / kPageBytes;
  size_t lost = 0;
  for (uint64_t page = 2; page < pages; ++page) {
    fs::remove_all(damaged);
    fs::copy(killed, damaged, fs::copy_options::recursive);
    Spoil(damaged / "data.mdb", page * kPageBytes + 2'000);
    const Result<SalvageReport> report = Salvage(damaged, salvaged);
    ASSERT_TRUE(report.ok()) << "page " << page << ": " << report.error().message;
    for (const std::string& note : report->notes) EXPECT_THAT(note, Not(HasSubstr("cannot be read are left"))) << page;
    const std::multiset<std::string> rows = Lines(RowsOf(salvaged));
    EXPECT_TRUE(std::includes(all.begin(), all.end(), rows.begin(), rows.end())) << "page " << page;
    lost += all.size() - rows.size();
  }
  EXPECT_GT(lost, 7u);
}

// Each salvaged row is whole, or the report lists it. If the log has a whole row, the report does not list the row.
TEST_F(SalvageTest, RowsThatLackAPartAreReported) {
  FillForUpdates();
  const std::multiset<std::string> all = Lines(ReadAll());
  const fs::path killed = Killed();
  const fs::path damaged = scratch_.path() / "damaged", salvaged = scratch_.path() / "salvaged";
  const uint64_t pages = fs::file_size(killed / "data.mdb") / kPageBytes;
  size_t lacking[3] = {}, listed_pages = 0;
  for (uint64_t page = 2; page < pages; page += 3) {
    fs::remove_all(damaged);
    fs::copy(killed, damaged, fs::copy_options::recursive);
    Spoil(damaged / "data.mdb", page * kPageBytes + 40);
    const Result<SalvageReport> report = Salvage(damaged, salvaged);
    ASSERT_TRUE(report.ok()) << "page " << page << ": " << report.error().message;
    if (!report->notes.empty()) continue;  // The catalog is damaged.
    std::set<std::string> reported;
    for (const PartialRow& row : report->partial_rows) {
      reported.insert(LineOf(row.place));
      ++lacking[static_cast<size_t>(row.lack)];
    }
    listed_pages += reported.empty() ? 0 : 1;
    EXPECT_TRUE(reported.empty() || !report->lost_ranges.empty()) << "page " << page;
    const std::multiset<std::string> rows = Lines(RowsOf(salvaged));
    std::set<std::string> statics;
    for (const std::string& line : rows) {
      if (PlaceOfLine(line).ends_with("/static")) statics.insert(PlaceOfLine(line));
      EXPECT_TRUE(all.contains(line) || reported.contains(PlaceOfLine(line))) << "page " << page << ": " << line;
      if (line.find("=whole@") != line.npos) {
        EXPECT_FALSE(reported.contains(PlaceOfLine(line))) << "page " << page << ": " << line;
      }
    }
    for (const std::string& line : all) {
      const std::string place = PlaceOfLine(line), key = place.substr(0, place.find('/') + 1);
      if (!place.ends_with("/static") || statics.contains(place)) continue;
      const auto row = rows.lower_bound(key);
      const bool shown = row != rows.end() && row->starts_with(key);
      EXPECT_TRUE(!shown || reported.contains(place)) << "page " << page << ": " << place;
    }
    EXPECT_LE(report->partial_rows.size(), 2 * kRowsOfPageMax) << "page " << page;
  }
  for (size_t lack = 0; lack < 3; ++lack) EXPECT_GT(lacking[lack], 0u) << lack;
  EXPECT_GT(listed_pages, 10u);
}

TEST_F(SalvageTest, NothingIsReportedForAWholeDirectory) {
  FillForUpdates();
  const std::string rows = ReadAll();
  const fs::path killed = Killed(), salvaged = scratch_.path() / "salvaged";
  const Result<SalvageReport> report = Salvage(killed, salvaged);
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_TRUE(report->partial_rows.empty());
  EXPECT_TRUE(report->lost_ranges.empty());
  std::ifstream text(salvaged / kSalvageTextName);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(text), {}), "the report\n");
  EXPECT_EQ(RowsOf(salvaged), rows);
}

// The record that says which groups are in the data file is damaged, and the log begins in the middle of the writes.
TEST_F(SalvageTest, TheLogIsReplayedWithoutTheRecordOfTheLastFold) {
  for (int i = 0; i < 4; ++i) {
    Write(Row(table_, Int(1), At("c"), Insert(1 + i, {MakeCell(kA, 1 + i, Bytes(20, static_cast<char>('a' + i)))})));
    Flush();
    Reopen();
  }
  Write(Row(table_, Int(1), At("c"), Update({MakeCell(kA, 9, "late")})));
  const std::string rows = ReadAll();
  const fs::path killed = Killed(), salvaged = scratch_.path() / "salvaged";
  {
    auto env = lmdb::Env::Open({.directory = killed, .map_bytes = map_bytes_});
    ASSERT_TRUE(env.ok() && (*env)->OpenDatabases().ok());
    auto txn = lmdb::WriteTxn::Begin(**env);
    ASSERT_TRUE(txn.ok() && txn->Put(lmdb::Db::kMeta, "L", "damaged record").ok() && txn->Commit().ok());
  }
  const Result<SalvageReport> report = Salvage(killed, salvaged);
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_THAT(report->notes, ::testing::ElementsAre(::testing::HasSubstr("a record of the catalog is damaged")));
  EXPECT_EQ(RowsOf(salvaged), rows);
}

TEST_F(SalvageTest, AViewWhoseTableIsLostIsLeftOut) {
  auto view = std::make_shared<TableSchema>(*NewTable(engine().NewStorageId(), "seen"));
  auto of = std::make_shared<ViewSchema>();
  of->base_table = "lost";
  view->view = std::move(of);
  ASSERT_TRUE(engine().CommitSchema(SchemaOf({table_, view})).ok());
  Fill();
  const std::string rows = ReadAll();
  engine_.reset();
  const fs::path salvaged = scratch_.path() / "salvaged";
  const Result<SalvageReport> report = Salvage(directory_.path(), salvaged);
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_THAT(report->notes, ::testing::Contains(::testing::HasSubstr("seen is lost, because its table is")));
  EXPECT_EQ(RowsOf(salvaged), rows);
  StorageOptions there = options();
  there.directory = salvaged;
  const auto opened = LmdbEngine::Open(there);
  ASSERT_TRUE(opened.ok());
  EXPECT_EQ((*opened)->LoadedSchema()->FindTable(table_->keyspace, "seen"), nullptr);
}

TEST_F(SalvageTest, ADirectoryThatIsNotEmptyIsRefused) {
  Fill();
  engine_.reset();
  const Result<SalvageReport> report = SalvageDirectory(
      directory_.path(), directory_.path(), [](const std::string&, uint64_t, uint64_t) {},
      [](const SalvageReport&) { return std::string("the report\n"); });
  ASSERT_FALSE(report.ok());
  EXPECT_THAT(report.error().message, ::testing::HasSubstr("is not empty"));
}

}  // namespace
}  // namespace widerow
