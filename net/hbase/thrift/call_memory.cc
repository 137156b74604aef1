#include "net/hbase/thrift/call_memory.h"

namespace widerow::hbase {

namespace {

thread_local AnswerMemory* room_of_thread = nullptr;

}  // namespace

CallMemory::CallMemory(MemoryBudget& budget) : account_(budget, kCallBytesMax), answer_(account_, kAnswerCopies, true) {
  answer_.Start();
  room_of_thread = &answer_;
}

CallMemory::~CallMemory() { room_of_thread = nullptr; }

AnswerRoom* CallMemory::Room() { return room_of_thread; }

}  // namespace widerow::hbase
