// Tests faults inside the storage engine: damaged writes in the log, and folds that fail and are repeated. Also tests
// what a start knows about tombstones, and how much one step of a purge does.
#include "storage/fold/purge_scan.h"
#include "storage_test_support.h"

namespace widerow {
namespace {

using namespace storage_test;
using ::testing::HasSubstr;

class StorageFaultsTest : public EngineFixture {};

// A group of the log has a right checksum, but its content is not a write. Opening the database fails with an error.
TEST_F(StorageFaultsTest, DamagedWritesInTheLogAreErrors) {
  Bytes prefix, row;
  AppendPartitionPrefix(*table_, "k", prefix);
  row = EncodeFragment(Update({MakeCell(kA, 1, "v")}), TableColumns(table_));
  const WriteEntry damaged[] = {{RecordKind::kRangeTombstone, "a", "no tombstone"},
                                {RecordKind::kHeader, "", "no header"},
                                {RecordKind::kRow, "c", "no row"}};
  for (const WriteEntry& entry : damaged) {
    engine_.reset();
    const TempDirectory copy;
    std::filesystem::copy(directory_.path(), copy.path(),
                          std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing);
    auto log = CommitLog::Open({.directory = copy.path() / "log"}, 0, [](const LogGroup&) { return OkStatus(); });
    ASSERT_TRUE(log.ok()) << log.error().message;
    WriteBuilder builder;
    builder.BeginPartition(prefix);
    builder.Add({RecordKind::kRow, "c", row});
    builder.Add(entry);
    Bytes body(1, static_cast<char>(GroupKind::kWrites));
    builder.Finish(body);
    const ByteView part = body;
    ASSERT_TRUE((*log)->Append(1'000'000, 1, {&part, 1}).ok());
    ASSERT_TRUE((*log)->Close(0).ok());
    log->reset();
    StorageOptions other = options();
    other.directory = copy.path();
    const auto opened = LmdbEngine::Open(other);
    ASSERT_FALSE(opened.ok());
    EXPECT_THAT(opened.error().message, HasSubstr("Damaged commit log"));
  }
  Open();
}

// A transaction of the data file fails, as it can happen in a fold that is then repeated. The sizes of partitions stay
// as they were.
TEST_F(StorageFaultsTest, AFailedTransactionCountsNoSizes) {
  Bytes prefix;
  AppendPartitionPrefix(*table_, "k", prefix);
  const auto add = [&](Status outcome) {
    return engine().RunOnFolder([&](StoreWriter& writer) {
      return writer.Apply([&](WriteContext& context, const LiveTables&) -> Status {
        context.sizes().Add(prefix, 10, 1'000'000);
        return std::move(outcome);
      });
    });
  };
  EXPECT_FALSE(add(ServerError("no room")).ok());
  EXPECT_FALSE(add(ServerError("no room")).ok());
  EXPECT_TRUE(engine().LargestPartitions(*table_).empty());
  EXPECT_TRUE(add(OkStatus()).ok());
  ASSERT_EQ(engine().LargestPartitions(*table_).size(), 1u);
  EXPECT_EQ(engine().LargestPartitions(*table_)[0].rows, 10);
}

// A table has values with a TTL, and no tombstones. After a restart, its writes need not be compared with tombstones.
TEST_F(StorageFaultsTest, ATableWithoutTombstonesHasNoneAfterARestart) {
  Cell cell = MakeCell(kA, 1, "v");
  cell.ttl = 1'000;
  cell.expires_at = kStartSeconds + 1'000;
  Write(Row(table_, "k", "c", Update({cell})));
  Flush();
  Reopen();
  engine_.reset();
  {
    auto env = lmdb::Env::Open({.directory = directory_.path(), .map_bytes = uint64_t{1} << 32});
    ASSERT_TRUE(env.ok() && (*env)->OpenDatabases().ok());
    const auto txn = lmdb::ReadTxn::Begin(**env);
    const auto records = ReadMeta(txn->ref());
    const auto meta = LoadMeta(*records);
    ASSERT_TRUE(meta.ok());
    EXPECT_EQ(meta->earliest_purgeable.size(), 1u);
    EXPECT_TRUE(meta->newest_tombstones.empty());
    EXPECT_EQ(ReadNotes(txn->ref(), kKnowsTombstonesNote)->size(), 1u);
  }
  Open();
}

class PurgeScanTest : public EnvFixture {};

TEST_F(PurgeScanTest, NoMoreCandidatesThanTheFenceTakes) {
  const TablePtr table = NewTable(5);
  const TableColumns columns(table);
  constexpr int kRows = 3'000;
  {
    auto txn = lmdb::WriteTxn::Begin(*env_);
    ChildIds ids{1};
    RowFragment deleted;
    deleted.deletion = {1, 10};
    for (int i = 0; i < kRows; ++i) {
      Bytes key;
      AppendPartitionPrefix(*table, "k", key);
      AppendKind(RecordKind::kRow, key);
      ASSERT_TRUE(PutLong(*txn, ids, key + Int(i), EncodeRow(deleted, {}, columns)).ok());
    }
    ASSERT_TRUE(txn->Commit().ok());
  }
  const auto txn = lmdb::ReadTxn::Begin(*env_);
  Bytes from, end;
  AppendStorageId(5, from);
  end = SuccessorOfPrefix(from);
  size_t found = 0;
  for (bool done = false; !done;) {
    PurgeScan scan(txn->ref(), columns, {.now_seconds = 1'000, .gc_grace_seconds = 0});
    const auto ran = scan.Run(from, end, PurgeScan::Clock::now() + std::chrono::hours(1));
    ASSERT_TRUE(ran.ok());
    done = *ran;
    EXPECT_LE(scan.candidates().size(), kPurgeCandidatesMax);
    found += scan.candidates().size();
  }
  EXPECT_EQ(found, static_cast<size_t>(kRows));
}

}  // namespace
}  // namespace widerow
