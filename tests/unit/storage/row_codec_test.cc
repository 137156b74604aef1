#include "storage/format/row_codec.h"

#include <random>

#include "storage_test_support.h"

namespace widerow {
namespace {

using namespace storage_test;

Bytes RandomBytes(std::mt19937& random, size_t max) {
  Bytes out(random() % (max + 1), '\0');
  for (char& c : out) c = static_cast<char>(random());
  return out;
}

void RandomTimes(std::mt19937& random, Cell& cell) {
  cell.timestamp = random() % 3 == 0 ? static_cast<int64_t>(random()) - (int64_t{1} << 31) : 1'700'000'000'000'000;
  if (random() % 4 == 0) {
    cell.ttl = static_cast<int32_t>(1 + random() % 1000);
    cell.expires_at = 1'700'000'000 + cell.ttl;
  } else if (random() % 5 == 0) {
    cell.tombstone = true;
    cell.value.clear();
    cell.expires_at = 1'700'000'000;
  }
}

StoredRow RandomRecord(std::mt19937& random) {
  StoredRow row;
  if (random() % 2 == 0) row.content.marker = {1'700'000'000'000'000, 0, 0};
  if (random() % 6 == 0) row.content.marker = {1'700'000'000'000'000, 60, 1'700'000'060};
  if (random() % 5 == 0) row.content.deletion = {static_cast<int64_t>(random()), static_cast<int64_t>(random())};
  const bool plain = random() % 2 == 0;
  for (const ColumnId column : {kA, kB}) {
    if (random() % 4 == 0) continue;
    Cell cell = MakeCell(column, 1'700'000'000'000'000, RandomBytes(random, 200));
    if (!plain) RandomTimes(random, cell);
    if (!plain && random() % 6 == 0 && !cell.tombstone) {
      row.spilled.push_back({column, false, 5'000 + random() % 1'000'000});
      cell.value.clear();
    }
    row.content.cells.push_back(std::move(cell));
  }
  if (!plain && random() % 3 != 0) {
    if (random() % 2 == 0) row.content.column_deletions.push_back({kMap, {static_cast<int64_t>(random()), 5}});
    if (random() % 4 == 0) {
      row.spilled.push_back({kMap, true, 0});
    } else {
      for (int i = 0; i < static_cast<int>(random() % 4); ++i) {
        Cell cell = MakeCell(kMap, 1, RandomBytes(random, 10), i == 0 ? Bytes() : Int(i));
        RandomTimes(random, cell);
        row.content.cells.push_back(std::move(cell));
      }
    }
  }
  if (random() % 8 == 0) row.content.kept_clustering.emplace_back(1, RandomBytes(random, 9));
  return row;
}

void ExpectSame(const StoredRow& a, const StoredRow& b) {
  EXPECT_EQ(a.content.marker, b.content.marker);
  EXPECT_EQ(a.content.deletion, b.content.deletion);
  EXPECT_EQ(a.spilled, b.spilled);
  EXPECT_EQ(a.content.kept_clustering, b.content.kept_clustering);
  ASSERT_EQ(a.content.column_deletions.size(), b.content.column_deletions.size());
  for (size_t i = 0; i < a.content.column_deletions.size(); ++i) {
    EXPECT_EQ(a.content.column_deletions[i].column, b.content.column_deletions[i].column);
    EXPECT_EQ(a.content.column_deletions[i].deletion, b.content.column_deletions[i].deletion);
  }
  ASSERT_EQ(a.content.cells.size(), b.content.cells.size());
  for (size_t i = 0; i < a.content.cells.size(); ++i) {
    const Cell &x = a.content.cells[i], &y = b.content.cells[i];
    EXPECT_EQ(std::tie(x.column, x.path, x.timestamp, x.ttl, x.expires_at, x.tombstone, x.value),
              std::tie(y.column, y.path, y.timestamp, y.ttl, y.expires_at, y.tombstone, y.value));
  }
}

TEST(RowCodecTest, RowsComeBack) {
  const TableColumns columns(NewTable(1));
  std::mt19937 random(6);
  for (int i = 0; i < 20'000; ++i) {
    const StoredRow row = RandomRecord(random);
    StoredRow back;
    ASSERT_TRUE(DecodeRow(EncodeRow(row, columns), back));
    ExpectSame(row, back);
    ASSERT_FALSE(HasFailure());
  }
}

TEST(RowCodecTest, TheUsualRowIsSmall) {
  const TableColumns columns(NewTable(1));
  const StoredRow row{Insert(1'700'000'000'000'000,
                             {MakeCell(kA, 1'700'000'000'000'000, "abc"), MakeCell(kB, 1'700'000'000'000'000, "de")}),
                      {}};
  EXPECT_EQ(EncodeRow(row, columns).size(), 1u + 1 + 8 + (2 + 3) + (2 + 2) + 4);
}

TEST(RowCodecTest, AnyChangedBitIsSeen) {
  const TableColumns columns(NewTable(1));
  std::mt19937 random(7);
  for (int i = 0; i < 300; ++i) {
    const Bytes good = EncodeRow(RandomRecord(random), columns);
    for (size_t bit = 0; bit < good.size() * 8; ++bit) {
      Bytes bad = good;
      bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
      StoredRow row;
      ASSERT_FALSE(DecodeRow(bad, row)) << bit;
    }
    StoredRow row;
    ASSERT_FALSE(DecodeRow(ByteView(good).substr(0, good.size() - 1), row));
  }
}

// The damaged rows have a right checksum, so the decoder itself must notice the damage. AddressSanitizer finds wrong
// reads.
TEST(RowCodecTest, SealedGarbageIsReadWithoutHarm) {
  const TableColumns columns(NewTable(1));
  std::mt19937 random(8);
  int refused = 0;
  for (int i = 0; i < 50'000; ++i) {
    Bytes record = EncodeRow(RandomRecord(random), columns);
    record.resize(record.size() - kChecksumBytes);
    for (int changes = 1 + static_cast<int>(random() % 3); changes > 0 && record.size() > 1; --changes) {
      record[1 + random() % (record.size() - 1)] = static_cast<char>(random());
    }
    record.resize(1 + random() % record.size());
    Seal(record);
    StoredRow row;
    refused += DecodeRow(record, row) ? 0 : 1;
    SpilledCell spilled;
    RangeTombstone tombstone;
    DeletionTime deletion;
    static_cast<void>(DecodeSpilledCell(record, spilled) || DecodeRangeTombstone(record, tombstone) ||
                      DecodeHeader(record, deletion));
  }
  EXPECT_GT(refused, 10'000);
}

TEST(RowCodecTest, OtherRecordsComeBack) {
  for (const std::optional<Bytes>& end :
       {std::optional<Bytes>(), std::optional<Bytes>(""), std::optional<Bytes>("zz")}) {
    RangeTombstone back;
    ASSERT_TRUE(DecodeRangeTombstone(EncodeRangeTombstone({"b", end, {-5, 7}}), back));
    EXPECT_EQ(back.end, end);
    EXPECT_EQ(back.deletion, (DeletionTime{-5, 7}));
  }
  DeletionTime deletion;
  ASSERT_TRUE(DecodeHeader(EncodeHeader({9, 8}), deletion));
  EXPECT_EQ(deletion, (DeletionTime{9, 8}));

  Cell cell = MakeCell(kMap, 77, Bytes(3 * kChunkBytes, 'x'), "path");
  cell.ttl = 5;
  cell.expires_at = 1'000;
  const Bytes record = EncodeSpilledCell(cell);
  SpilledCell spilled;
  ASSERT_TRUE(DecodeSpilledCell(record, spilled));
  EXPECT_EQ(spilled.value_bytes, cell.value.size());
  EXPECT_EQ(spilled.cell.value.size(), kChunkBytes);
  EXPECT_EQ(spilled.cell.path, "path");
  EXPECT_EQ(spilled.cell.expires_at, 1'000);
}

}  // namespace
}  // namespace widerow
