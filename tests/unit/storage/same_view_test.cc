// The threads of one read each open a view. All these views must show the same moment.
#include "storage_test_support.h"

namespace widerow {
namespace {

using namespace storage_test;

class SameViewTest : public EngineFixture {
 protected:
  void Put(const char* value, int64_t timestamp) {
    Write(Row(table_, "k", "c", Insert(timestamp, {MakeCell(kA, timestamp, value)})));
  }
  // Writes 50 rows. Each row has more bytes than a page of the data file.
  void PutOthers() {
    for (int i = 0; i < 50; ++i) Write(Row(table_, Int(i), "c", Insert(1, {MakeCell(kA, 1, Bytes(20'000, 'x'))})));
  }
  std::string Seen(ReadView& view) {
    RowView row;
    const Result<bool> found = view.GetRow(*table_, "k", "c", row);
    return found.ok() && *found ? RowText(row) : "nothing";
  }
  std::unique_ptr<ReadView> Open() { return engine().OpenView().value(); }
  // Opens another view of the moment that `view` shows. Returns null if this is impossible.
  std::unique_ptr<ReadView> Same(ReadView& view) { return view.OpenSame().value(); }
};

TEST_F(SameViewTest, ShowsWhatTheOtherShowsWhileWritesGoOn) {
  Put("stored", 1);
  Flush();
  Put("seen", 2);
  const std::unique_ptr<ReadView> view = Open();
  Put("later", 3);
  const std::string seen = "k/c marker@2 3=seen@2", later = "k/c marker@3 3=later@3";
  std::unique_ptr<ReadView> same = Same(*view);
  ASSERT_NE(same, nullptr);
  EXPECT_EQ(Seen(*same), seen);
  EXPECT_EQ(Seen(*Open()), later);
  // A new memtable takes the writes, and the old one is not folded.
  HoldFolder();
  ASSERT_TRUE(engine().Freeze().ok());
  Put("last", 4);
  same = Same(*view);
  ASSERT_NE(same, nullptr);
  EXPECT_EQ(Seen(*same), seen);
  const std::unique_ptr<ReadView> of_same = Same(*same);
  ASSERT_NE(of_same, nullptr);
  EXPECT_EQ(Seen(*of_same), seen);
  EXPECT_EQ(Seen(*Open()), "k/c marker@4 3=last@4");
}

TEST_F(SameViewTest, ThereIsNoneOnceTheDataFileHasMovedOn) {
  Put("old", 1);
  const std::unique_ptr<ReadView> view = Open();
  Put("new", 2);
  Flush();
  EXPECT_EQ(Same(*view), nullptr);
  EXPECT_EQ(Seen(*view), "k/c marker@1 3=old@1");
  const std::unique_ptr<ReadView> now = Open();
  EXPECT_NE(Same(*now), nullptr);
  EXPECT_EQ(Same(*view), nullptr);
}

TEST_F(SameViewTest, WhatAViewPinsIsCounted) {
  // The bound is not zero, because the last commit before the view has freed some pages. They count, too.
  constexpr uint64_t kFewPages = 100'000;
  PutOthers();
  Flush();
  const std::unique_ptr<ReadView> view = Open();
  const std::unique_ptr<HeldSnapshot> held = engine().HoldSnapshot().value();
  const std::unique_ptr<ReadView> of_held = held->OpenView();
  EXPECT_LT(view->PinnedBytes().value(), kFewPages);
  PutOthers();  // These rows do not count: the current memtable stays in memory without the view, too.
  EXPECT_LT(view->PinnedBytes().value(), kFewPages);
  Flush();
  EXPECT_GT(view->PinnedBytes().value(), 2'000'000u)
      << "the memtable, and the pages that its rows have been written anew from";
  EXPECT_EQ(held->PinnedBytes().value(), view->PinnedBytes().value());
  EXPECT_EQ(of_held->PinnedBytes().value(), view->PinnedBytes().value());
}

TEST_F(SameViewTest, RowsReadIntoRoomOfTheirOwn) {
  Put("value", 1);
  const std::unique_ptr<ReadView> view = Open();
  Arena room;
  RowView row;
  const Bytes key = "k", clustering = "c";
  ASSERT_TRUE(view->GetRowInto(room, *table_, key, clustering, row).value());
  EXPECT_EQ(RowText(row), "k/c marker@1 3=value@1");
  EXPECT_EQ(row.partition_key.data(), key.data());
  EXPECT_FALSE(view->GetStaticRowInto(room, *table_, key, row).value());
}

}  // namespace
}  // namespace widerow
