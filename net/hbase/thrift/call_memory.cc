#include "net/hbase/thrift/call_memory.h"

namespace widerow::hbase {

namespace {

thread_local AnswerMemory* room_of_thread = nullptr;
thread_local MemoryAccount* account_of_thread = nullptr;

}  // namespace

CallMemory::CallMemory(MemoryBudget& budget) : account_(budget, kCallBytesMax), answer_(account_, kAnswerCopies, true) {
  answer_.Start();
  room_of_thread = &answer_;
  account_of_thread = &account_;
}

CallMemory::~CallMemory() {
  room_of_thread = nullptr;
  account_of_thread = nullptr;
}

bool CallMemory::AddRequest(size_t bytes) { return account_of_thread != nullptr && account_of_thread->AddWhole(bytes); }

AnswerRoom* CallMemory::Room() { return room_of_thread; }

}  // namespace widerow::hbase
