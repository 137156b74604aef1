// Tests each reason for which a data directory cannot be opened, and its message.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <random>

#include "storage/engine/compact.h"
#include "storage_test_support.h"

namespace widerow {
namespace {

using namespace storage_test;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

std::string OpenError(const StorageOptions& options) {
  auto opened = OpenLmdbEngine(options);
  return opened.ok() ? "opened" : std::string(ErrorCodeName(opened.error().code)) + " " + opened.error().message;
}

class OpenTest : public EngineFixture {
 protected:
  void SetUp() override {}
  // Makes a database with some rows and closes it.
  void MakeDatabase() {
    Open();
    for (int i = 0; i < 200; ++i) { Write(Row(table_, Int(i), "c", Insert(1, {MakeCell(kA, 1, Bytes(500, 'v'))}))); }
    engine_.reset();
  }
  fs::path data() { return directory_.path() / "data.mdb"; }
  void Flip(int offset) {
    std::fstream file(data(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(offset);
    char byte = 0;
    file.get(byte);
    file.seekp(offset);
    file.put(static_cast<char>(byte ^ 0x55));
  }
  // Changes records of the database `meta` through LMDB. The engine must be closed.
  void ChangeMeta(const std::function<lmdb::Rc(lmdb::WriteTxn&)>& change) {
    auto env = lmdb::Env::Open({.directory = directory_.path(), .map_bytes = map_bytes_});
    ASSERT_TRUE((*env)->OpenDatabases().ok());
    auto txn = lmdb::WriteTxn::Begin(**env);
    ASSERT_TRUE(change(*txn).ok());
    ASSERT_TRUE(txn->Commit().ok());
  }
  void StoreFormatVersion(uint32_t version) {
    ChangeMeta([&](lmdb::WriteTxn& txn) {
      return txn.Put(lmdb::Db::kMeta, FormatVersionKey(), EncodeFormatVersion(version));
    });
  }
  void RemoveMeta(const Bytes& key) {
    ChangeMeta([&](lmdb::WriteTxn& txn) { return txn.Delete(lmdb::Db::kMeta, key); });
  }
};

TEST_F(OpenTest, ADirectoryIsCreatedWithItsParents) {
  StorageOptions nested = options();
  nested.directory = directory_.path() / "a" / "b";
  EXPECT_EQ(OpenError(nested), "opened");
  EXPECT_TRUE(fs::exists(nested.directory / "data.mdb"));
}

TEST_F(OpenTest, AFileIsNoDirectory) {
  StorageOptions file = options();
  file.directory = directory_.path() / "file";
  std::ofstream(file.directory) << "x";
  EXPECT_THAT(OpenError(file), ::testing::AllOf(HasSubstr("file'"), HasSubstr("is not a directory")));
  file.directory /= "below";
  EXPECT_THAT(OpenError(file), HasSubstr("Cannot create the data directory"));
}

TEST_F(OpenTest, ADirectoryWithoutRightsIsRefused) {
  fs::permissions(directory_.path(), fs::perms::owner_read | fs::perms::owner_exec);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    // Root may write everywhere. So if the test runs as root, the child becomes the user nobody.
    if (geteuid() == 0 && setresuid(65'534, 65'534, 65'534) != 0) _exit(2);
    _exit(OpenError(options()).find("is not readable and writable: Permission denied") == std::string::npos ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  fs::permissions(directory_.path(), fs::perms::owner_all);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST_F(OpenTest, TheSameDirectoryTwiceInOneProcess) {
  Open();
  EXPECT_THAT(OpenError(options()),
              ::testing::AllOf(HasSubstr(directory_.path().string()), HasSubstr("is in use by this process already")));
  engine_.reset();
  EXPECT_EQ(OpenError(options()), "opened");
}

TEST_F(OpenTest, ADirectoryInUseByAnotherProcessNamesItsPid) {
  int ready[2], finish[2];
  ASSERT_EQ(pipe(ready), 0);
  ASSERT_EQ(pipe(finish), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    close(finish[1]);
    auto opened = OpenLmdbEngine(options());
    char byte = opened.ok() ? 'y' : 'n';
    if (write(ready[1], &byte, 1) != 1 || read(finish[0], &byte, 1) < 0) _exit(1);
    _exit(0);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  ASSERT_EQ(byte, 'y');
  EXPECT_THAT(OpenError(options()), HasSubstr("is in use by another process, pid " + std::to_string(child)));
  close(finish[1]);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(OpenError(options()), "opened") << "the lock dies with its owner";
  for (const int fd : {ready[0], ready[1], finish[0]}) close(fd);
}

TEST_F(OpenTest, GarbageIsNotADataFile) {
  std::ofstream(data()) << Bytes(100'000, 'x');
  EXPECT_THAT(OpenError(options()), HasSubstr("is not a Widerow data file, or it is damaged"));
}

TEST_F(OpenTest, ATruncatedFileIsRefusedWithBothSizes) {
  MakeDatabase();
  const auto size = fs::file_size(data());
  for (const uintmax_t left : {size - 4'096, size / 2, uintmax_t{8'192}, uintmax_t{5'000}, uintmax_t{100}}) {
    fs::resize_file(data(), left);
    EXPECT_THAT(OpenError(options()), ::testing::AllOf(HasSubstr("is truncated: it has " + std::to_string(left)),
                                                       HasSubstr("bytes and needs ")))
        << left;
  }
  fs::resize_file(data(), 0);
  EXPECT_THAT(OpenError(options()), HasSubstr("is truncated: it has 0 bytes"));
}

// The first two pages of the file have their record twice: at offset 16, and 152 bytes later.
TEST_F(OpenTest, ADamagedMetaRecordIsReplacedByItsCopy) {
  MakeDatabase();
  for (const int page : {0, 4'096}) {
    for (int offset = page + 16; offset < page + 16 + 152; offset += 5) {
      Flip(offset);
      EXPECT_EQ(OpenError(options()), "opened") << offset;
    }
  }
  Open();
  EXPECT_EQ(RecordCount(), 200u);
}

TEST_F(OpenTest, MetaPagesWithBothCopiesDamagedAreRefused) {
  MakeDatabase();
  for (const int page : {0, 4'096}) {
    for (const int offset : {16, 20, 40, 140, 144, 160}) {
      Flip(page + offset);
      Flip(page + 152 + offset);
      EXPECT_THAT(OpenError(options()), HasSubstr("is not a Widerow data file, or it is damaged")) << page + offset;
      Flip(page + offset);
      Flip(page + 152 + offset);
    }
  }
  EXPECT_EQ(OpenError(options()), "opened");
}

TEST_F(OpenTest, AMissingDataFileIsRefused) {
  MakeDatabase();
  fs::rename(data(), directory_.path() / "elsewhere");
  EXPECT_THAT(OpenError(options()), HasSubstr("data.mdb' is missing, and other files of the database are there"));
  fs::remove(directory_.path() / "widerow.lock");
  EXPECT_THAT(OpenError(options()), HasSubstr("data.mdb' is missing, and other files of the database are there"));
  fs::rename(directory_.path() / "elsewhere", data());
  EXPECT_EQ(OpenError(options()), "opened");
}

TEST_F(OpenTest, ALaterFormatVersionIsRefusedWithBothVersions) {
  MakeDatabase();
  StoreFormatVersion(6);
  EXPECT_THAT(OpenError(options()),
              ::testing::AllOf(HasSubstr("has storage format version 6"),
                               HasSubstr("this build reads versions 1 to 5 and writes version 5")));
}

TEST_F(OpenTest, TheVersionWithoutALogIsTakenOver) {
  Open();
  PartitionMutation deletion = Partition(table_, "k");
  deletion.partition_deletion = {5, kStartSeconds};
  Write(std::move(deletion));
  engine_.reset();
  StoreFormatVersion(1);
  // Format version 1 has no records of the newest tombstones, and no note that such records exist.
  RemoveMeta(Bytes("Z") + Bytes("\0\0\0\1", 4));
  RemoveMeta("H" + Bytes(kKnowsTombstonesNote));
  for (int opened = 0; opened < 2; ++opened) {
    Open();
    Write(Row(table_, "k", "late", Insert(4, {MakeCell(kA, 4, "a")})));
    EXPECT_EQ(ReadPartition("k"), "");
    engine_.reset();
  }
  auto env = lmdb::Env::Open({.directory = directory_.path(), .map_bytes = map_bytes_});
  EXPECT_EQ(*(*env)->ReadMetaBeforeOpen(FormatVersionKey()).value(), EncodeFormatVersion(5));
}

TEST_F(OpenTest, TheVersionWithoutAListOfSegmentsIsTakenOver) {
  Open();
  Write(Row(table_, "k", "c", Insert(1, {MakeCell(kA, 1, "a")})));
  const std::string before = ReadPartition("k");
  engine_.reset();
  StoreFormatVersion(2);
  RemoveMeta("J");
  fs::remove(directory_.path() / "log" / "list");
  Open();
  EXPECT_EQ(ReadPartition("k"), before);
  engine_.reset();
  EXPECT_TRUE(fs::exists(directory_.path() / "log" / "list"));
  fs::remove_all(directory_.path() / "log");
  EXPECT_THAT(OpenError(options()), HasSubstr("A part of the commit log is missing: '"));
}

// If two servers had one directory open, both would acknowledge writes, and each would lose writes of the other.
TEST_F(OpenTest, TheDirectoryStaysLockedIfTheLockFileIsRemoved) {
  Open();
  fs::remove(directory_.path() / "widerow.lock");
  EXPECT_THAT(OpenError(options()), HasSubstr("is in use by another process"));
}

TEST_F(OpenTest, ACopyWithoutTheLockFileOpens) {
  MakeDatabase();
  fs::remove(directory_.path() / "widerow.lock");
  EXPECT_EQ(OpenError(options()), "opened");
}

TEST_F(OpenTest, FilesAreForTheOwnerAlone) {
  StorageOptions nested = options();
  nested.directory = directory_.path() / "new";
  const auto expect_private = [&] {
    for (const auto& entry : fs::recursive_directory_iterator(nested.directory)) {
      const auto others = fs::perms::group_all | fs::perms::others_all;
      EXPECT_EQ(entry.status().permissions() & others, fs::perms::none) << entry.path();
    }
  };
  EXPECT_EQ(OpenError(nested), "opened");
  EXPECT_EQ(fs::status(nested.directory).permissions(), fs::perms::owner_all);
  expect_private();
  for (const char* name : {"data.mdb", "log", "log/list", "widerow.lock"}) {
    fs::permissions(nested.directory / name, fs::perms::all);
  }
  EXPECT_EQ(OpenError(nested), "opened");
  expect_private();
  ASSERT_TRUE(CompactDataDirectory(nested, [](const std::string&, uint64_t, uint64_t) {}).ok());
  expect_private();
}

TEST_F(OpenTest, AnotherProgramsDatabaseIsLeftAlone) {
  {
    auto env = lmdb::Env::Open({.directory = directory_.path(), .map_bytes = map_bytes_});
    ASSERT_TRUE((*env)->OpenDatabases().ok());  // This file has no format version.
  }
  EXPECT_THAT(OpenError(options()), HasSubstr("holds another program's LMDB database"));
}

TEST_F(OpenTest, AStaleReaderTableIsReplaced) {
  MakeDatabase();
  std::ofstream(directory_.path() / "lock.mdb") << Bytes(8'192, 'x');
  EXPECT_EQ(OpenError(options()), "opened");
}

TEST_F(OpenTest, ADamagedRowIsAnErrorThatNamesTableAndKey) {
  Open();
  Write(Row(table_, "k", "good", Insert(1, {MakeCell(kA, 1, "fine")})));
  Write(Row(table_, "k", "marked", Insert(1, {MakeCell(kA, 1, "unmistakable")})));
  engine_.reset();
  // Damages the row through LMDB, which gives the page a right checksum. Otherwise the damage to the page would be
  // found first.
  ChangeMeta([&](lmdb::WriteTxn& txn) {
    auto cursor = lmdb::Cursor::Open(txn.ref(), lmdb::Db::kData);
    ByteView key, value;
    lmdb::Rc rc = cursor->SeekAtOrAfter(ByteView("\0", 1), key, value);
    while (rc.ok() && value.find("unmistakable") == value.npos) rc = cursor->Next(key, value);
    if (!rc.ok()) return rc;
    Bytes record(value);
    record[record.find("unmistakable")] = 'U';
    return txn.Put(lmdb::Db::kData, Bytes(key), record);
  });
  Open();
  EXPECT_THAT(ReadPartition("k"),
              ::testing::AllOf(HasSubstr("k/good marker@1 3=fine@1"),
                               HasSubstr("error: Damaged row in table ks.t, key 0x"), HasSubstr(ToHex("marked"))));
  // The new write of the damaged row cannot be merged with it, so the fold fails. The write stays in the commit log.
  EXPECT_EQ(ErrorText(Apply(Row(table_, "k", "marked", Insert(2, {MakeCell(kB, 2, "b")})))), "ok");
  EXPECT_THAT(ErrorText(engine().Flush()), HasSubstr("Damaged row in table ks.t"));
  EXPECT_EQ(ErrorText(Apply(Row(table_, "k", "good", Insert(2, {})))), "ok");
  Reopen();
  EXPECT_THAT(ReadPartition("k"), HasSubstr("k/good marker@2 3=fine@1"));
}

// A scan that meets a key of an unknown kind must not hang. A scan of the whole table fails with an error.
TEST_F(OpenTest, AKeyOfAnUnknownKindIsAnError) {
  for (const char kind : {'\0', '\7', '\xFD'}) {
    SCOPED_TRACE(static_cast<int>(kind));
    fs::remove_all(directory_.path());
    Open();
    Write(Row(table_, "k", "c", Insert(1, {MakeCell(kA, 1, "v")})));
    engine_.reset();
    ChangeMeta([&](lmdb::WriteTxn& txn) {
      Bytes key;
      AppendPartitionPrefix(*table_, "k", key);
      return txn.Put(lmdb::Db::kData, key + kind + "c", "v");
    });
    Open();
    for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
      EXPECT_THAT(ReadPartition("k", direction), HasSubstr("k/c marker@1 3=v@1"));
    }
    EXPECT_THAT(ReadAll(), HasSubstr("error: Damaged key in the data file"));
    engine_.reset();
  }
}

TEST_F(OpenTest, TheMapIsHalvedWhereTheSystemRefusesIt) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const rlimit limit{uint64_t{24} << 30, uint64_t{24} << 30};
    setrlimit(RLIMIT_AS, &limit);
    StorageOptions options = this->options();
    options.map_bytes = uint64_t{1} << 40;
    std::string logged;
    options.log = [&](const LogEvent& event) { logged += event.message; };
    const bool opened = OpenLmdbEngine(options).ok();
    _exit(opened && logged.find("map size reduced to") != std::string::npos ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers reserve address space themselves";
#endif
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace widerow
