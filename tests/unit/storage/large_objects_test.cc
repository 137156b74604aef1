// Tests large objects: pieces in the data file, references in rows, and when an object is swept.
#include <atomic>

#include "storage_test_support.h"
#include "tests/unit/reporting_child.h"

namespace widerow {
namespace {

using namespace storage_test;
using ::testing::HasSubstr;

Bytes Noise(size_t size, int seed) {
  Bytes value(size, '\0');
  uint32_t state = static_cast<uint32_t>(seed) * 2'654'435'761u + 1;
  for (char& c : value) {
    state = state * 1'664'525u + 1'013'904'223u;
    c = static_cast<char>(state >> 24);
  }
  return value;
}

class LargeObjectsTest : public EngineFixture {
 protected:
  // Stores the pieces of a value.
  std::unique_ptr<LargeUpload> Upload(const Bytes& value, const char* key = "k") {
    auto upload = engine().BeginLargeObject(*table_, key);
    for (size_t at = 0; at < value.size(); at += 100'000) {
      const Status appended = upload->Append(ByteView(value).substr(at, 100'000));
      EXPECT_TRUE(appended.ok()) << ErrorText(appended);
    }
    return upload;
  }
  LargeReference Put(const Bytes& value, int64_t timestamp, const char* key = "k", int32_t ttl = 0) {
    const auto upload = Upload(value, key);
    const Result<LargeReference> reference = upload->Finish();
    EXPECT_TRUE(reference.ok());
    Cell cell = MakeCell(kA, timestamp, EncodeLargeReference(*reference));
    cell.large = true;
    cell.ttl = ttl;
    if (ttl != 0) cell.expires_at = kStartSeconds + ttl;
    const Status applied = Apply(Row(table_, key, "c", Update({cell})));
    EXPECT_TRUE(applied.ok()) << ErrorText(applied);
    upload->Settle(applied);
    return *reference;
  }
  // Returns the value of the row as a SELECT sees it; "absent" if there is none.
  Bytes Get(ReadView& view, const char* key = "k") {
    RowView row;
    const Result<bool> found = view.GetRow(*table_, key, "c", row);
    EXPECT_TRUE(found.ok());
    if (!found.ok() || !*found) return "absent";
    row.ExpandUniform();
    for (const CellView& cell : row.cells) {
      if (cell.column != kA || cell.tombstone) continue;
      if (!cell.large) return Bytes(cell.value);
      Result<Bytes> whole = row.large_values->ReadWhole(row.large_prefix, cell.value);
      EXPECT_TRUE(whole.ok()) << whole.error().message;
      return whole.ok() ? *whole : "failed";
    }
    return "absent";
  }
  Bytes Get(const char* key = "k") { return Get(**engine().OpenView(), key); }
  std::unique_ptr<LargeRead> OpenRead(const LargeReference& reference) {
    auto read = engine().OpenLargeObject(*table_, "k", reference);
    EXPECT_TRUE(read.ok());
    return std::move(*read);
  }
  size_t Loose() { return engine().Statistics().large_objects_loose; }
  void SweepAll() {
    const Status swept = engine().SweepAll();
    ASSERT_TRUE(swept.ok()) << ErrorText(swept);
  }
};

TEST_F(LargeObjectsTest, ValuesOfEverySizeComeBackWholeAndInRanges) {
  int64_t timestamp = 1;
  for (const size_t size : {size_t{1}, kPieceBytes - 1, kPieceBytes, kPieceBytes + 1, 16 * kPieceBytes,
                            16 * kPieceBytes + 1, size_t{9'000'000}}) {
    const Bytes value = Noise(size, static_cast<int>(size));
    const LargeReference reference = Put(value, ++timestamp);
    EXPECT_EQ(reference.bytes, size);
    EXPECT_TRUE(Get() == value) << size << ", in the memtable";
    Flush();
    EXPECT_TRUE(Get() == value) << size << ", in the data file";
    Reopen();
    EXPECT_TRUE(Get() == value) << size << ", after a restart";
    const auto read = OpenRead(reference);
    ASSERT_NE(read, nullptr);
    for (const auto& [from, count] : {std::pair<size_t, size_t>{0, size}, {size / 2, size - size / 2}, {size - 1, 1}}) {
      std::string out = "before";
      ASSERT_TRUE(read->Read(from, count, out).ok());
      EXPECT_TRUE(out == "before" + value.substr(from, count)) << size << " from " << from;
    }
  }
  SweepAll();
  EXPECT_EQ(RecordCount(), 1 + (9'000'000 + kPieceBytes - 1) / kPieceBytes) << "the row and the pieces of one object";
}

TEST_F(LargeObjectsTest, NothingIsLeftOfValuesThatNoRowHas) {
  Put(Noise(600'000, 1), 10);
  Put(Noise(600'000, 2), 20);  // Overwrites the first value before a fold.
  SweepAll();
  EXPECT_EQ(RecordCount(), 1 + 3u);
  Put(Noise(600'000, 3), 5);  // This write is older than the value.
  EXPECT_TRUE(Get() == Noise(600'000, 2));
  SweepAll();
  EXPECT_EQ(RecordCount(), 1 + 3u);
  Put(Noise(600'000, 4), 30);  // Overwrites a value in the data file.
  SweepAll();
  EXPECT_EQ(RecordCount(), 1 + 3u);
  Write(Row(table_, "k", "c", Update({MakeCell(kA, 40, "short")})));
  SweepAll();
  EXPECT_EQ(RecordCount(), 1u);
  EXPECT_EQ(Get(), "short");
  Put(Noise(600'000, 5), 50);
  Flush();
  RowFragment deletion;
  deletion.deletion = {60, kStartSeconds};
  Write(Row(table_, "k", "c", deletion));
  EXPECT_EQ(Get(), "absent");
  SweepAll();
  EXPECT_EQ(RecordCount(), 1u) << "the row's tombstone";
  Upload(Noise(9'000'000, 6)).reset();  // Given up before it was finished.
  SweepAll();
  EXPECT_EQ(RecordCount(), 1u);
  EXPECT_EQ(Loose(), 0u);
  EXPECT_LT(Stats()[0].bytes, 500) << "the bytes of pieces are counted, and taken off";
}

TEST_F(LargeObjectsTest, AnExpiredValueIsRemovedWithItsPieces) {
  Put(Noise(600'000, 1), 10, "k", 100);
  Flush();
  EXPECT_EQ(RecordCount(), 1 + 3u);
  clock_->Set((kStartSeconds + 200 + table_->options.gc_grace_seconds) * 1'000'000);
  SweepAll();
  EXPECT_EQ(Get(), "absent");
  SweepAll();
  EXPECT_EQ(RecordCount(), 0u);
}

TEST_F(LargeObjectsTest, AReaderKeepsTheValueThatItHasOpened) {
  const Bytes old = Noise(3'000'000, 1);
  const LargeReference reference = Put(old, 10);
  Flush();
  auto read = OpenRead(reference);
  Put(Noise(3'000'000, 2), 20);
  SweepAll();
  std::string out;
  ASSERT_TRUE(read->Read(0, old.size(), out).ok());
  EXPECT_TRUE(out == old);
  EXPECT_EQ(Loose(), 1u);
  read.reset();
  SweepAll();
  EXPECT_EQ(Loose(), 0u);
  EXPECT_EQ(OpenRead(reference), nullptr) << "its pieces are gone";
  EXPECT_TRUE(Get() == Noise(3'000'000, 2));
}

TEST_F(LargeObjectsTest, ASnapshotShowsTheOldValueAfterASweep) {
  Put(Noise(3'000'000, 1), 10);
  auto snapshot = engine().HoldSnapshot();
  Put(Noise(3'000'000, 2), 20);
  SweepAll();
  EXPECT_TRUE(Get(*(*snapshot)->OpenView()) == Noise(3'000'000, 1));
  EXPECT_TRUE(Get() == Noise(3'000'000, 2));
}

TEST_F(LargeObjectsTest, ATableThatIsDroppedEndsUploadsAndReads) {
  const LargeReference reference = Put(Noise(3'000'000, 1), 10);
  Flush();
  auto read = OpenRead(reference);
  auto upload = Upload(Noise(5'000'000, 2));
  EXPECT_TRUE(upload->Live());
  UseTable(NewTable(engine().NewStorageId()));
  EXPECT_FALSE(upload->Live());
  const Result<LargeReference> finished = upload->Finish();
  ASSERT_FALSE(finished.ok());
  EXPECT_THAT(finished.error().message, HasSubstr("dropped or truncated"));
  SweepAll();
  std::string out;
  const Status late = read->Read(0, 1'000, out);
  ASSERT_FALSE(late.ok());
  EXPECT_EQ(late.error().code, ErrorCode::kReadFailure);
  read.reset();
  upload.reset();
  EXPECT_EQ(RecordCount(), 0u);
}

TEST_F(LargeObjectsTest, TheGreatestValueHas512MB) {
  auto upload = engine().BeginLargeObject(*table_, "k");
  const Status refused = upload->Append(ByteView("x", kLargeObjectBytesMax + 1));  // No byte is read.
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, HasSubstr("longer than 536870912 bytes"));
}

TEST_F(LargeObjectsTest, ManyBytesThatWaitForAFoldCauseIt) {
  engine_.reset();
  StorageOptions background = options();
  background.background_sweep = true;
  auto opened = LmdbEngine::Open(std::move(background));
  ASSERT_TRUE(opened.ok()) << opened.error().message;
  engine_ = std::move(*opened);
  for (int i = 0; i < 15; ++i) Put(Noise(5'000'000, i), 10 + i);
  // A fold begins when values of 64 MiB in total wait for it. It may end before the last values are written.
  constexpr uint64_t kLastValues = 2;
  for (int tries = 0; Loose() > kLastValues && tries < 300; ++tries) usleep(100'000);
  EXPECT_LE(Loose(), kLastValues) << "without a call of Flush";
  EXPECT_TRUE(Get() == Noise(5'000'000, 14));
}

TEST_F(LargeObjectsTest, ConcurrencyReadersAlwaysFindThePiecesOfWhatTheySee) {
  Put(Noise(300'000, 0), 1);
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0}, reads{0};
  std::vector<std::thread> readers;
  for (int thread = 0; thread < 3; ++thread) {
    readers.emplace_back([&] {
      while (!stop) {
        const Bytes value = Get();
        wrong += value.size() != 300'000;
        ++reads;
      }
    });
  }
  for (int i = 1; i <= 60; ++i) {
    Put(Noise(300'000, i), 1 + i);
    if (i % 20 == 0) SweepAll();
  }
  stop = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(reads, 0);
  SweepAll();
  EXPECT_EQ(RecordCount(), 1 + 2u);
}

// A process writes values 1, 2, 3, … to one row and is killed.
class LargeObjectsCrashTest : public LargeObjectsTest {
 protected:
  void SetUp() override {}
  static constexpr size_t kBytes = 5'000'000;

  [[noreturn]] void WriteForEver(int report, int first) {
    Open();
    for (int i = first;; ++i) {
      Put(Noise(kBytes, i), i);
      if (i % 3 == 0) Flush();
      if (::write(report, &i, sizeof i) != sizeof i) _exit(1);
    }
  }
};

TEST_F(LargeObjectsCrashTest, AKillLeavesOneWholeValueAndNoOtherPieces) {
  int answered = 0;
  for (int round = 0; round < 8; ++round) {
    ReportingChild child([&](int report) { WriteForEver(report, answered + 1); });
    int last = answered;
    for (int writes = 0; writes < 1 + round && child.Read(last);) ++writes;
    usleep(static_cast<useconds_t>(4'000 * round));
    child.Kill();
    while (child.Read(last)) continue;
    ASSERT_GT(last, answered);

    Open();
    const Bytes value = Get();
    const bool next = value == Noise(kBytes, last + 1);
    EXPECT_TRUE(next || value == Noise(kBytes, last)) << "neither the answered value nor the one under way";
    answered = last + (next ? 1 : 0);
    SweepAll();
    EXPECT_EQ(RecordCount(), 1 + (kBytes + kPieceBytes - 1) / kPieceBytes);
    EXPECT_EQ(Loose(), 0u);
    EXPECT_TRUE(Get() == Noise(kBytes, answered)) << "after the sweep";
    engine_.reset();
  }
}

}  // namespace
}  // namespace widerow
