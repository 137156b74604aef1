// The order of relevance, computed from all rows of a table. The texts consist of words with spaces between them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "types/value_bytes.h"

namespace widerow::derived_tables {

// A row of an answer: the values of the columns that were selected.
using Row = std::vector<Value>;

std::vector<std::string> WordsOf(const Value& text);
bool Contains(const std::vector<std::string>& words, const std::string& word);

// Returns a function that computes the BM25 of a row that has all `words`. The words are ascending and different. `all`
// are the rows from whose texts, in column `at`, the statistics of BM25 are computed.
std::function<double(const Row&)> Bm25(const std::vector<Row>& all, size_t at, std::vector<std::string> words);

}  // namespace widerow::derived_tables
