// `widerow check` finds records that contradict each other although every page and record has a right checksum. Damage
// to the files is tested by tests/damage.
#include <fstream>

#include "storage/check/check_storage.h"
#include "storage_test_support.h"
#include "types/order_codec.h"

namespace widerow {
namespace {

using namespace storage_test;
using ::testing::HasSubstr;

class CheckTest : public EngineFixture {
 protected:
  void Fill() {
    for (int i = 0; i < 200; ++i) Put(i);
    Write(Row(table_, Bytes(2'000, 'k'), At(Bytes(600, 'c')), Insert(1, {MakeCell(kA, 1, "long")})));
    Write(Row(table_, "spilled", At("c"),
              Insert(1, {MakeCell(kA, 1, Bytes(700'000, 's')), MakeCell(kMap, 1, Bytes(2'000, 'v'), Int(1))})));
    PartitionMutation range = Partition(table_, "ranges");
    range.range_deletions.push_back({{At("a"), At("b")}, {.timestamp = 5, .local_seconds = kStartSeconds}});
    range.range_deletions.push_back({{At("c"), At("d")}, {.timestamp = 6, .local_seconds = kStartSeconds}});
    Write(std::move(range));
  }
  // Returns the encoded clustering.
  Bytes At(ByteView text) const {
    Bytes out;
    AppendComparable(*table_->clustering(0).type, table_->clustering(0).descending, text, out);
    return out;
  }
  void Put(int32_t key, int64_t timestamp = 1) {
    Write(Row(table_, Int(key), At("c"), Insert(timestamp, {MakeCell(kA, timestamp, Bytes(300, 'x'))})));
  }
  // Changes the data file directly, past the checks of the engine.
  void Meddle(const std::function<Status(WriteContext&)>& change) {
    Flush();
    const Status done = engine().RunOnFolder([&](StoreWriter& writer) {
      return writer.Apply([&](WriteContext& context, const LiveTables&) { return change(context); });
    });
    ASSERT_TRUE(done.ok()) << done.error().message;
  }
  Bytes KeyOf(ByteView partition, RecordKind kind, ByteView rest = {}) {
    Bytes key;
    AppendPartitionPrefix(*table_, partition, key);
    AppendKind(kind, key);
    return key + Bytes(rest);
  }
  // Checks the directory. The engine is closed for this time, because a process may open an LMDB file only once.
  CheckReport Check() {
    ReleaseFolder();
    engine_.reset();
    CheckReport report;
    auto check = DirectoryCheck::Open(directory_.path());
    EXPECT_TRUE(check.ok()) << check.error().message;
    if (check.ok()) (*check)->Run([](const std::string&, uint64_t, uint64_t) {}, report);
    if (check.ok()) check->reset();
    Open();
    return report;
  }
  // Returns the faults as text, each on its own line. Returns "" if there are none.
  std::string Fault() {
    const CheckReport report = Check();
    std::string all;
    for (const CheckFault& fault : report.faults) all += fault.where.substr(0, 20) + ": " + fault.what + "\n";
    return all;
  }
};

TEST_F(CheckTest, ASoundDirectoryIsSound) {
  Fill();
  EXPECT_EQ(Fault(), "");
  const CheckReport report = Check();
  EXPECT_EQ(report.rows, 202u);
  EXPECT_EQ(report.spilled_values, 2u);
  Put(1'000);
  const Bytes before = ReadAll();
  EXPECT_EQ(Fault(), "");
  EXPECT_EQ(ReadAll(), before) << "a check changes nothing";
}

// The record of the file's state has the page size, and LMDB divides by it. Here the page size is 0, so the check must
// refuse the record before LMDB uses it.
TEST_F(CheckTest, ADamagedRecordOfTheFilesState) {
  Fill();
  Flush();
  ReleaseFolder();
  engine_.reset();
  constexpr std::streamoff kPageSizeAt = 16 + 24;  // Byte 24 of the record, which follows the 16-byte head of page 0.
  {
    std::fstream data(directory_.path() / "data.mdb", std::ios::in | std::ios::out | std::ios::binary);
    data.seekp(kPageSizeAt);
    data.write("\0\0\0\0", 4);
  }
  const auto check = DirectoryCheck::Open(directory_.path());
  ASSERT_FALSE(check.ok());
  EXPECT_THAT(check.error().message, HasSubstr("page 0: the record of the file's state is damaged"));
  Open();  // A start repairs the record.
  EXPECT_EQ(Fault(), "");
}

TEST_F(CheckTest, RowsOfNoTable) {
  Fill();
  Meddle([&](WriteContext& context) {
    const Bytes key = KeyOf(Int(1), RecordKind::kRow, At("c"));
    ByteView value;
    EXPECT_TRUE(*context.Get(key, value));
    Bytes moved = key;
    moved[3] = 0;  // No table has the storage id 0.
    return context.Put(moved, Bytes(value));
  });
  EXPECT_THAT(Fault(), HasSubstr("the rows belong to no table"));
}

TEST_F(CheckTest, ARowAtAnotherKeysPlace) {
  Fill();
  Meddle([&](WriteContext& context) {
    const Bytes key = KeyOf(Int(1), RecordKind::kRow, At("c"));
    ByteView value;
    EXPECT_TRUE(*context.Get(key, value));
    Bytes moved = key;
    moved[7] = static_cast<char>(moved[7] ^ 1);  // The token is not that of the key.
    return context.Put(moved, Bytes(value));
  });
  EXPECT_THAT(Fault(), HasSubstr("the partition is not at the place of its key"));
}

TEST_F(CheckTest, AMissingPieceOfASpilledValue) {
  Fill();
  Meddle([&](WriteContext& context) {
    Bytes prefix;
    AppendPartitionPrefix(*table_, "spilled", prefix);
    Bytes key;
    AppendSpillPrefix(prefix, At("c"), kA, key);
    AppendDelimited("", key);
    AppendBigEndian(key, uint32_t{1});
    return context.Delete(key);
  });
  EXPECT_THAT(Fault(), HasSubstr("a part of the spilled value before this one is missing"));
}

TEST_F(CheckTest, ASpilledValueWithoutItsRow) {
  Fill();
  Meddle([&](WriteContext& context) { return context.Delete(KeyOf("spilled", RecordKind::kRow, At("c"))); });
  EXPECT_THAT(Fault(), HasSubstr("the spilled value belongs to no row"));
}

TEST_F(CheckTest, ContentThatATombstoneDeletes) {
  Fill();
  Meddle([&](WriteContext& context) {
    return context.Put(KeyOf(Int(1), RecordKind::kHeader), EncodeHeader({.timestamp = 9, .local_seconds = 1}));
  });
  EXPECT_THAT(Fault(), HasSubstr("the row has content that a stored tombstone deletes"));
}

TEST_F(CheckTest, OverlappingRangeTombstones) {
  Fill();
  Meddle([&](WriteContext& context) {
    return context.Put(KeyOf("ranges", RecordKind::kRangeTombstone, At("a")),
                       EncodeRangeTombstone({.begin = At("a"), .end = At("z"), .deletion = {7, 1}}));
  });
  EXPECT_THAT(Fault(), HasSubstr("the range tombstone overlaps the one before it"));
}

TEST_F(CheckTest, ALongKeyThatLeadsToNothing) {
  Fill();
  Meddle([&](WriteContext& context) {
    Bytes link = KeyOf(Bytes(700, 'q'), RecordKind::kRow);
    link.resize(511);
    Bytes space;
    AppendBigEndian(space, uint64_t{77'777});
    const lmdb::Rc put = context.txn().Put(lmdb::Db::kData, link, space);
    return put.ok() ? OkStatus() : Status(lmdb::ToError(put, "putting"));
  });
  EXPECT_THAT(Fault(), HasSubstr("a long key leads to nothing"));
}

TEST_F(CheckTest, AChangedRecord) {
  Fill();
  Meddle([&](WriteContext& context) {
    const Bytes key = KeyOf(Int(1), RecordKind::kRow, At("c"));
    ByteView value;
    EXPECT_TRUE(*context.Get(key, value));
    Bytes changed(value);
    changed[20] = static_cast<char>(changed[20] ^ 1);
    return context.Put(key, changed);
  });
  EXPECT_THAT(Fault(), HasSubstr("the row does not match its checksum or format"));
}

TEST_F(CheckTest, OtherDirectoriesAreErrors) {
  TempDirectory empty;
  EXPECT_FALSE(DirectoryCheck::Open(empty.path()).ok());
}

}  // namespace
}  // namespace widerow
