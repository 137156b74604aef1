// The map or the disk is full, a sync fails, or too many writes wait. Every write gets an answer that says what to do.
#include <dlfcn.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>

#include "storage/engine/compact.h"
#include "storage_test_support.h"

namespace {

enum class Disk { kFine, kFull, kFillsUp, kSaysFull, kSyncFails };
std::atomic<Disk> disk{Disk::kFine};

template <typename Function>
Function Real(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

ssize_t NoSpace() {
  errno = ENOSPC;
  return -1;
}

}  // namespace

// These definitions replace the system calls by which the commit log and LMDB write and sync. A disk that becomes full
// takes only a part of a write; LMDB reports this as an input/output error.
extern "C" int fdatasync(int fd) {
  static const auto real = Real<int (*)(int)>("fdatasync");
  if (disk != Disk::kSyncFails) return real(fd);
  errno = EIO;
  return -1;
}
extern "C" ssize_t pwrite(int fd, const void* bytes, size_t size, off_t offset) {
  static const auto real = Real<ssize_t (*)(int, const void*, size_t, off_t)>("pwrite");
  const bool nothing_fits = disk == Disk::kFillsUp && size < 2;
  if (disk == Disk::kFull || nothing_fits) return NoSpace();
  return real(fd, bytes, disk == Disk::kFillsUp ? size / 2 : size, offset);
}
extern "C" ssize_t writev(int fd, const iovec* parts, int count) {
  static const auto real = Real<ssize_t (*)(int, const iovec*, int)>("writev");
  if (disk == Disk::kFull) return NoSpace();
  return real(fd, parts, disk == Disk::kFillsUp ? 1 : count);
}
extern "C" int statvfs(const char* path, struct statvfs* out) {
  static const auto real = Real<int (*)(const char*, struct statvfs*)>("statvfs");
  const int code = real(path, out);
  if (disk == Disk::kFillsUp || disk == Disk::kSaysFull) out->f_bavail = 0;
  return code;
}

namespace widerow {
namespace {

using namespace storage_test;
using ::testing::HasSubstr;

class FailureTest : public EngineFixture {
 protected:
  void SetUp() override {}
  Status InsertBig(int i, size_t bytes) {
    return Apply(Row(table_, Int(i), "c", Insert(1, {MakeCell(kA, 1, Bytes(bytes, 'x'))})));
  }
};

TEST_F(FailureTest, AFullMapNamesTheSettingAndLosesNothing) {
  map_bytes_ = 4u << 20;
  memtable_bytes_ = 1u << 20;
  Open();
  Status status = OkStatus();
  int written = 0;
  for (; status.ok() && written < 100; ++written) status = InsertBig(written, 200'000);
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(status.error().message, HasSubstr("has reached its map size"));
  EXPECT_THAT(status.error().hint, HasSubstr("--map-size"));
  const auto rows = [&] {
    const std::string all = ReadAll();
    return std::count(all.begin(), all.end(), '\n');
  };
  EXPECT_EQ(rows(), written - 1);
  map_bytes_ = 64u << 20;
  Reopen();
  EXPECT_EQ(rows(), written - 1);
  EXPECT_EQ(Stats()[0].rows, written - 1);
  EXPECT_TRUE(InsertBig(written, 200'000).ok());
}

TEST_F(FailureTest, AFullDiskFailsTheWriteAndNoMore) {
  Open();
  ASSERT_TRUE(InsertBig(1, 10).ok());
  for (const Disk state : {Disk::kFull, Disk::kFillsUp}) {
    disk = state;
    const Status failed = InsertBig(2, 200'000);
    const Status not_folded = engine().Flush();
    disk = Disk::kFine;
    for (const Status* status : {&failed, &not_folded}) {
      ASSERT_FALSE(status->ok());
      EXPECT_THAT(status->error().message, HasSubstr("o space left on"));
      EXPECT_THAT(status->error().hint, HasSubstr("--data"));
    }
    EXPECT_EQ(ReadPartition(Int(2)), "");
    EXPECT_EQ(engine().Partitions(*table_)[0].rows, 1) << "a write that has failed counts nothing";
    EXPECT_TRUE(InsertBig(1, 20).ok()) << "writing goes on once there is room";
    for (int i = 0; i < 600 && !engine().Flush().ok(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  Reopen();
  EXPECT_THAT(ReadPartition(Int(1)), HasSubstr("3=xxxxxxxxxxxxxxxxxxxx@"));
}

// The sweeper walks through the table and finds only a tombstone that must be purged later. It cannot store that the
// walk has ended, so a later sweep continues the walk.
TEST_F(FailureTest, AWalkThatCannotStoreItsEndGoesOnLater) {
  Open();
  auto table = std::make_shared<TableSchema>(*table_);
  table->options.gc_grace_seconds = 100;
  UseTable(table);
  const auto remove = [&](const Bytes& key) {
    Write(Row(table_, key, "c", Update({MakeTombstone(kA, 1, {}, clock_->NowSeconds())})));
  };
  const auto sweep = [&] {
    return engine().RunOnFolder([](StoreWriter& writer) -> Status {
      for (bool more = true; more;) { WR_ASSIGN_OR_RETURN(more, writer.SweepSlice()); }
      return OkStatus();
    });
  };
  remove("first");
  Flush();
  Write(Row(table_, "first", "c", Insert(2, {MakeCell(kA, 2, "again")})));
  clock_->Set((kStartSeconds + 1'000) * 1'000'000);
  remove("second");
  Flush();
  EXPECT_EQ(RecordCount(), 2u);
  clock_->Set((kStartSeconds + 1'050) * 1'000'000);
  disk = Disk::kFull;
  const Status failed = sweep();
  disk = Disk::kFine;
  ASSERT_FALSE(failed.ok()) << "nothing is due, but where the next walk begins is to be stored";
  EXPECT_EQ(ErrorText(sweep()), "ok");
  EXPECT_EQ(engine().Purges(*table_).oldest_seconds, kStartSeconds + 1'000);
  EXPECT_EQ(engine().Purges(*table_).walks, 1u);
  clock_->Set((kStartSeconds + 2'000) * 1'000'000);
  EXPECT_EQ(ErrorText(sweep()), "ok");
  EXPECT_EQ(RecordCount(), 1u);
}

TEST_F(FailureTest, AfterAFailedSyncWritesAreRefusedAndReadsGoOn) {
  Open();
  ASSERT_TRUE(InsertBig(1, 10).ok());
  disk = Disk::kSyncFails;
  const Status failed = InsertBig(2, 10);
  disk = Disk::kFine;
  ASSERT_FALSE(failed.ok());
  EXPECT_THAT(failed.error().message, HasSubstr("it is not known whether the write is on disk"));
  const Status refused = InsertBig(3, 10);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, HasSubstr("Writes are refused until the server is restarted"));
  EXPECT_FALSE(engine().CommitSchema(SchemaOf({table_})).ok());
  EXPECT_THAT(ReadPartition(Int(1)), HasSubstr("3=xxxxxxxxxx"));
  EXPECT_EQ(ReadPartition(Int(2)), "");
  Reopen();
  EXPECT_TRUE(InsertBig(3, 10).ok());
}

TEST_F(FailureTest, TooManyPendingWritesAreAnsweredOverloaded) {
  pending_writes_max_ = 4;
  Open();
  // The function of a conditional write (a decide step) occupies the writer while the queue fills.
  Mutex mutex;
  CondVar changed;
  bool release = false, holding = false;
  int ok = 0, overloaded = 0;
  widerow::Write holder;
  holder.decide = [&](ReadView&) -> Result<Mutation> {
    MutexLock lock(mutex);
    holding = true;
    changed.NotifyAll();
    while (!release) changed.Wait(mutex);
    return Mutation{};
  };
  const auto count = [&](Status status) {
    MutexLock lock(mutex);
    if (status.ok()) {
      ++ok;
    } else if (status.error().code == ErrorCode::kOverloaded) {
      ++overloaded;
    }
    changed.NotifyAll();
  };
  engine().Submit(std::move(holder), count);
  {
    MutexLock lock(mutex);
    while (!holding) changed.Wait(mutex);
  }
  for (int i = 0; i < 10; ++i) {
    widerow::Write write;
    write.mutation.push_back(Row(table_, Int(i), "c", Insert(1, {})));
    engine().Submit(std::move(write), count);
  }
  MutexLock lock(mutex);
  release = true;
  changed.NotifyAll();
  while (ok + overloaded < 11) changed.Wait(mutex);
  EXPECT_EQ(ok, 5);
  EXPECT_EQ(overloaded, 6);
}

TEST_F(FailureTest, ClosingFinishesWhatIsQueued) {
  Open();
  std::atomic<int> ok{0};
  for (int i = 0; i < 500; ++i) {
    widerow::Write write;
    write.mutation.push_back(Row(table_, Int(i), "c", Insert(1, {})));
    engine().Submit(std::move(write), [&](Status status) { ok += status.ok() ? 1 : 0; });
  }
  engine_.reset();
  EXPECT_EQ(ok, 500);
  Open();
  EXPECT_EQ(Stats()[0].rows, 500);
}

TEST_F(FailureTest, CompactingNeedsRoomForBothFilesAndASyncThatWorks) {
  Open();
  ASSERT_TRUE(InsertBig(1, 200'000).ok());
  Flush();
  const std::string before = ReadAll();
  engine_.reset();
  const auto compact = [&](Disk while_copying) {
    const Result<Compaction> done = CompactDataDirectory(options(), [&](const std::string& doing, uint64_t, uint64_t) {
      if (doing == "copying" || while_copying == Disk::kSaysFull) disk = while_copying;
    });
    disk = Disk::kFine;
    return done.ok() ? std::string() : done.error().message;
  };
  EXPECT_THAT(compact(Disk::kSyncFails), HasSubstr("Input/output error"));
  EXPECT_THAT(compact(Disk::kFull), HasSubstr("no space left on the device"));
  EXPECT_THAT(compact(Disk::kSaysFull), HasSubstr("MiB on its disk, which has 0 MiB"));
  EXPECT_FALSE(std::filesystem::exists(directory_.path() / "data.mdb.new"));
  EXPECT_EQ(compact(Disk::kFine), "");
  Open();
  EXPECT_EQ(ReadAll(), before);
}

}  // namespace
}  // namespace widerow
