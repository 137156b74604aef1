// The tools that the tests of the storage share: a temporary directory, a table that has columns of all kinds of
// storage, short functions for mutations, and reads as text.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <future>
#include <memory>
#include <string>
#include <thread>

#include "storage/engine/lmdb_engine.h"

namespace widerow::storage_test {

class TempDirectory {
 public:
  TempDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "widerow-storage-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~TempDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// A fixture with an empty LMDB file. The file has the databases of a data directory.
class EnvFixture : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened = lmdb::Env::Open({.directory = directory_.path(), .map_bytes = uint64_t{1} << 32});
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    env_ = std::move(opened).value();
    ASSERT_TRUE(env_->OpenDatabases().ok());
  }

  TempDirectory directory_;
  std::unique_ptr<lmdb::Env> env_;
};

// Column ids of the test table.
inline constexpr ColumnId kStaticText = 2, kA = 3, kB = 4, kMap = 5, kDecimals = 6, kList = 7;

std::shared_ptr<TableSchema> NewTable(StorageId storage_id, std::string name = "t");
SchemaPtr SchemaOf(std::vector<TablePtr> tables);

inline constexpr int64_t kStartSeconds = 1'700'000'000;

// A fixture with an engine in a directory of its own. The schema has one table, and the clock moves only when the test
// sets it.
class EngineFixture : public ::testing::Test {
 protected:
  void SetUp() override { Open(); }
  void Open();
  void TearDown() override { ReleaseFolder(); }
  void Reopen() {
    ReleaseFolder();
    engine_.reset();
    Open();
  }
  void UseTable(TablePtr table);  // Commits a schema with this table only.

  StorageOptions options();
  LmdbEngine& engine() { return *engine_; }

  Status Apply(PartitionMutation mutation);
  // Applies a mutation, such as a row or a partition deletion. The test fails if the mutation is refused.
  void Write(PartitionMutation mutation) {
    const Status status = Apply(std::move(mutation));
    ASSERT_TRUE(status.ok()) << status.error().message;
  }
  // Moves everything from the memtables into the data file.
  void Flush();
  // Calls Flush(). Returns the statistics of the table's partitions, which then include all rows.
  std::vector<PartitionStats> Stats() {
    Flush();
    return engine_->Partitions(*table_);
  }
  // Occupies the folder until ReleaseFolder() is called, so that frozen memtables stay in memory.
  void HoldFolder();
  void ReleaseFolder();
  // Returns the rows of a slice as text (RowText), one row on each line.
  std::string Read(const Slice& slice);
  std::string ReadPartition(ByteView key, Direction direction = Direction::kForward);
  std::string ReadAll(bool statics = true);
  // Returns the number of records in LMDB's database `data`, of all tables and long keys.
  size_t RecordCount();

  TempDirectory directory_;
  std::shared_ptr<ManualClock> clock_ = std::make_shared<ManualClock>(kStartSeconds * 1'000'000);
  TablePtr table_;
  size_t pending_writes_max_ = 65'536;
  uint64_t map_bytes_ = uint64_t{1} << 34;
  uint64_t keep_log_bytes_ = 0;
  size_t memtable_bytes_ = 64u << 20;
  std::unique_ptr<LmdbEngine> engine_;

 private:
  std::unique_ptr<std::promise<void>> release_folder_;
  std::jthread holds_folder_;
};

Cell MakeCell(ColumnId column, int64_t timestamp, Bytes value, Bytes path = {});
Cell MakeTombstone(ColumnId column, int64_t timestamp, Bytes path = {}, int64_t local_seconds = kStartSeconds);
Bytes Int(int32_t value);

PartitionMutation Partition(TablePtr table, Bytes key);
PartitionMutation Row(TablePtr table, Bytes key, Bytes clustering, RowFragment content);
RowFragment Insert(int64_t timestamp, std::vector<Cell> cells);
RowFragment Update(std::vector<Cell> cells);

// Returns everything of a row that a reader can see, as "key/clustering marker@1 3=…@1 …". A long value is shown by its
// size and its hash.
std::string RowText(RowView row);
std::string ErrorText(const Status& status);

}  // namespace widerow::storage_test
