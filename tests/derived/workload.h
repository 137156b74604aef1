// Random writes of all kinds to a few tables with indexes and views. There are few keys and few values, so many writes
// change the same rows.
#pragma once

#include <random>

#include "tests/derived/check.h"

namespace widerow::derived_tables {

// Makes the tables, indexes and views that do not exist.
void CreateTables(Engine& engine);
// Runs one random statement or batch. The server may refuse it because its partition does not exist, or because of a
// unique index. Any other error ends the process.
void WriteSomething(Engine& engine, std::mt19937& random);
// Drops an index or a view and makes it again, or empties a table or a partition. The workload calls this from time to
// time.
void ChangeSomething(Engine& engine, std::mt19937& random);

}  // namespace widerow::derived_tables
