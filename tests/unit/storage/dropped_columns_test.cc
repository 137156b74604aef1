#include <absl/strings/str_split.h>

#include "storage_test_support.h"

namespace widerow {
namespace {

using namespace storage_test;

// Tests columns that are dropped at a given timestamp and added again. Older values must not come back, whether they
// were in a memtable, in the data file, or in a memtable that is being folded.
class DroppedColumnsTest : public EngineFixture {
 protected:
  void Drop(ColumnId column, int64_t gone_micros) {
    auto without = std::make_shared<TableSchema>(*table_);
    const auto found = std::find_if(without->columns.begin(), without->columns.end(),
                                    [&](const ColumnSchema& c) { return c.id == column; });
    dropped_ = *found;
    std::erase_if(without->dropped_columns, [&](const DroppedColumn& d) { return d.id == column; });
    without->dropped_columns.push_back({.name = found->name,
                                        .type = found->type,
                                        .dropped_micros = gone_micros,
                                        .id = column,
                                        .gone_micros = gone_micros});
    without->columns.erase(found);
    UseTable(without);
  }
  void AddAgain() {
    auto with = std::make_shared<TableSchema>(*table_);
    with->columns.push_back(dropped_);
    UseTable(with);
  }
  void DropAndAdd(ColumnId column, int64_t gone_micros) {
    Drop(column, gone_micros);
    AddAgain();
  }

