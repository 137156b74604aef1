// An *acknowledged* group is one whose sync has succeeded. If acknowledged groups are damaged or missing, the log does
// not open and changes no file. The error names the place of the damage.
#include <algorithm>

#include "commit_log_test_support.h"
#include "storage/log/log_format.h"

namespace widerow {
namespace {

using namespace storage_test;
using testing::HasSubstr;

// Appends `count` groups of `size` bytes, and syncs after each of them.
void Fill(LogHarness& harness, size_t count, size_t size) {
  for (size_t i = 0; i < count; ++i) {
    ASSERT_TRUE(harness.Append(size).ok());
    ASSERT_TRUE(harness.Sync().ok());
  }
}

std::vector<Bytes> AllContents(const SimulatedLogFiles& files) {
  std::vector<Bytes> contents;
  for (const std::string& name : files.Names()) contents.push_back(files.Content(name));
  return contents;
}

// Returns the file that contains the record of group `sequence`, and the offset of the record.
std::pair<std::string, uint64_t> PlaceOf(const SimulatedLogFiles& files, uint64_t sequence) {
  for (const std::string& name : files.Segments()) {
    const Bytes content = files.Content(name);
    log_format::SegmentHeader header;
    uint32_t version = 0;
    EXPECT_EQ(log_format::DecodeSegmentHeader(ByteView(content).substr(0, 4096), header, version),
              log_format::HeaderState::kGood);
    for (uint64_t offset = log_format::kRecordsOffset;; offset += 8) {
      const auto record = log_format::FindRecordHeader(content, header.salt, offset);
      if (!record.has_value()) break;
      if (record->last_sequence == sequence) return {name, offset};
    }
  }
  ADD_FAILURE() << "no record of " << sequence;
  return {};
}

class CommitLogDamageTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(harness_.Open().ok()); }

  void Flip(const std::string& name, size_t offset) {
    const char flipped = static_cast<char>(harness_.files.Content(name)[offset] ^ 0x10);
    harness_.files.Overwrite(name, offset, ByteView(&flipped, 1));
  }
  void ExpectRefused(const std::string& part, const std::string& begin = "The commit log is damaged: '") {
    const std::vector<Bytes> before = AllContents(harness_.files);
    const Status opened = harness_.Open();
    ASSERT_FALSE(opened.ok());
    EXPECT_THAT(opened.error().message, HasSubstr(begin));
    EXPECT_THAT(opened.error().message, HasSubstr(part));
    EXPECT_THAT(opened.error().hint, HasSubstr("--accept-lost-log"));
    EXPECT_TRUE(before == AllContents(harness_.files)) << "a start that is refused changes nothing";
  }
  void ExpectMissing(const std::string& part) { ExpectRefused(part, "A part of the commit log is missing: "); }
  // Removes the list of segments. Earlier versions had no list.
  void RemoveList() {
    harness_.files.Delete("list");
    harness_.expected_id.reset();
  }

  void ExpectAllReplayed() {
    ASSERT_TRUE(harness_.Open().ok());
    EXPECT_EQ(harness_.replayed, harness_.appended);
  }

  LogHarness harness_{1};
};

TEST_F(CommitLogDamageTest, AnyByteOfAnAcknowledgedRecord) {
  Fill(harness_, 24, 700);
  harness_.log.reset();
  ASSERT_GE(harness_.files.Segments().size(), 2u);
  // Group 24 is left out: no other record mentions it, so its loss cannot be noticed
  // (TheLastRecordIsTakenForAnUnsyncedTail).
  for (const uint64_t sequence : {1u, 5u, 9u, 23u}) {
    const auto [name, offset] = PlaceOf(harness_.files, sequence);
    for (size_t i = 0; i < 64 + 700; i += i < 64 ? 1 : 53) {
      SCOPED_TRACE(std::to_string(sequence) + " byte " + std::to_string(i));
      Flip(name, offset + i);
      ExpectRefused("groups after sequence number " + std::to_string(sequence - 1));
      Flip(name, offset + i);
      if (HasFailure()) return;
    }
  }
  ExpectAllReplayed();
}

