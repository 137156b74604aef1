// Bounds the memory of all statements that are parsed at the same time. A syntax tree takes about a kilobyte for each
// word or symbol, so a statement of 1.3 MB can take 500 MB while it is parsed.
//
// A ParseRoom has a fixed number of places. A large statement takes one place for each of its words and symbols; a
// small statement takes none. A large statement waits until there are enough places, and statements that wait are
// served in the order of their arrival. Only a few may wait, and not for long, because a waiting statement occupies one
// of the threads that run requests. After a very large statement, the memory that it used goes back to the system.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "base/mutex.h"
#include "base/result.h"

namespace widerow {

// Thread-safe.
class ParseRoom {
 public:
  struct Options {
    size_t places = 500'000;
    size_t small_max = 2'000;  // Statements of up to this many words and symbols take no place.
    size_t waiting_max = 16;
    std::chrono::milliseconds patience{3'000};
  };

  // The places of one statement. The destructor gives them back.
  class Stay {
   public:
    Stay(Stay&& other) noexcept;
    Stay& operator=(Stay&&) = delete;
    ~Stay();

   private:
    friend class ParseRoom;
    Stay(ParseRoom* room, size_t places) : room_(room), places_(places) {}
    ParseRoom* room_;
    size_t places_;
  };

  explicit ParseRoom(const Options& options) : options_(options) {}
  ParseRoom(const ParseRoom&) = delete;
  ParseRoom& operator=(const ParseRoom&) = delete;

  // Waits for the places of a statement with this many words and symbols. A statement that needs more than all places
  // gets all of them. Fails with kOverloaded if too many statements wait already, or if its wait takes too long. The
  // room must outlive the stay.
  Result<Stay> Enter(size_t pieces) WR_EXCLUDES(mutex_);

  // The room of this process.
  static ParseRoom& OfProcess();

 private:
  void Leave(size_t places) WR_EXCLUDES(mutex_);

  const Options options_;
  Mutex mutex_;
  TimedCondVar changed_;
  size_t used_ WR_GUARDED_BY(mutex_) = 0;
  // The numbers of the statements that wait, in the order of their arrival.
  std::deque<uint64_t> waiting_ WR_GUARDED_BY(mutex_);
  uint64_t last_number_ WR_GUARDED_BY(mutex_) = 0;
};

}  // namespace widerow
