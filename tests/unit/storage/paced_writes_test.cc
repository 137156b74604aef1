#include "storage/lmdb/paced_writes.h"

#include "storage_test_support.h"

namespace widerow {
namespace {

using lmdb::PiecesSent;

class PacedWritesTest : public storage_test::EnvFixture {
 protected:
  // Returns the number of pieces that a commit of records `begin` to `end`, one page each, has sent.
  uint64_t PiecesOfCommit(uint32_t begin, uint32_t end) {
    const uint64_t before = PiecesSent();
    auto txn = lmdb::WriteTxn::Begin(*env_);
    for (uint32_t i = begin; i < end; ++i) { EXPECT_TRUE(txn->Put(lmdb::Db::kData, Key(i), Bytes(3'000, 'v')).ok()); }
    EXPECT_TRUE(txn->Commit().ok());
    return PiecesSent() - before;
  }

  static Bytes Key(uint32_t number) {
    Bytes key;
    AppendBigEndian<uint32_t>(key, number);
    return key;
  }
};

TEST_F(PacedWritesTest, ALargeCommitGoesToTheDiskInPieces) {
  EXPECT_GE(PiecesOfCommit(0, 4'096), 8u);  // 16 MiB; a piece has at most 1 MiB.
  EXPECT_LE(PiecesOfCommit(4'096, 4'097), 1u);

  auto txn = lmdb::ReadTxn::Begin(*env_);
  auto cursor = lmdb::Cursor::Open(txn->ref(), lmdb::Db::kData);
  ByteView key, value;
  uint32_t records = 0;
  for (auto rc = cursor->SeekAtOrAfter(Key(0), key, value); rc.ok(); rc = cursor->Next(key, value), ++records) {
    ASSERT_EQ(key, Key(records));
    ASSERT_EQ(value, Bytes(3'000, 'v'));
  }
  EXPECT_EQ(records, 4'097u);
}

}  // namespace
}  // namespace widerow
