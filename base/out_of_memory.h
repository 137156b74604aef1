// The error for a request whose code has thrown an exception. Widerow's own code throws none. The standard library
// throws if there is no memory for a value or an answer. The memory that the request had allocated is then free again.
#pragma once

#include <exception>
#include <new>

#include "base/error.h"

namespace widerow {

// Returns kOverloaded if there was no memory; kServerError for any other exception.
inline Error ErrorOf(const std::exception& thrown) {
  if (dynamic_cast<const std::bad_alloc*>(&thrown) == nullptr) {
    return {.code = ErrorCode::kServerError, .message = thrown.what()};
  }
  return {.code = ErrorCode::kOverloaded,
          .message = "The server has no memory for this request",
          .hint = "try again later, or in smaller parts"};
}

}  // namespace widerow
