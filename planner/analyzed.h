// An index may compare texts in another form, for example in lower case (types/text_analysis.h). Conditions on a column
// with such an index bring both sides of the comparison into that form. Pure functions, any thread.
#pragma once

#include "planner/expression.h"
#include "types/analyzer_options.h"
#include "types/schema.h"
#include "types/text_analysis.h"

namespace widerow {

// Returns the form into which `=` and LIKE bring the column's values before they compare. any() of the result is false
// if no index of the column changes text.
TextAnalysis AnalysisOf(const TableSchema& table, uint32_t column);
// Returns an expression that brings the value of `text` into the form that `analysis` describes; `text` itself if
// `analysis` changes nothing.
Expression Analyzed(Expression text, const TextAnalysis& analysis);
// True if LIKE is allowed on the column: on text with a SASI index.
bool TakesLike(const TableSchema& table, uint32_t column);

// Returns the analyzer of an index that stores the words of a text; nullptr if the index stores whole values.
AnalyzerPtr WordsOf(const IndexSchema& index, const ColumnSchema& column);
// Returns the analyzer of the column's SASI index, which serves LIKE; nullptr if the column has no such index or the
// index stores whole values.
AnalyzerPtr WordsOfLike(const TableSchema& table, uint32_t column);
// True if the entries of an index of words have a column for the lengths of texts (exec/derived/index_entries.h).
inline bool HasTextLengths(const IndexSchema& index) { return index.entries->columns.size() > 2; }
// Returns the index that serves `:` on the column: a storage-attached index that stores words, else a SASI index that
// does; nullptr if there is none.
const IndexSchema* IndexOfWords(const TableSchema& table, uint32_t column);

}  // namespace widerow
