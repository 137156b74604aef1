// Failures of measuring programs: they print what is wrong and end.
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

// Returns the value; ends the program with the failure's message if there is none.
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