  ColumnSchema dropped_;
};

TEST_F(DroppedColumnsTest, YoungerCellsComeBackAndOlderOnesDoNot) {
  Write(Row(table_, "k", "c1", Update({MakeCell(kA, 1, "a"), MakeCell(kB, 5, "old")})));
  Write(Row(table_, "k", "c2", Update({MakeCell(kA, 1, "a"), MakeCell(kB, 6, "young")})));
  Write(Row(table_, "k", "c3", Update({MakeCell(kB, 6, "alone")})));
  for (const bool flushed : {false, true}) {
    if (flushed) Flush();
    Drop(kB, 5);
    EXPECT_EQ(ReadPartition("k"), "k/c1 3=a@1\nk/c2 3=a@1\n");
    AddAgain();
    EXPECT_EQ(ReadPartition("k"), "k/c1 3=a@1\nk/c2 3=a@1 4=young@6\nk/c3 4=alone@6\n");
  }
}

TEST_F(DroppedColumnsTest, ScansOfPlainRowsLoseTheirCells) {
  std::vector<std::string> expected;
  for (int i = 0; i < 10; ++i) {
    const Bytes key(1, static_cast<char>('a' + i));
    for (const Bytes clustering : {"c1", "c2"}) {
      Write(Row(table_, key, clustering, Insert(5, {MakeCell(kA, 5, "a"), MakeCell(kB, 5, "old")})));
      expected.push_back(key + "/" + clustering + " marker@5 3=a@5");
    }
  }
  Flush();
  Drop(kB, 5);
  for (const bool statics : {false, true}) {
    EXPECT_THAT(absl::StrSplit(ReadAll(statics), '\n', absl::SkipEmpty()),
                ::testing::UnorderedElementsAreArray(expected));
  }
}

TEST_F(DroppedColumnsTest, WritesWhileTheColumnIsAwayKeepWhatIsYounger) {
  const Bytes old(3'000, 'o'), young(3'000, 'y');
  Write(Row(table_, "k", "c1", Update({MakeCell(kA, 1, "a"), MakeCell(kB, 5, old)})));
  Write(Row(table_, "k", "c2", Update({MakeCell(kA, 1, "a"), MakeCell(kB, 6, young)})));
  Flush();
  const TablePtr before = table_;
  Drop(kB, 5);
  for (const Bytes clustering : {"c1", "c2"}) Write(Row(table_, "k", clustering, Update({MakeCell(kA, 7, "new")})));
  // This write was planned before the column was dropped.
  Write(Row(before, "k", "c3", Update({MakeCell(kA, 7, "new"), MakeCell(kB, 5, "late")})));
  Write(Row(before, "k", "c4", Update({MakeCell(kA, 7, "new"), MakeCell(kB, 8, "later")})));
  EXPECT_EQ(ReadPartition("k"), "k/c1 3=new@7\nk/c2 3=new@7\nk/c3 3=new@7\nk/c4 3=new@7\n");
  EXPECT_EQ(RecordCount(), 5u) << "four rows, and the value that is younger";
  Reopen();
  AddAgain();
  const std::string shown = ReadPartition("k");
  EXPECT_THAT(shown, ::testing::HasSubstr("k/c1 3=new@7\nk/c2 3=new@7 4=[3000:"));
  EXPECT_THAT(shown, ::testing::HasSubstr("k/c3 3=new@7\nk/c4 3=new@7 4=later@8\n"));
}

TEST_F(DroppedColumnsTest, CollectionsLoseTheirOlderElements) {
  const Bytes big(2'000, 'x');
  // The short value is stored in the row's record, the long one in a record of its own.
  for (const Bytes& value : {Bytes("x"), big}) {
    const Bytes key = value == big ? "big" : "small";
    Write(Row(table_, key, "c1", Update({MakeCell(kMap, 5, value, Int(1)), MakeCell(kMap, 6, "y", Int(2))})));
    Write(Row(table_, key, "c2", Update({MakeCell(kMap, 5, value, Int(1)), MakeCell(kA, 1, "a")})));
  }
  Flush();
  Drop(kMap, 5);
  for (const Bytes key : {"big", "small"}) {
    Write(Row(table_, key, "c1", Update({MakeCell(kA, 7, "new")})));
    Write(Row(table_, key, "c2", Update({MakeCell(kA, 7, "new")})));
  }
  EXPECT_EQ(RecordCount(), 5u) << "four rows, and the one element that is younger";
  AddAgain();
  for (const Bytes key : {"big", "small"}) {
    EXPECT_EQ(ReadPartition(key), key + "/c1 3=new@7 5[0x00000002]=y@6\n" + key + "/c2 3=new@7\n");
  }
}

TEST_F(DroppedColumnsTest, ElementsOfARowThatWasNotWrittenMeanwhile) {
  const Bytes big(2'000, 'x');
  Write(Row(table_, "k", "c", Update({MakeCell(kMap, 5, big, Int(1)), MakeCell(kMap, 6, "y", Int(2))})));
  Flush();
  DropAndAdd(kMap, 5);
  EXPECT_EQ(ReadPartition("k"), "k/c 5[0x00000002]=y@6\n");
  Write(Row(table_, "k", "c", Update({MakeCell(kMap, 5, "too old", Int(3)), MakeCell(kMap, 6, "z", Int(1))})));
  for (const bool flushed : {false, true}) {
    if (flushed) Flush();
    EXPECT_EQ(ReadPartition("k"), "k/c 5[0x00000001]=z@6 5[0x00000002]=y@6\n") << flushed;
  }
}

TEST_F(DroppedColumnsTest, WhatIsWrittenWithATimeBeforeTheDropIsGone) {
  DropAndAdd(kB, 5);
  Write(Row(table_, "k", "c1", Update({MakeCell(kB, 5, "old")})));
  Write(Row(table_, "k", "c2", Insert(5, {MakeCell(kB, 5, "old")})));
  Write(Row(table_, "k", "c3", Update({MakeCell(kB, 6, "young")})));
  for (const bool flushed : {false, true}) {
    if (flushed) Flush();
    EXPECT_EQ(ReadPartition("k"), "k/c2 marker@5\nk/c3 4=young@6\n") << flushed;
  }
  EXPECT_EQ(RecordCount(), 2u);
  Reopen();
  EXPECT_EQ(ReadPartition("k"), "k/c2 marker@5\nk/c3 4=young@6\n");
}

TEST_F(DroppedColumnsTest, DeletionsAfterTheDropCount) {
  RowFragment replaced = Update({MakeCell(kMap, 9, "new", Int(1))});
  replaced.column_deletions.push_back({kMap, {8, kStartSeconds}});
  Write(Row(table_, "k", "c", std::move(replaced)));
  Drop(kMap, 5);
  Write(Row(table_, "k", "c", Update({MakeCell(kA, 7, "a")})));
  Flush();
  AddAgain();
  Write(Row(table_, "k", "c", Update({MakeCell(kMap, 7, "deleted", Int(2))})));
  EXPECT_EQ(ReadPartition("k"), "k/c 3=a@7 5[0x00000001]=new@9\n");
}

}  // namespace
}  // namespace widerow
