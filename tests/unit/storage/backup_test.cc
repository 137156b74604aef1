// Backups and restores of the storage. A restored directory must show the rows of the moment that it is restored to,
// whatever changed them: writes, schema changes, bulk loads, purges. tests/backup tests the commands, and kills them
// while they run.
#include <fstream>

#include "storage/backup/verify_backup.h"
#include "storage/backup/write_backup.h"
#include "storage/bulk/bulk_load.h"
#include "storage/engine/restore_backup.h"
#include "storage/engine/restored.h"
#include "storage_test_support.h"

namespace widerow {
namespace {

namespace fs = std::filesystem;
using namespace storage_test;
using ::testing::HasSubstr;
using ::testing::Not;

class BackupTest : public EngineFixture {
 protected:
  static constexpr int kGcGrace = 100;

  void SetUp() override {
    keep_log_bytes_ = 64u << 20;
    EngineFixture::SetUp();
    auto table = std::make_shared<TableSchema>(*table_);
    table->options.gc_grace_seconds = kGcGrace;
    UseTable(table);
  }
  fs::path To() const { return scratch_.path() / "backup"; }

  Result<BackupOutcome> TryBackup() {
    return WriteBackup({.directory = To(), .program_version = "test", .progress = {}},
                       [&](const std::optional<BackupPlace>& since) { return engine().BeginBackup(since); });
  }
  BackupOutcome Backup() {
    Result<BackupOutcome> outcome = TryBackup();
    EXPECT_TRUE(outcome.ok()) << outcome.error().message;
    return outcome.ok() ? *outcome : BackupOutcome();
  }
  std::string BackupError() {
    const Result<BackupOutcome> outcome = TryBackup();
    return outcome.ok() ? "no error" : outcome.error().message;
  }
  Result<Restored> TryRestore(std::optional<int64_t> until = {}) {
    restored_ = scratch_.path() / ("restored" + std::to_string(++restores_));
    return RestoreBackup({.from = To(), .to = restored_, .until = until, .keyspace = {}, .table = {}, .progress = {}});
  }
  // Restores the backup, and returns all rows of the result.
  std::string RestoredRows(std::optional<int64_t> until = {}) {
    const Result<Restored> restored = TryRestore(until);
    if (!restored.ok()) return "error: " + restored.error().message;
    return RowsOf(restored_);
  }
  std::string RowsOf(const fs::path& directory) {
    StorageOptions there = options();
    there.directory = directory;
    there.keep_log_bytes = 0;
    there.background_sweep = false;
    auto opened = LmdbEngine::Open(there);
    if (!opened.ok()) return "error: " + opened.error().message;
    std::swap(engine_, *opened);
    std::string rows = ReadAll();
    std::swap(engine_, *opened);
    return rows;
  }
  void Put(int32_t key, const Bytes& value, int64_t timestamp = 1) {
    Write(Row(table_, Int(key), "c", Insert(timestamp, {MakeCell(kA, timestamp, value)})));
  }
  void Delete(int32_t key, int64_t timestamp) {
    PartitionMutation gone = Partition(table_, Int(key));
    gone.partition_deletion = {timestamp, clock_->NowSeconds()};
    Write(std::move(gone));
  }
  void Import(int32_t first, int32_t count, int64_t timestamp = 1) {
    const std::unique_ptr<BulkLoad> load = engine().OpenBulk(table_, {});
    for (int32_t key = first; key < first + count; ++key) {
      ASSERT_TRUE(
          load->Add(0, Row(table_, Int(key), "c", Insert(timestamp, {MakeCell(kA, timestamp, Bytes(300, 'b'))}))).ok());
    }
    const Status stored = load->Store({});
    ASSERT_TRUE(stored.ok()) << stored.error().message;
  }
  void Sweep() {
    const Status swept = engine().SweepAll();
    ASSERT_TRUE(swept.ok()) << swept.error().message;
  }
  void Pass(int64_t seconds) { clock_->Set((clock_->NowSeconds() + seconds) * 1'000'000); }
  int64_t Now() { return clock_->NowMicros(); }