TEST_F(CommitLogDamageTest, TheErrorNamesFileAndOffset) {
  Fill(harness_, 3, 700);
  harness_.log.reset();
  const auto [name, offset] = PlaceOf(harness_.files, 2);
  Flip(name, offset + 100);
  ExpectRefused("/" + name + "' at offset " + std::to_string(offset) + ":");
}

TEST_F(CommitLogDamageTest, AfterACloseTheLastRecordToo) {
  Fill(harness_, 24, 700);
  ASSERT_TRUE(harness_.log->Close().ok());
  harness_.log.reset();
  for (const uint64_t sequence : {1u, 23u, 24u}) {
    const auto [name, offset] = PlaceOf(harness_.files, sequence);
    Flip(name, offset + 80);
    ExpectRefused("groups after sequence number " + std::to_string(sequence - 1));
    Flip(name, offset + 80);
  }
  ExpectAllReplayed();
}

// If the log was not closed, damage to the last synced group looks like a write that a power cut has interrupted.
TEST_F(CommitLogDamageTest, TheLastRecordIsTakenForAnUnsyncedTail) {
  Fill(harness_, 3, 700);
  harness_.log.reset();
  const auto [name, offset] = PlaceOf(harness_.files, 3);
  Flip(name, offset + 80);
  ASSERT_TRUE(harness_.Open().ok());
  EXPECT_EQ(harness_.replayed.size(), 2u);
}

TEST_F(CommitLogDamageTest, AMissingSegmentIsNamed) {
  Fill(harness_, 60, 900);
  harness_.log.reset();
  for (const std::string& name : harness_.files.Segments()) {
    const Bytes content = harness_.files.Content(name);
    harness_.files.Delete(name);
    ExpectMissing("'data/log/" + name + "' is missing");
    harness_.files.Create(name, content);
  }
  ExpectAllReplayed();
}

TEST_F(CommitLogDamageTest, AMissingLog) {
  Fill(harness_, 2, 100);
  harness_.log.reset();
  const Bytes list = harness_.files.Content("list"), segment = harness_.files.Content("segment-1");
  harness_.files.Delete("list");
  ExpectMissing("'data/log/list' is missing or damaged");
  harness_.files.Delete("segment-1");
  ExpectMissing("'data/log' is missing or empty");
  harness_.files.Create("segment-1", segment);
  harness_.files.Create("list", Bytes(list.size(), 'x'));
  ExpectMissing("'data/log/list' is missing or damaged");
  harness_.files.Delete("list");
  harness_.files.Create("list", list);
  ExpectAllReplayed();
}

TEST_F(CommitLogDamageTest, TheLogOfAnotherDatabase) {
  Fill(harness_, 2, 100);
  harness_.expected_id = Uuid::Random();
  ExpectMissing("data.mdb belongs to the log " + harness_.expected_id->ToString());
}

// The list of segments has two slots, which are written in turn. If the newest slot is damaged, the log uses the
// previous list.
TEST_F(CommitLogDamageTest, OneSlotOfTheListIsEnough) {
  Fill(harness_, 60, 900);
  harness_.log.reset();
  for (const size_t slot : {size_t{0}, size_t{64 << 10}}) {
    Flip("list", slot + 20);
    ExpectAllReplayed();
    harness_.log.reset();
    Flip("list", slot + 20);
  }
}

