// Checks indexes and views against their tables, for the program derived_tables.
#pragma once

#include <cstdint>
#include <string>

#include "exec/engine/engine.h"

namespace widerow::derived_tables {

// Prints the text and ends the process with an error.
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
  uint64_t unique_values = 0;  // The number of values in unique indexes. Each is in one row only.
  // Questions that were answered, and those that CQL refuses (questions.h).
  uint64_t questions = 0, refused = 0;

  Compared& operator+=(const Compared& other) {
    rows += other.rows;
    entries += other.entries;
    unique_values += other.unique_values;
    questions += other.questions;
    refused += other.refused;
    return *this;
  }
};

// Waits until all indexes and views are built and the rows of truncated and dropped partitions are removed. Then checks
// each index and each view: it must have exactly the rows that follow from its base table, each with the right expiry.
// No two rows may have the same value of a unique index. If something is wrong, the process ends.
Compared CheckDerived(Engine& engine);

}  // namespace widerow::derived_tables
