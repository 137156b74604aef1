// Random writes of every kind to a few tables with indexes and views: few keys, few values, so that rows meet.
#pragma once

#include <random>

#include "tests/derived/check.h"

namespace widerow::derived_tables {

// Makes the tables and their indexes that are not there.
void CreateTables(Engine& engine);
// One statement, or batch. Statements that the server refuses for what they say end the process.
void WriteSomething(Engine& engine, std::mt19937& random);
// Now and then: an index or a view is dropped and made anew, a table truncated.
void ChangeSomething(Engine& engine, std::mt19937& random);

}  // namespace widerow::derived_tables
