// Runs random queries that indexes serve, and compares each answer with the rows of a full scan. The queries have all
// conditions and clauses that the tables of the workload allow: AND, OR, NOT, IN, ranges, words, parts of collections,
// ORDER BY in both directions, the order of BM25, the nearest vectors, LIMIT, and pages of all sizes.
//
// For a new kind of index: add the index to the workload, and a comparison that it serves to MakeComparison.
#pragma once

#include <random>

#include "tests/derived/check.h"

namespace widerow::derived_tables {

// Asks `count` random questions of each table, while nobody writes. Ends the process if an answer is wrong.
void AskQuestions(Engine& engine, std::mt19937& random, int count, Compared& compared);

}  // namespace widerow::derived_tables
