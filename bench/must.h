// The measuring programs handle a failure by printing it and ending. These functions do this.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "base/result.h"
#include "widerow/database.h"

namespace widerow::bench {

[[noreturn]] inline void Die(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  std::exit(1);
}

// Returns the value of `result`. If it is an error, prints the error's message and ends the program.
template <typename T>
T Must(Expected<T> result) {
  if (!result.ok()) Die(result.error().message);
  return std::move(result).value();
}
template <typename T>
T Must(Result<T> result) {
  if (!result.ok()) Die(result.error().message);
  return std::move(result).value();
}
inline void Must(const Status& status) {
  if (!status.ok()) Die(status.error().message);
}

}  // namespace widerow::bench