// If the operator accepts a loss, the log replays the groups that remain. Writing continues, and later starts find no
// loss.
TEST_F(CommitLogDamageTest, ALossThatIsAccepted) {
  for (const bool with_list : {true, false}) {
    for (const uint64_t sequence : {1u, 30u, 60u}) {
      SCOPED_TRACE(sequence);
      LogHarness log(1);
      ASSERT_TRUE(log.Open().ok());
      Fill(log, 60, 900);
      log.log.reset();
      log.files.Delete(PlaceOf(log.files, sequence).first);
      if (!with_list) log.files.Delete("list");
      log.accept_loss = true;
      ASSERT_TRUE(log.Open().ok());
      EXPECT_THAT(log.lines, testing::Contains(HasSubstr("which is accepted")));
      ASSERT_LT(log.replayed.size(), sequence);
      log.appended.resize(log.replayed.size());
      EXPECT_EQ(log.replayed, log.appended);
      Fill(log, 20, 900);
      for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(log.Open().ok());
        EXPECT_EQ(log.replayed, log.appended);
      }
    }
  }
}

TEST_F(CommitLogDamageTest, ADamagedSegmentThatIsAccepted) {
  Fill(harness_, 60, 900);
  harness_.log.reset();
  harness_.files.Truncate(PlaceOf(harness_.files, 60).first, 5000);
  harness_.accept_loss = true;
  ASSERT_TRUE(harness_.Open().ok());
  harness_.accept_loss = false;
  harness_.appended.resize(harness_.replayed.size());
  EXPECT_EQ(harness_.replayed, harness_.appended);
  ExpectAllReplayed();
}

TEST_F(CommitLogDamageTest, WithoutAListTheRecordsShowAMissingSegment) {
  Fill(harness_, 60, 900);
  harness_.log.reset();
  RemoveList();
  const std::vector<std::string> names = harness_.files.Segments();
  ASSERT_GE(names.size(), 3u);
  const std::string last = PlaceOf(harness_.files, 60).first;
  for (const std::string& name : names) {
    if (name == last) continue;  // No other record mentions the last segment, so its loss cannot be noticed.
    const Bytes content = harness_.files.Content(name);
    harness_.files.Delete(name);
    ExpectRefused("groups after sequence number");
    harness_.files.Create(name, content);
  }
  ExpectAllReplayed();
}

TEST_F(CommitLogDamageTest, ATruncatedSegment) {
  Fill(harness_, 3, 700);
  harness_.log.reset();
  const std::string name = PlaceOf(harness_.files, 2).first;
  harness_.files.Truncate(name, 5000);
  ExpectRefused("it is cut off: it should have 8192 bytes");
}

TEST_F(CommitLogDamageTest, OneHeaderOfASegmentIsEnough) {
  Fill(harness_, 3, 700);
  harness_.log.reset();
  const std::string name = PlaceOf(harness_.files, 2).first;
  for (size_t i = 0; i < log_format::kSegmentHeaderBytes; ++i) {
    Flip(name, i);
    ASSERT_TRUE(harness_.Open().ok()) << i;
    EXPECT_EQ(harness_.replayed, harness_.appended);
    harness_.log.reset();
    Flip(name, i);
  }
  Flip(name, 20);
  Flip(name, log_format::kSecondHeaderOffset + 20);
  ExpectRefused("its header is not one, and it holds records");
}

TEST_F(CommitLogDamageTest, AnotherVersionIsNamed) {
  Fill(harness_, 1, 100);
  harness_.log.reset();
  for (const size_t copy : {uint64_t{0}, log_format::kSecondHeaderOffset}) {
    harness_.files.Overwrite("segment-1", copy + 8, ByteView("\0\0\0\2", 4));
  }
  const Status opened = harness_.Open();
  ASSERT_FALSE(opened.ok());
  EXPECT_THAT(opened.error().message,
              HasSubstr("has version 2 of the commit log's format; this Widerow reads version 1"));
}

// Groups that a fold has put into the data file may be damaged or missing.
TEST_F(CommitLogDamageTest, FoldedGroupsAreNotMissed) {
  Fill(harness_, 60, 900);
  harness_.log.reset();
  const std::string first = PlaceOf(harness_.files, 1).first;
  ASSERT_NE(first, PlaceOf(harness_.files, 40).first);
  harness_.Fold(40);
  harness_.files.Delete(first);
  RemoveList();
  ASSERT_TRUE(harness_.Open().ok());
  EXPECT_EQ(harness_.replayed, harness_.Unfolded());
}

