// Counts the memory of one call of a Thrift client in the server's budget, from its request until its answer is
// written. One thread reads the request, runs it and writes the answer.
#pragma once

#include "net/memory_budget.h"

namespace widerow::hbase {

class CallMemory {
 public:
  // Begins a call on this thread. The destructor ends it.
  explicit CallMemory(MemoryBudget& budget);
  ~CallMemory();
  CallMemory(const CallMemory&) = delete;
  CallMemory& operator=(const CallMemory&) = delete;

  // Counts a part of this thread's request before it is read. Returns false if there is no memory for it, or if this
  // thread has no call.
  static bool AddRequest(size_t bytes);
  // Returns the AnswerRoom of this thread's call; null if this thread has no call.
  static AnswerRoom* Room();

 private:
  static constexpr size_t kCallBytesMax = 64u << 20;
  static constexpr size_t kAnswerCopies = 4;  // Rows, cells, Thrift's rows and the message are in memory at once.

  MemoryAccount account_;
  AnswerMemory answer_;
};

}  // namespace widerow::hbase
