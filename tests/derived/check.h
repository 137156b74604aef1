// Compares indexes and views with the rows that follow from their tables.
#pragma once

#include <cstdint>
#include <string>

#include "exec/engine/engine.h"

namespace widerow::derived_tables {

// Prints the text and ends the process.
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

// Waits until all indexes and views are built and the rows of truncated and dropped partitions are removed. Then checks
// that every index and view of every table has exactly the rows that follow from the base table's rows, each with the
// right expiry. Ends the process if one does not.
Compared CheckDerived(Engine& engine);

}  // namespace widerow::derived_tables
