#include "storage/lmdb/paced_writes.h"

#include <fcntl.h>
#include <unistd.h>

#include "storage_test_support.h"

namespace widerow {
namespace {

using lmdb::PiecesSent;

// A commit is sent to the disk in pieces of 128 KiB to 1 MiB. A commit of kLessThanAPiece bytes is not divided.
constexpr size_t kLessThanAPiece = 96u << 10;

Bytes Key(uint32_t number) {
  Bytes key;
  AppendBigEndian<uint32_t>(key, number);
  return key;
}

// Puts the records from `begin` to `end` - 1. Each fills a page.
void PutRecords(lmdb::WriteTxn& txn, uint32_t begin, uint32_t end) {
  for (uint32_t i = begin; i < end; ++i) { EXPECT_TRUE(txn.Put(lmdb::Db::kData, Key(i), Bytes(3'000, 'v')).ok()); }
}

void ExpectRecords(lmdb::Env& env, uint32_t expected) {
  auto txn = lmdb::ReadTxn::Begin(env);
  auto cursor = lmdb::Cursor::Open(txn->ref(), lmdb::Db::kData);
  ByteView key, value;
  uint32_t records = 0;
  for (auto rc = cursor->SeekAtOrAfter(Key(0), key, value); rc.ok(); rc = cursor->Next(key, value), ++records) {
    ASSERT_EQ(key, Key(records));
    ASSERT_EQ(value, Bytes(3'000, 'v'));
  }
  EXPECT_EQ(records, expected);
}

class PacedWritesTest : public storage_test::EnvFixture {
 protected:
  // Commits the records from `begin` to `end` - 1. Returns the number of pieces that the commit has sent.
  uint64_t PiecesOfCommit(uint32_t begin, uint32_t end) {
    const uint64_t before = env_->pieces_sent();
    auto txn = lmdb::WriteTxn::Begin(*env_);
    PutRecords(*txn, begin, end);
    EXPECT_TRUE(txn->Commit().ok());
    return env_->pieces_sent() - before;
  }
};

TEST_F(PacedWritesTest, ALargeCommitGoesToTheDiskInPieces) {
  EXPECT_GE(PiecesOfCommit(0, 4'096), 8u);  // The commit has 16 MiB.
  EXPECT_LE(PiecesOfCommit(4'096, 4'097), 1u);
  ExpectRecords(*env_, 4'097);
}

TEST_F(PacedWritesTest, AThreadWritesTwoEnvironmentsAtOnce) {
  storage_test::TempDirectory other_directory;
  auto other = lmdb::Env::Open({.directory = other_directory.path(), .map_bytes = uint64_t{1} << 32});
  ASSERT_TRUE(other.ok()) << other.error().message;
  ASSERT_TRUE((*other)->OpenDatabases().ok());
  const uint64_t before = env_->pieces_sent(), other_before = (*other)->pieces_sent();

  auto txn = lmdb::WriteTxn::Begin(*env_), other_txn = lmdb::WriteTxn::Begin(**other);
  PutRecords(*txn, 0, 4'096);
  PutRecords(*other_txn, 0, 1);
  EXPECT_TRUE(txn->Commit().ok());
  EXPECT_EQ((*other)->pieces_sent(), other_before);
  EXPECT_GE(env_->pieces_sent() - before, 8u);
  const uint64_t after = env_->pieces_sent();
  EXPECT_TRUE(other_txn->Commit().ok());
  EXPECT_EQ(env_->pieces_sent(), after);
  EXPECT_EQ((*other)->pieces_sent(), other_before + 1);

  ExpectRecords(*env_, 4'096);
  ExpectRecords(**other, 1);
}

// Tests writes to two descriptors without a sync between them. This happens after a commit that failed.
class PacedDescriptorsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (int i = 0; i < 2; ++i) {
      const std::string path = (directory_.path() / std::to_string(i)).string();
      fds_[i] = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
      ASSERT_GE(fds_[i], 0);
    }
  }
  void TearDown() override {
    for (const int fd : fds_) {
      lmdb::StopPacing(fd);
      close(fd);
    }
  }
  static void Write(int fd) {
    const Bytes bytes(kLessThanAPiece, 'v');
    ASSERT_EQ(widerow_lmdb_pwrite(fd, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
  }

  storage_test::TempDirectory directory_;
  int fds_[2] = {-1, -1};
};

TEST_F(PacedDescriptorsTest, BytesOfOneDoNotCountForTheOther) {
  Write(fds_[0]);
  Write(fds_[1]);
  EXPECT_EQ(PiecesSent(fds_[0]), 0u);
  EXPECT_EQ(PiecesSent(fds_[1]), 0u);
  EXPECT_EQ(widerow_lmdb_fdatasync(fds_[0]), 0);
  EXPECT_EQ(PiecesSent(fds_[0]), 1u);
  EXPECT_EQ(PiecesSent(fds_[1]), 0u);
}

TEST_F(PacedDescriptorsTest, AnErrorOfOneIsNotReportedForTheOther) {
  // A pipe has no offset, so a range of it cannot be sent to the disk.
  int pipe_ends[2];
  ASSERT_EQ(pipe2(pipe_ends, O_CLOEXEC), 0);
  char byte = 'v';
  const iovec part{&byte, 1};
  ASSERT_EQ(widerow_lmdb_writev(pipe_ends[1], &part, 1), 1);
  Write(fds_[0]);
  EXPECT_EQ(widerow_lmdb_fdatasync(fds_[0]), 0);
  EXPECT_NE(widerow_lmdb_fdatasync(pipe_ends[1]), 0);
  lmdb::StopPacing(pipe_ends[1]);
  for (const int fd : pipe_ends) close(fd);
}

TEST_F(PacedDescriptorsTest, AClosedDescriptorLeavesNothing) {
  Write(fds_[0]);
  lmdb::StopPacing(fds_[0]);
  EXPECT_EQ(widerow_lmdb_fdatasync(fds_[0]), 0);
  EXPECT_EQ(PiecesSent(fds_[0]), 0u);
}

}  // namespace
}  // namespace widerow
