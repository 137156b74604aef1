#include "storage/reconcile/merge.h"

#include <random>
#include <sstream>

#include "storage_test_support.h"

namespace widerow {
namespace {

using namespace storage_test;

constexpr const char* kReconcileVectors =
#include "cell_reconcile_vectors.inc"
    ;

Cell ReadCell(std::istream& in) {
  Cell cell;
  std::string value;
  int tombstone = 0;
  in >> cell.timestamp >> cell.ttl >> cell.expires_at >> tombstone >> value;
  cell.column = kA;
  cell.tombstone = tombstone != 0;
  if (value != "-") { EXPECT_TRUE(FromHex(value, cell.value)); }
  return cell;
}

bool SameCell(const Cell& a, const Cell& b) {
  return a.column == b.column && a.path == b.path && a.timestamp == b.timestamp && a.ttl == b.ttl &&
         a.expires_at == b.expires_at && a.tombstone == b.tombstone && a.value == b.value;
}

TEST(MergeTest, CellsAreReconciledAsCassandraDoes) {
  std::istringstream lines(kReconcileVectors);
  int checked = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    std::istringstream in(line);
    const Cell left = ReadCell(in), right = ReadCell(in);
    int winner = -1;
    in >> winner;
    const Cell& ours = CellWins(right, left) ? right : left;
    EXPECT_TRUE(SameCell(ours, winner == 0 ? left : right)) << line;
    ++checked;
  }
  EXPECT_GE(checked, 200);
}

RowFragment RandomRow(std::mt19937& random) {
  RowFragment row;
  const auto time = [&] { return static_cast<int64_t>(random() % 6); };
  if (random() % 2 == 0) row.marker = {time(), 0, 0};
  if (random() % 4 == 0) row.deletion = {time(), static_cast<int64_t>(random() % 3)};
  if (random() % 3 == 0) row.column_deletions.push_back({kMap, {time(), 1}});
  for (const ColumnId column : {kA, kB}) {
    if (random() % 2 == 0)
      row.cells.push_back(MakeCell(column, time(), Bytes(1, static_cast<char>('a' + random() % 3))));
    if (!row.cells.empty() && random() % 4 == 0) row.cells.back() = MakeTombstone(row.cells.back().column, time());
  }
  for (const int key : {-1, 0, 1}) {
    if (random() % 2 == 0) row.cells.push_back(MakeCell(kMap, time(), "v", Int(key)));
  }
  ApplyDeletion(row, {});
  return row;
}

std::string Text(const RowFragment& row, const TableColumns& columns) { return ToHex(EncodeRow({row, {}}, columns)); }

TEST(MergeTest, OrderOfMergingDoesNotMatter) {
  const TableColumns columns(NewTable(1));
  std::mt19937 random(4);
  for (int i = 0; i < 5'000; ++i) {
    const RowFragment a = RandomRow(random), b = RandomRow(random), c = RandomRow(random);
    const std::string left = Text(MergeRows(columns, MergeRows(columns, a, b), c), columns);
    ASSERT_EQ(left, Text(MergeRows(columns, a, MergeRows(columns, b, c)), columns));
    ASSERT_EQ(left, Text(MergeRows(columns, MergeRows(columns, c, a), b), columns));
    ASSERT_EQ(Text(a, columns), Text(MergeRows(columns, a, a), columns));
  }
}

TEST(MergeTest, PathsMergeInTheOrderOfTheirType) {
  const TableColumns columns(NewTable(1));
  const RowFragment merged = MergeRows(columns, Update({MakeCell(kMap, 1, "x", Int(3))}),
                                       Update({MakeCell(kMap, 1, "y", Int(-3)), MakeCell(kMap, 2, "z", Int(3))}));
  ASSERT_EQ(merged.cells.size(), 2u);
  EXPECT_EQ(merged.cells[0].path, Int(-3));
  EXPECT_EQ(merged.cells[1].value, "z");
}

TEST(MergeTest, ADeletionTakesWhatIsAsOldAsItself) {
  RowFragment row = Insert(5, {MakeCell(kA, 5, "x"), MakeCell(kB, 6, "y")});
  ApplyDeletion(row, {5, 0});
  EXPECT_FALSE(row.marker.present());
  ASSERT_EQ(row.cells.size(), 1u);
  EXPECT_EQ(row.cells[0].value, "y");
}

TEST(MergeTest, AColumnDeletionTakesItsOwnElementsOnly) {
  RowFragment row = Update({MakeCell(kA, 1, "x"), MakeCell(kMap, 1, "old", Int(1)), MakeCell(kMap, 3, "new", Int(2))});
  row.column_deletions.push_back({kMap, {2, 0}});
  ApplyDeletion(row, {});
  ASSERT_EQ(row.cells.size(), 2u);
  EXPECT_EQ(row.cells[0].value, "x");
  EXPECT_EQ(row.cells[1].value, "new");
}

TEST(MergeTest, MarkersFollowLivenessInfo) {
  const Liveness forever{5, 0, 0}, brief{5, 10, 100}, longer{5, 20, 200}, same_end{5, 5, 200};
  EXPECT_EQ(Newer(forever, brief), brief);
  EXPECT_EQ(Newer(brief, longer), longer);
  EXPECT_EQ(Newer(same_end, longer), same_end);
  EXPECT_EQ(Newer(Liveness{6, 0, 0}, longer), (Liveness{6, 0, 0}));
}

TEST(MergeTest, PurgeKeepsWhatGcGraceProtects) {
  const PurgeTimes times{.now_seconds = 110, .gc_grace_seconds = 10};
  RowFragment row = Update({MakeTombstone(kA, 1, {}, 99), MakeTombstone(kB, 1, {}, 100)});
  row.deletion = {0, 99};
  row.marker = {2, 1, 99};
  EXPECT_EQ(EarliestSince(row, times), 98);
  DropPurgeable(row, times);
  EXPECT_FALSE(row.deletion.present());
  EXPECT_FALSE(row.marker.present());
  ASSERT_EQ(row.cells.size(), 1u);
  EXPECT_EQ(row.cells[0].column, kB);
  EXPECT_EQ(EarliestSince(row, times), 100);
  EXPECT_EQ(EarliestSince(Update({MakeCell(kA, 1, "x")}), times), std::nullopt);
}

// As in Cassandra, gc_grace begins when the cell was written. A cell that has not expired stays, however old it is.
TEST(MergeTest, PurgeTakesWhatExpiredAndWasWrittenBeforeGcGrace) {
  Cell cell = MakeCell(kA, 1, "x");
  cell.ttl = 50;
  cell.expires_at = 150;
  const auto left_at = [&](int64_t now, int64_t gc_grace) {
    RowFragment row = Update({cell});
    DropPurgeable(row, {.now_seconds = now, .gc_grace_seconds = gc_grace});
    return row.cells.size();
  };
  EXPECT_EQ(left_at(150, 10), 1u);
  EXPECT_EQ(left_at(151, 10), 0u);
  EXPECT_EQ(left_at(151, 50), 0u);
  EXPECT_EQ(left_at(160, 60), 1u);
  EXPECT_EQ(left_at(161, 60), 0u);
}

}  // namespace
}  // namespace widerow
