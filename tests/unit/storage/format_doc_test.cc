// docs/internals/storage-format.md shows records in hex. The code must write exactly these records.
#include <fstream>
#include <sstream>

#include "storage/format/catalog_codec.h"
#include "storage/large/pieces.h"
#include "storage/log/log_format.h"
#include "storage_test_support.h"
#include "types/order_codec.h"

namespace widerow {
namespace {

using namespace storage_test;

// Returns the hex digits of the block `name` in the document. Its lines are "<hex groups>   <meaning>".
std::string DocumentedHex(const std::string& name) {
  std::ifstream file(std::filesystem::path(WR_TEST_DATA) / "../../docs/internals/storage-format.md");
  EXPECT_TRUE(file.good());
  std::string hex;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line == "```hex " + name) {
      inside = true;
    } else if (line.starts_with("```")) {
      inside = false;
    } else if (inside) {
      std::istringstream words(line.substr(0, line.find("   ")));
      for (std::string word; words >> word;) hex += word;
    }
  }
  return hex;
}

constexpr int64_t kMicros = 1'700'000'000'000'000;

Bytes ExampleKey() {
  Bytes key;
  AppendPartitionPrefix(7, Int(1), key);
  AppendKind(RecordKind::kRow, key);
  AppendComparable(*ScalarType(TypeKind::kText), false, ByteView("a"), key);
  return key;
}

TEST(FormatDocTest, TheRowKey) { EXPECT_EQ(DocumentedHex("key"), ToHex(ExampleKey())); }

TEST(FormatDocTest, TheUsualRow) {
  const TableColumns columns(NewTable(7));
  const StoredRow row{Insert(kMicros, {MakeCell(kA, kMicros, "hi"), MakeCell(kB, kMicros, "you")}), {}};
  EXPECT_EQ(DocumentedHex("row"), ToHex(EncodeRow(row, columns)));
}

TEST(FormatDocTest, ARowWithExceptions) {
  const TableColumns columns(NewTable(7));
  StoredRow row{Insert(kMicros, {MakeCell(kA, kMicros, "hi"), MakeTombstone(kB, kMicros + 1, {}, 1'700'000'000),
                                 MakeCell(kMap, kMicros, "x", Int(1))}),
                {}};
  row.content.column_deletions.push_back({kMap, {kMicros - 1, 1'700'000'000}});
  EXPECT_EQ(DocumentedHex("exceptions"), ToHex(EncodeRow(row, columns)));
}

TEST(FormatDocTest, ARangeTombstone) {
  EXPECT_EQ(DocumentedHex("range"), ToHex(EncodeRangeTombstone({"a", "b", {kMicros, 1'700'000'000}})));
}

TEST(FormatDocTest, ASpilledElement) {
  EXPECT_EQ(DocumentedHex("spill"), ToHex(EncodeSpilledCell(MakeCell(kMap, kMicros, "x", Int(1)))));
}

TEST(FormatDocTest, ALargeObject) {
  Bytes prefix, pieces;
  AppendPartitionPrefix(7, Int(1), prefix);
  AppendPiecePrefix(prefix, 258, pieces);
  EXPECT_EQ(DocumentedHex("piece"), ToHex(PieceKey(pieces, 1)));
  Cell cell = MakeCell(kA, kMicros, EncodeLargeReference({.object = 258, .bytes = 1'000'000}));
  cell.large = true;
  EXPECT_EQ(DocumentedHex("large"),
            ToHex(EncodeRow(StoredRow{Insert(kMicros, {cell}), {}}, TableColumns(NewTable(7)))));
}

TEST(FormatDocTest, TheCommitLog) {
  using namespace log_format;
  constexpr uint64_t kSalt = 0x5eed5eed5eed5eed;
  Bytes segment(kSegmentHeaderBytes, '\0'), record(kRecordHeaderBytes, '\0'), mark(kCloseMarkBytes, '\0');
  EncodeSegmentHeader({.salt = kSalt, .bytes = 262'144}, segment.data());
  EXPECT_EQ(DocumentedHex("log segment header"), ToHex(segment));
  EncodeRecordHeader({.body_checksum = BodyChecksum("hello"),
                      .body_bytes = 5,
                      .epoch = 7,
                      .last_sequence = 42,
                      .previous_sequence = 40,
                      .synced_through = 38,
                      .last_timestamp = kMicros},
                     kSalt, record.data());
  EXPECT_EQ(DocumentedHex("log record"), ToHex(record + "hello"));
  EncodeCloseMark({.epoch = 7, .end = 4'168, .last_sequence = 42, .greatest_epoch = 9}, kSalt, mark.data());
  EXPECT_EQ(DocumentedHex("log close mark"), ToHex(mark));
  const Uuid id = *Uuid::FromString("00010203-0405-0607-0809-0a0b0c0d0e0f");
  EXPECT_EQ(DocumentedHex("log segment list"),
            ToHex(EncodeSegmentNumbers({.log_id = id, .generation = 5, .numbers = {3, 4}})));
}

}  // namespace
}  // namespace widerow
