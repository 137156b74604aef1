// Conditions on columns whose index compares text in another form: both sides are brought into it.
#pragma once

#include "planner/expression.h"
#include "types/schema.h"
#include "types/text_analysis.h"

namespace widerow {

// What the column's values are brought to before `=` and LIKE compare them; not any() without an index that does so.
TextAnalysis AnalysisOf(const TableSchema& table, uint32_t column);
// The text in that form. Of no analysis the expression itself.
Expression Analyzed(Expression text, const TextAnalysis& analysis);
// Whether LIKE is served: by an index of its own kind.
bool TakesLike(const TableSchema& table, uint32_t column);

}  // namespace widerow
