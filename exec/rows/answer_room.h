// Grants the memory of an answer while the answer is made. A server gives each request an AnswerRoom, and so bounds the
// memory of the answers of all its clients together (net/memory_budget.h). Requests from inside the process have none.
#pragma once

#include "base/limits.h"
#include "base/result.h"

namespace widerow {

// Used by one thread at a time.
class AnswerRoom {
 public:
  // GrowPage and GrowWhole ask for the memory of an answer whose rows have `bytes` in all. `bytes` grows from call to
  // call.
  //
  // GrowPage is for a page. False: the page must end with the rows that it has.
  virtual bool GrowPage(size_t bytes) = 0;
  // GrowWhole is for rows that cannot be divided: a result without pages, or a large row. kOverloaded if there is no
  // memory.
  virtual Status GrowWhole(size_t bytes) = 0;

 protected:
  ~AnswerRoom() = default;
};

struct AnswerLimits {
  size_t page_bytes_max = limits::kPageBytesSoft;  // A page ends when it has this size.
  AnswerRoom* room = nullptr;                      // Null: the memory is not counted.
  // If set, the answer is made by a thread that other requests need. A row of more than kShortRowBytes fails then, and
  // *ran_long becomes true. The caller makes the answer again on another thread, with ran_long null.
  bool* ran_long = nullptr;
};

inline constexpr size_t kShortRowBytes = 1u << 20;

}  // namespace widerow
