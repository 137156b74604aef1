#include "net/memory_budget.h"

#include <gtest/gtest.h>

#include <deque>
#include <thread>
#include <vector>

namespace widerow {
namespace {

// Clients come one after another, and each takes as much memory as it can get. However many there are, some memory
// stays free for the next one.
TEST(MemoryBudgetTest, ManyGreedyClientsLeaveSomethingFree) {
  constexpr size_t kBudget = size_t{1} << 30, kStep = 4'096;
  for (const size_t clients : {1u, 4u, 50u, 150u}) {
    MemoryBudget parts(kBudget), wholes(kBudget);
    std::deque<MemoryAccount> greedy;
    for (size_t i = 0; i < clients; ++i) {
      MemoryAccount& part = greedy.emplace_back(parts, 64u << 20);
      while (part.AddPart(kStep)) {}
      MemoryAccount& whole = greedy.emplace_back(wholes, 64u << 20);
      while (whole.AddWhole(kStep)) {}
    }
    EXPECT_GE(parts.free_bytes(), kBudget / 4 * 3 / (clients + 3) - kStep) << clients;
    EXPECT_GE(wholes.free_bytes(), kBudget / 4 / (clients + 1) - kStep) << clients;
    EXPECT_TRUE(MemoryAccount(parts, kBudget).MayStart());
  }
}

// On a busy server, many clients hold a little memory. This must not lower the limit of a client that needs much.
TEST(MemoryBudgetTest, BusyClientsDoNotNarrowTheBounds) {
  MemoryBudget budget(size_t{1} << 30);
  std::deque<MemoryAccount> busy;
  for (int i = 0; i < 500; ++i) busy.emplace_back(budget, 64u << 20).Add(1u << 20);
  MemoryAccount account(budget, 64u << 20);
  EXPECT_TRUE(account.AddPart(60u << 20));
  EXPECT_TRUE(account.AddWhole(100u << 20));
}

TEST(MemoryBudgetTest, OneClientHasAShareOfPartsAndMoreOfWholes) {
  MemoryBudget budget(1'000);
  MemoryAccount account(budget, 64);
  EXPECT_TRUE(account.AddPart(60));
  EXPECT_TRUE(account.MayStart());
  EXPECT_FALSE(account.AddPart(5));
  EXPECT_EQ(account.held_bytes(), 60u);
  EXPECT_TRUE(account.AddWhole(600));
  EXPECT_FALSE(account.AddWhole(150));
  EXPECT_FALSE(account.MayStart());
  EXPECT_EQ(budget.held_bytes(), 660u);
  account.Remove(660);
  EXPECT_TRUE(account.MayStart());
}

TEST(MemoryBudgetTest, AnAnswerCountsFromItsStartUntilItIsSent) {
  MemoryBudget budget(10'000'000);
  {
    MemoryAccount account(budget, 4'000'000);
    AnswerMemory answer(account, 2, true), beside_others(account, 2, false);
    answer.Start();
    EXPECT_EQ(budget.held_bytes(), AnswerMemory::kStartBytes);
    EXPECT_TRUE(answer.GrowPage(1'000'000));
    EXPECT_EQ(budget.held_bytes(), 2'000'000u);
    EXPECT_FALSE(answer.GrowPage(2'000'000)) << "a quarter of what is free";
    EXPECT_TRUE(answer.GrowWhole(2'000'000).ok());
    EXPECT_FALSE(beside_others.GrowWhole(200'000).ok());
    EXPECT_TRUE(beside_others.wants_alone());
    const Status refused = answer.GrowWhole(4'000'000);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::kOverloaded);
    EXPECT_FALSE(answer.wants_alone());
    answer.Encoded(1'900'000);
    EXPECT_EQ(budget.held_bytes(), 1'900'000u);
    EXPECT_FALSE(answer.GrowPage(200'000)) << "the next part waits until this one is sent";
    EXPECT_EQ(answer.Release(), 1'900'000u);
    EXPECT_EQ(account.held_bytes(), 1'900'000u);
  }
  EXPECT_EQ(budget.held_bytes(), 0u);
}

TEST(MemoryBudgetConcurrencyTest, ThreadsStayWithinTheBoundTogether) {
  MemoryBudget budget(1'000'000);
  MemoryAccount account(budget, 1'000'000);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < 5'000; ++i) {
        AnswerMemory answer(account, 2, true);
        answer.Start();
        for (size_t bytes = 50'000; answer.GrowPage(bytes);) bytes += 50'000;
        EXPECT_LE(budget.held_bytes(), 1'000'000u);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(budget.held_bytes(), 0u);
}

}  // namespace
}  // namespace widerow
