// Random writes of every kind to a few tables with indexes and views, with few keys and few values, so that they meet
// the same rows.
#pragma once

#include <random>

#include "tests/derived/check.h"

namespace widerow::derived_tables {

// Makes the tables and indexes that are missing.
void CreateTables(Engine& engine);
// Runs one statement or batch. A statement that the server refuses as wrong ends the process.
void WriteSomething(Engine& engine, std::mt19937& random);
// Drops an index or a view and makes it again, or empties a table or a partition. Called from time to time.
void ChangeSomething(Engine& engine, std::mt19937& random);

}  // namespace widerow::derived_tables
