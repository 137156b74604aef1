#include "parser/parse_room.h"

#include <malloc.h>

#include <algorithm>
#include <utility>

namespace widerow {
namespace {

// After a statement with at least this many words and symbols, freed memory goes back to the system. The allocator has
// several heaps for the threads. In each heap, it would keep the memory that the largest statement has used there.
constexpr size_t kReturnedMin = 50'000;

}  // namespace

ParseRoom::Stay::Stay(Stay&& other) noexcept : room_(std::exchange(other.room_, nullptr)), places_(other.places_) {}

ParseRoom::Stay::~Stay() {
  if (room_ != nullptr) room_->Leave(places_);
}

ParseRoom& ParseRoom::OfProcess() {
  static ParseRoom room{Options()};
  return room;
}

Result<ParseRoom::Stay> ParseRoom::Enter(size_t pieces) {
  if (pieces <= options_.small_max) return Stay(nullptr, 0);
  const Error overloaded{.code = ErrorCode::kOverloaded,
                         .message = "Too many large statements are parsed at the same time",
                         .hint = "send smaller statements, or fewer at a time, or values as bind markers"};
  const size_t places = std::min(pieces, options_.places);
  const auto end = std::chrono::steady_clock::now() + options_.patience;
  const MutexLock lock(mutex_);
  if (waiting_.size() >= options_.waiting_max) return overloaded;
  const uint64_t number = ++last_number_;
  waiting_.push_back(number);
  while (waiting_.front() != number || used_ + places > options_.places) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) {
      std::erase(waiting_, number);
      changed_.NotifyAll();  // This statement gives up, so another may now be first in the queue.
      return overloaded;
    }
    changed_.WaitFor(mutex_, left.count());
  }
  waiting_.pop_front();
  used_ += places;
  changed_.NotifyAll();
  return Stay(this, places);
}

void ParseRoom::Leave(size_t places) {
  if (places >= kReturnedMin) malloc_trim(0);
  const MutexLock lock(mutex_);
  used_ -= places;
  changed_.NotifyAll();
}

}  // namespace widerow
