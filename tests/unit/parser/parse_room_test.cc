// Large statements take turns, so that their syntax trees together cannot exhaust the memory.
#include "parser/parse_room.h"

#include <gmock/gmock.h>

#include <atomic>
#include <thread>
#include <vector>

#include "parser/parse.h"

namespace widerow {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;

constexpr ParseRoom::Options kNarrow{
    .places = 100, .small_max = 10, .waiting_max = 2, .patience = milliseconds(60'000)};
constexpr ParseRoom::Options kImpatient{.places = 100, .small_max = 10, .waiting_max = 2, .patience = milliseconds(1)};

void ExpectOverloaded(const Result<ParseRoom::Stay>& stay) {
  ASSERT_FALSE(stay.ok());
  EXPECT_EQ(stay.error().code, ErrorCode::kOverloaded);
}

TEST(ParseRoomTest, SmallStatementsTakeNoPlace) {
  ParseRoom room(kImpatient);
  const Result<ParseRoom::Stay> all = room.Enter(100);
  ASSERT_TRUE(all.ok());
  for (int i = 0; i < 50; ++i) EXPECT_TRUE(room.Enter(10).ok());
}

TEST(ParseRoomTest, WhatDoesNotFitWaitsAndGivesUp) {
  ParseRoom room(kImpatient);
  {
    const Result<ParseRoom::Stay> first = room.Enter(60), second = room.Enter(40);
    EXPECT_TRUE(first.ok() && second.ok());
    ExpectOverloaded(room.Enter(11));
  }
  EXPECT_TRUE(room.Enter(100).ok());
}

TEST(ParseRoomTest, AStatementOfMoreThanAllPlacesRunsAlone) {
  ParseRoom room(kImpatient);
  const Result<ParseRoom::Stay> largest = room.Enter(1'000);
  EXPECT_TRUE(largest.ok());
  ExpectOverloaded(room.Enter(11));
}

class ParseRoomConcurrencyTest : public ::testing::Test {
 protected:
  // Starts a thread that enters the room with `pieces` and then appends `name` to served_. Returns 50 ms after the
  // thread has begun, so that the thread waits by then.
  void Wait(size_t pieces, const char* name) {
    const int before = started_;
    threads_.emplace_back([this, pieces, name] {
      ++started_;
      const Result<ParseRoom::Stay> stay = room_.Enter(pieces);
      const MutexLock lock(mutex_);
      served_.emplace_back(stay.ok() ? name : "refused");
    });
    while (started_ == before) std::this_thread::yield();
    std::this_thread::sleep_for(milliseconds(50));
  }

  ParseRoom room_{kNarrow};
  std::atomic<int> started_ = 0;
  Mutex mutex_;
  std::vector<std::string> served_;
  std::vector<std::jthread> threads_;
};

TEST_F(ParseRoomConcurrencyTest, ThoseWhoWaitAreServedInOrderAndFew) {
  {
    const Result<ParseRoom::Stay> all = room_.Enter(100);
    ASSERT_TRUE(all.ok());
    Wait(100, "large");
    Wait(20, "later");
    ExpectOverloaded(room_.Enter(20));  // Two threads wait already.
  }
  threads_.clear();
  EXPECT_THAT(served_, ElementsAre("large", "later"));
}

TEST_F(ParseRoomConcurrencyTest, StatementsAreParsedAllTheSame) {
  std::string text = "SELECT * FROM t WHERE k IN (1";
  for (int i = 0; i < 10'000; ++i) text += ",1";
  text += ")";
  for (int i = 0; i < 8; ++i) {
    threads_.emplace_back([&] { EXPECT_TRUE(Parse(text).ok()); });
  }
  threads_.clear();  // Joins the threads.
}

}  // namespace
}  // namespace widerow
