// Evaluates the vector of ORDER BY … ANN OF with the values of a request, and checks Cassandra's rules for ANN OF. Some
// of these rules also hold for BM25 OF. Pure functions, any thread.
#pragma once

#include "planner/evaluate/evaluate.h"
#include "planner/plan.h"
#include "types/similarity.h"

namespace widerow {

// An IndexNearest with its vector (planner/plan.h).
struct BoundNearest {
  TablePtr entries;      // The index.
  ColumnSchema column;   // The column of vectors.
  SimilarityTo measure;  // Computes similarities to the vector.
};

// Evaluates the vector. kReadFailure if the index is still being built; kInvalid for null and for a vector that cannot
// be compared.
Result<BoundNearest> BindNearest(const TableSchema& table, const IndexNearest& nearest,
                                 const EvaluationContext& context);

// Returns the ANN OF order of the plan; null if the plan has no such order.
const IndexNearest* NearestOf(const SelectPlan& plan);

// True if the plan has ORDER BY … ANN OF or BM25 OF. It then returns the first rows of this order, in one page.
bool IsTopK(const SelectPlan& plan);

// For a plan with IsTopK, refuses aggregates, PER PARTITION LIMIT, a missing LIMIT, and a LIMIT of more than 1,000
// rows.
Status CheckTopKLimits(const SelectPlan& plan, const EvaluationContext& context);

// If the page size is smaller than LIMIT, returns Cassandra's warning that all rows come in one page. Otherwise returns
// an empty text.
std::string TopKPageWarning(const SelectPlan& plan, uint32_t page_rows, const EvaluationContext& context);

}  // namespace widerow