  TempDirectory scratch_;
  fs::path restored_;
  int restores_ = 0;
};

TEST_F(BackupTest, AFullBackupHasAllRecords) {
  for (int i = 0; i < 500; ++i) Put(i, Bytes(200, 'x'));
  Write(Row(table_, Bytes(2'000, 'k'), Bytes(600, 'c'), Insert(1, {MakeCell(kA, 1, "long")})));
  Write(Row(table_, "spilled", "c", Insert(1, {MakeCell(kA, 1, Bytes(700'000, 's'))})));
  Flush();
  Put(1'000, "onlyInTheLog");
  Delete(7, 5);
  const BackupOutcome outcome = Backup();
  EXPECT_TRUE(outcome.full);
  EXPECT_GT(outcome.manifest.records, 500u);
  EXPECT_EQ(RestoredRows(), ReadAll());
  EXPECT_THAT(ReadAll(), HasSubstr("onlyInTheLog"));
}

TEST_F(BackupTest, EachMomentCanBeRestored) {
  Put(1, "first");
  Flush();
  const BackupOutcome full = Backup();
  std::vector<std::pair<int64_t, std::string>> moments{{Now(), ReadAll()}};
  for (int i = 0; i < 6; ++i) {
    Pass(10);
    Put(i, "value of step " + std::to_string(i), 10 + i);
    if (i == 2) Delete(1, 100);
    if (i == 3) Flush();
    moments.emplace_back(Now(), ReadAll());
    if (i % 2 == 1) { EXPECT_FALSE(Backup().full); }
  }
  EXPECT_EQ(ReadManifest(To())->logs.size(), 4u);
  for (const auto& [moment, rows] : moments) EXPECT_EQ(RestoredRows(moment), rows) << moment;
  EXPECT_EQ(RestoredRows(moments[2].first + 3'000'000), moments[2].second) << "between two writes";
  EXPECT_THAT(RestoredRows(full.manifest.first_moment - 1), HasSubstr("cannot show the moment"));
  EXPECT_THAT(RestoredRows(Now() + 1), HasSubstr("cannot show the moment"));
}

TEST_F(BackupTest, BulkLoadsAndPurgesAreInTheLog) {
  for (int i = 0; i < 20; ++i) Put(i, "old");
  Flush();
  Backup();
  for (int i = 0; i < 10; ++i) Delete(i, 50);
  Import(1'000, 3'000);
  Pass(1);
  const auto before = std::pair(Now(), ReadAll());
  Pass(kGcGrace + 1);
  Sweep();
  EXPECT_GT(engine().Purges(*table_).records_purged, 0u);
  // These writes are older than the tombstones of their rows. But the tombstones have been purged, so the writes are
  // visible.
  for (int i = 0; i < 10; ++i) Put(i, "late", 20);
  EXPECT_THAT(ReadAll(), HasSubstr("late"));
  Import(10'000, 3'000);
  // The imported row is older than the tombstone, which is in the memtable.
  Delete(20'000, 50);
  Import(20'000, 1, 20);
  Flush();
  EXPECT_GT(Backup().groups, 20u);
  EXPECT_EQ(RestoredRows(before.first), before.second);
  EXPECT_EQ(RestoredRows(), ReadAll());
}

TEST_F(BackupTest, APurgeBetweenWritesToOnePartitionKeepsItsPlace) {
  Backup();
  for (int round = 0; round < 4; ++round) {
    const int64_t base = 100 - 10 * round;
    Put(1, "before", base);
    Delete(1, base + 5);
    Flush();
    Pass(kGcGrace + 1);
    Sweep();
    Put(1, "after" + std::to_string(round), base - 7);
    Flush();
  }
  EXPECT_THAT(ReadAll(), HasSubstr("after3"));
  Backup();
  EXPECT_EQ(RestoredRows(), ReadAll());
}

TEST_F(BackupTest, SchemaChangesAreInTheLog) {
  Put(1, "x");
  Import(100, 10);
  Backup();
  const TablePtr first = table_;
  Import(200, 10);
  UseTable(NewTable(engine().NewStorageId()));
  Put(2, "in the second table");
  Import(300, 10);
  Backup();
  EXPECT_EQ(RestoredRows(), ReadAll());
  EXPECT_THAT(RestoredRows(), Not(HasSubstr("=x@")));
}

TEST_F(BackupTest, ARestartKeepsTheLog) {
  Put(1, "one");
  Backup();
  Put(2, "two");
  Flush();
  Reopen();
  Put(3, "three");
  Reopen();
  Import(10, 5);
  EXPECT_FALSE(Backup().full);
  EXPECT_EQ(RestoredRows(), ReadAll());
  EXPECT_TRUE(engine().Backups().log_reaches_backup);
}

TEST_F(BackupTest, AStartThatDoesNotKeepTheLogEndsTheHistory) {
  Put(1, "one");
  Backup();
  keep_log_bytes_ = 0;
  Reopen();
  EXPECT_THAT(BackupError(), HasSubstr("does not keep its commit log"));
  keep_log_bytes_ = 64u << 20;
  Reopen();
  EXPECT_THAT(BackupError(), HasSubstr("without a gap"));
  EXPECT_EQ(RestoredRows(), ReadAll()) << "the earlier backup is still whole";
}

TEST_F(BackupTest, TheLogIsKeptUpToItsBound) {
  keep_log_bytes_ = 1u << 20;
  Reopen();
  Backup();
  for (int i = 0; i < 200; ++i) {
    Put(i, Bytes(100'000, 'v'));
    if (i % 20 == 19) Flush();
  }
  EXPECT_LE(engine().Backups().kept_log_bytes, keep_log_bytes_);
  EXPECT_FALSE(engine().Backups().log_reaches_backup);
  EXPECT_THAT(BackupError(), HasSubstr("no longer has the group"));
}

TEST_F(BackupTest, WithoutAKeptLogABackupIsOneMoment) {
  keep_log_bytes_ = 0;
  Reopen();
  Put(1, "one");
  Flush();
  Put(2, "in the log");
  const std::string rows = ReadAll();
  EXPECT_FALSE(Backup().manifest.history);
  Put(3, "later");
  EXPECT_THAT(BackupError(), HasSubstr("no incremental backup can follow"));
  EXPECT_EQ(RestoredRows(), rows);
}

TEST_F(BackupTest, WritesDuringABackupAreInItOrNot) {
  for (int i = 0; i < 2'000; ++i) Put(i, Bytes(500, 'x'));
  std::string at_begin;
  const Result<BackupOutcome> outcome = WriteBackup({.directory = To(), .program_version = "test", .progress = {}},
                                                    [&](const std::optional<BackupPlace>& since) {
                                                      auto source = engine().BeginBackup(since);
                                                      at_begin = ReadAll();
                                                      Put(1, "during", 9);
                                                      Delete(2, 9);
                                                      Flush();
                                                      Import(50'000, 10);
                                                      return source;
                                                    });
  ASSERT_TRUE(outcome.ok()) << outcome.error().message;
  EXPECT_EQ(RestoredRows(outcome->manifest.first_moment - 0), ReadAll()) << "the clock stands still";
  EXPECT_NE(at_begin, ReadAll());
}

TEST_F(BackupTest, DamageAndMissingFilesAreRefused) {
  for (int i = 0; i < 300; ++i) Put(i, Bytes(300, 'x'));
  Flush();
  Put(1, "log", 5);
  Backup();
  Put(2, "log", 5);
  Backup();
  const fs::path whole = scratch_.path() / "whole";
  fs::copy(To(), whole);
  for (const char* const name : {"base.mdb", "log-000001.groups", "log-000002.groups", kManifestName}) {
    const auto bytes = fs::file_size(whole / name);
    for (const uint64_t at : {uint64_t{0}, bytes / 2, bytes - 3}) {
      fs::copy_file(whole / name, To() / name, fs::copy_options::overwrite_existing);
      {
        std::fstream file(To() / name, std::ios::in | std::ios::out | std::ios::binary);
        file.seekg(static_cast<std::streamoff>(at));
        const auto byte = static_cast<char>(file.get() ^ 4);
        file.seekp(static_cast<std::streamoff>(at));
        file.put(byte);
      }
      EXPECT_THAT(RestoredRows(), HasSubstr("damaged")) << name << " " << at;
    }
    fs::resize_file(To() / name, bytes - 1);
    EXPECT_FALSE(TryRestore().ok()) << name;
    fs::remove(To() / name);
    EXPECT_FALSE(TryRestore().ok()) << name;
    fs::copy_file(whole / name, To() / name, fs::copy_options::overwrite_existing);
  }
  EXPECT_EQ(RestoredRows(), ReadAll());
}

TEST_F(BackupTest, AnUnfinishedRestoreIsNotOpened) {
  Put(1, "one");
  Backup();
  ASSERT_TRUE(TryRestore().ok());
  std::ofstream(restored_ / kRestoringName).put('\n');
  EXPECT_THAT(RowsOf(restored_), HasSubstr("was not finished"));
  const Result<Restored> again =
      RestoreBackup({.from = To(), .to = restored_, .until = {}, .keyspace = {}, .table = {}, .progress = {}});
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(RowsOf(restored_), ReadAll());
}

TEST_F(BackupTest, AnUnfinishedBackupIsRemovedByTheNext) {
  Put(1, "one");
  fs::create_directory(To());
  std::ofstream(To() / "base.mdb") << "half";
  std::ofstream(To() / "log-000001.groups") << "half";
  EXPECT_THAT(RestoredRows(), HasSubstr("no complete backup"));
  EXPECT_TRUE(Backup().full);
  std::ofstream(To() / "log-000002.groups") << "half";
  Put(2, "two");
  EXPECT_EQ(Backup().manifest.logs.size(), 2u);
  EXPECT_EQ(RestoredRows(), ReadAll());
}

TEST_F(BackupTest, OtherDirectoriesAreRefused) {
  Put(1, "one");
  Backup();
  std::ofstream(To() / "mine.txt") << "a file of the user";
  EXPECT_THAT(BackupError(), HasSubstr("not of a backup"));
  fs::remove(To() / "mine.txt");
  restored_ = directory_.path();
  const Result<Restored> onto =
      RestoreBackup({.from = To(), .to = directory_.path(), .until = {}, .keyspace = {}, .table = {}, .progress = {}});
  ASSERT_FALSE(onto.ok());
  EXPECT_THAT(onto.error().message, HasSubstr("is not empty"));
}

TEST_F(BackupTest, ARefusedBackupMakesNoDirectory) {
  const fs::path to = scratch_.path() / "new" / "backup";
  const auto refused = [](const std::optional<BackupPlace>&) -> Result<std::unique_ptr<BackupSource>> {
    return InvalidError("refused");
  };
  const BackupOptions options{.directory = to, .program_version = "test", .progress = {}};
  EXPECT_EQ(WriteBackup(options, refused).error().message, "refused");
  EXPECT_FALSE(fs::exists(scratch_.path() / "new"));
  fs::create_directories(to);
  EXPECT_FALSE(WriteBackup(options, refused).ok());
  EXPECT_TRUE(fs::exists(to)) << "the user has made this one";
}

// Two backups into one directory would remove each other's files.
TEST_F(BackupTest, OnlyOneBackupAtATime) {
  for (int i = 1; i <= 3; ++i) {  // A full backup into a new directory, and two incremental ones.
    Put(i, "row");
    Status second;
    const Result<BackupOutcome> first = WriteBackup({.directory = To(), .program_version = "test", .progress = {}},
                                                    [&](const std::optional<BackupPlace>& since) {
                                                      if (i == 1) fs::create_directories(To());
                                                      const Result<BackupOutcome> other = TryBackup();
                                                      if (!other.ok()) second = other.error();
                                                      return engine().BeginBackup(since);
                                                    });
    if (i == 1) {  // The first backup had not made its directory yet, so the second one could make a full backup.
      ASSERT_TRUE(second.ok());
      ASSERT_FALSE(first.ok());
      EXPECT_THAT(first.error().message, HasSubstr("another backup into"));
      continue;
    }
    ASSERT_TRUE(first.ok()) << first.error().message;
    ASSERT_FALSE(second.ok());
    EXPECT_THAT(second.error().message, HasSubstr("another backup into"));
    EXPECT_TRUE(VerifyBackup(To(), first->manifest).ok());
  }
}

TEST_F(BackupTest, ABackupOfAnotherDatabaseIsRefused) {
  Put(1, "one");
  Backup();
  TempDirectory other;
  StorageOptions there = options();
  there.directory = other.path();
  auto opened = LmdbEngine::Open(there);
  ASSERT_TRUE(opened.ok());
  const Result<BackupOutcome> outcome =
      WriteBackup({.directory = To(), .program_version = "test", .progress = {}},
                  [&](const std::optional<BackupPlace>& since) { return (*opened)->BeginBackup(since); });
  ASSERT_FALSE(outcome.ok());
  EXPECT_THAT(outcome.error().message, HasSubstr("without a gap"));
  EXPECT_THAT(outcome.error().hint, HasSubstr("gaps come from a start without --keep-log"));
}

TEST_F(BackupTest, AnOlderCopyThatWasPutBackIsNoticed) {
  Put(1, "one");
  const fs::path copy = scratch_.path() / "copy";
  engine_.reset();
  fs::copy(directory_.path(), copy, fs::copy_options::recursive);
  Open();
  for (const bool full : {true, false}) {
    Pass(1);
    if (!full) Put(2, "only in the backup");
    EXPECT_EQ(Backup().full, full);
    engine_.reset();
    fs::remove_all(directory_.path());
    fs::copy(copy, directory_.path(), fs::copy_options::recursive);
    Open();
    // The full backup has exactly the state of the copy that was put back, so an incremental backup can follow it.
    if (full) { EXPECT_FALSE(Backup().full); }
  }
  Pass(1);
  Put(3, "of another history");
  Put(4, "too");
  EXPECT_THAT(BackupError(), HasSubstr("another write in the place"));
}

TEST_F(BackupTest, OneGroupMayBeLongerThanAPart) {
  Backup();
  Write(Row(table_, "large", "c", Insert(1, {MakeCell(kA, 1, Bytes(30u << 20, 'L'))})));
  Put(1, "small");
  Backup();
  EXPECT_EQ(RestoredRows(), ReadAll());
}

TEST_F(BackupTest, LargeValuesAreInTheLog) {
  const auto put = [&](const char* key, size_t size, char fill, int64_t timestamp) {
    const auto upload = engine().BeginLargeObject(*table_, key);
    for (size_t done = 0; done < size; done += 1'000'000) {
      ASSERT_TRUE(upload->Append(Bytes(std::min<size_t>(1'000'000, size - done), fill)).ok());
    }
    const Result<LargeReference> reference = upload->Finish();
    ASSERT_TRUE(reference.ok()) << reference.error().message;
    Cell cell = MakeCell(kA, timestamp, EncodeLargeReference(*reference));
    cell.large = true;
    const Status applied = Apply(Row(table_, key, "c", Update({cell})));
    ASSERT_TRUE(applied.ok()) << ErrorText(applied);
    upload->Settle(applied);
  };
  const auto get = [&](const char* key) -> Bytes {
    const auto view = engine().OpenView();
    RowView row;
    if (!*(*view)->GetRow(*table_, key, "c", row) || row.cells.size() != 1 || !row.cells[0].large) return "absent";
    Result<Bytes> whole = row.large_values->ReadWhole(row.large_prefix, row.cells[0].value);
    return whole.ok() ? *whole : "failed: " + whole.error().message;
  };
  put("base", 3'000'000, 'a', 1);
  Backup();
  put("base", 6'000'000, 'b', 2);
  put("folded", 9'000'000, 'c', 1);
  Flush();
  put("logged", 5'000'000, 'd', 1);
  Pass(1);
  const int64_t moment = Now();
  Pass(1);
  put("folded", 700'000, 'e', 2);
  Backup();
  for (const bool last : {false, true}) {
    ASSERT_TRUE(TryRestore(last ? std::nullopt : std::optional(moment)).ok());
    StorageOptions there = options();
    there.directory = restored_;
    auto opened = LmdbEngine::Open(there);
    ASSERT_TRUE(opened.ok());
    std::swap(engine_, *opened);
    for (int opens = 0; opens < 2; ++opens) {
      EXPECT_TRUE(get("base") == Bytes(6'000'000, 'b'));
      EXPECT_TRUE(get("folded") == (last ? Bytes(700'000, 'e') : Bytes(9'000'000, 'c'))) << last;
      EXPECT_TRUE(get("logged") == Bytes(5'000'000, 'd'));
      ASSERT_TRUE(engine().SweepAll().ok()) << "sweeps what no row has";
    }
    std::swap(engine_, *opened);
  }
}

TEST_F(BackupTest, OneTableAlone) {
  const TablePtr other = NewTable(engine().NewStorageId(), "other");
  ASSERT_TRUE(engine().CommitSchema(SchemaOf({table_, other})).ok());
  Put(1, "one");
  Write(Row(other, Int(1), "c", Insert(1, {MakeCell(kA, 1, "in the other table")})));
  Backup();
  const fs::path to = scratch_.path() / "one";
  const Result<Restored> restored = RestoreBackup(
      {.from = To(), .to = to, .until = {}, .keyspace = table_->keyspace, .table = table_->name, .progress = {}});
  ASSERT_TRUE(restored.ok()) << restored.error().message;
  EXPECT_EQ(RowsOf(to), ReadAll());
  StorageOptions there = options();
  there.directory = to;
  const auto opened = LmdbEngine::Open(there);
  ASSERT_TRUE(opened.ok());
  EXPECT_EQ((*opened)->LoadedSchema()->FindTable(table_->keyspace, "other"), nullptr);
  EXPECT_FALSE(RestoreBackup({.from = To(),
                              .to = scratch_.path() / "none",
                              .until = {},
                              .keyspace = "nowhere",
                              .table = {},
                              .progress = {}})
                   .ok());
}

}  // namespace
}  // namespace widerow