TEST_F(CommitLogDamageTest, AGapBehindTheFoldIsALoss) {
  Fill(harness_, 60, 900);
  harness_.log.reset();
  const std::string first = PlaceOf(harness_.files, 1).first;
  harness_.Fold(3);
  harness_.files.Delete(first);
  RemoveList();
  ExpectRefused("groups after sequence number 3");
}

// Several groups were not synced. A power cut can tear the first of them and leave later ones whole. This is no loss,
// and the groups after the torn one are not replayed.
TEST_F(CommitLogDamageTest, AnUnsyncedTailWithAGapIsDroppedForGood) {
  Fill(harness_, 2, 700);
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(harness_.Append(700).ok());
  harness_.log.reset();
  const auto [name, offset] = PlaceOf(harness_.files, 3);
  Flip(name, offset + 80);
  ASSERT_TRUE(harness_.Open().ok());
  harness_.appended.resize(2);
  EXPECT_EQ(harness_.replayed, harness_.appended);
  EXPECT_THAT(harness_.lines, testing::ElementsAre(HasSubstr("after sequence number 2 through 6")));
  // The new group takes the place of the torn one. It has the same length and the same sequence numbers.
  Fill(harness_, 1, 700);
  ASSERT_TRUE(harness_.Open().ok());
  EXPECT_EQ(harness_.replayed, harness_.appended);
}

// A client may write bytes that look like a record of the log. They are not accepted as a record, because a record's
// checksum depends on a value that no client knows.
TEST_F(CommitLogDamageTest, ForgedRecordsProveNothing) {
  Bytes forged(log_format::kRecordHeaderBytes, '\0');
  log_format::EncodeRecordHeader({.body_checksum = log_format::BodyChecksum({}),
                                  .epoch = 1'000'000,
                                  .last_sequence = 1'000'001,
                                  .previous_sequence = 1'000'000,
                                  .synced_through = 1'000'000},
                                 0, forged.data());
  Fill(harness_, 1, 100);
  const std::vector<ByteView> parts = {forged, forged, forged};
  ASSERT_TRUE(harness_.log->Append(2, 2, parts).ok());
  harness_.log.reset();
  const auto [name, offset] = PlaceOf(harness_.files, 2);
  Flip(name, offset);  // The record is torn, so the log searches its body for later records.
  ASSERT_TRUE(harness_.Open().ok());
  EXPECT_EQ(harness_.replayed, harness_.appended);
}

TEST(LogFormatTest, NumbersThatNoLogReachesAreDamage) {
  constexpr uint64_t kSalt = 5;
  char bytes[log_format::kRecordHeaderBytes];
  const auto is_record = [&](uint64_t sequence, uint64_t epoch) {
    log_format::EncodeRecordHeader({.epoch = epoch, .last_sequence = sequence}, kSalt, bytes);
    return log_format::DecodeRecordHeader(bytes, kSalt).has_value();
  };
  EXPECT_TRUE(is_record(log_format::kNumberMax, 1));
  EXPECT_FALSE(is_record(UINT64_MAX, 1));
  EXPECT_FALSE(is_record(1, UINT64_MAX));
  const auto is_mark = [&](uint64_t sequence, uint64_t greatest_epoch) {
    log_format::EncodeCloseMark({.epoch = 1, .last_sequence = sequence, .greatest_epoch = greatest_epoch}, kSalt,
                                bytes);
    return log_format::DecodeCloseMark(bytes, kSalt).has_value();
  };
  EXPECT_TRUE(is_mark(1, 1));
  EXPECT_FALSE(is_mark(UINT64_MAX, 1));
  EXPECT_FALSE(is_mark(1, UINT64_MAX));
}

}  // namespace
}  // namespace widerow
