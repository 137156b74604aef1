// What is derived of tables, held against what follows from their rows.
#pragma once

#include <cstdint>
#include <string>

#include "exec/engine.h"

namespace widerow::derived_tables {

// Ends the process with the text.
[[noreturn]] void Die(const std::string& what);
template <typename T>
T OrDie(Result<T> result) {
  if (!result.ok()) Die(result.error().message);
  return std::move(*result);
}
inline void OrDie(Status status) {
  if (!status.ok()) Die(status.error().message);
}

struct Compared {
  uint64_t rows = 0, entries = 0;
};

// Every built index and view of every table has the rows that follow from the base table's rows, each for as long as it should, and no
// others. Ends the process where one does not. All are awaited to be built, and what
// truncated and dropped partitions have left behind to go.
Compared CheckDerived(Engine& engine);

}  // namespace widerow::derived_tables
