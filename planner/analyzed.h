// An index may compare texts in another form, for example in lower case (types/text_analysis.h). Conditions on such a
// column bring both sides of the comparison into that form. Pure functions, any thread.
#pragma once

#include "planner/expression.h"
#include "types/schema.h"
#include "types/text_analysis.h"

namespace widerow {

// Returns the form into which `=` and LIKE bring the column's values before they compare. any() of the result is false
// if no index of the column changes text.
TextAnalysis AnalysisOf(const TableSchema& table, uint32_t column);
// Brings `text` into the form that `analysis` describes. Returns `text` itself if `analysis` changes nothing.
Expression Analyzed(Expression text, const TextAnalysis& analysis);
// True if LIKE is allowed on the column: on text with a SASI index.
bool TakesLike(const TableSchema& table, uint32_t column);

}  // namespace widerow
