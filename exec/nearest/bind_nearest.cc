#include "exec/nearest/bind_nearest.h"

#include "base/check.h"
#include "base/text.h"
#include "exec/bind/bind.h"
#include "exec/derived/bind_lookup.h"

namespace widerow {
namespace {

constexpr uint32_t kLimitMax = 1'000;

}  // namespace

Result<BoundNearest> BindNearest(const TableSchema& table, const IndexNearest& nearest,
                                 const EvaluationContext& context) {
  const IndexSchema* const index = table.FindIndex(nearest.index);
  const ColumnSchema& column = table.columns[nearest.column];
  WR_CHECK(index != nullptr && index->column == column.id);
  WR_RETURN_IF_ERROR(CheckBuilt(*index));
  const SourceRange range = nearest.vector.range;
  if (IsUnset(nearest.vector, context)) return InvalidAt(range, "Unsupported unset value for column " + column.name);
  WR_ASSIGN_OR_RETURN(const Value value, Evaluate(nearest.vector, context));
  if (!value) return InvalidAt(range, "Unsupported null value for column " + column.name);
  std::vector<float> vector = ToFloats(*value);
  if (vector.size() != column.type->dimension || value->size() % 4 != 0) {
    return InvalidAt(range, StrCat("Invalid vector for ", column.name, ": it has ", value->size(), " bytes, and a ",
                                   TypeText(*column.type), " has ", 4 * column.type->dimension));
  }
  const Similarity similarity = SimilarityOf(*index);
  if (Status indexable = CheckIndexable(similarity, vector); !indexable.ok()) {
    Error error = std::move(indexable).error();
    error.range = range;
    error.hint.clear();
    return error;
  }
  return BoundNearest{
      .entries = index->entries, .column = column, .measure = SimilarityTo(similarity, std::move(vector))};
}

const IndexNearest* NearestOf(const SelectPlan& plan) {
  const auto* const scan = std::get_if<IndexScan>(&plan.access);
  return scan == nullptr || !scan->nearest ? nullptr : &*scan->nearest;
}

bool IsTopK(const SelectPlan& plan) { return plan.relevance || NearestOf(plan) != nullptr; }

Status CheckTopKLimits(const SelectPlan& plan, const EvaluationContext& context) {
  if (!IsTopK(plan)) return OkStatus();
  const SourceRange range = plan.relevance ? plan.relevance->query.range : NearestOf(plan)->vector.range;
  if (plan.aggregated) return InvalidAt(range, "Top-K queries can not be run with aggregation");
  if (plan.per_partition_limit || plan.distinct)
    return InvalidAt(range, "Top-K queries do not support per-partition limits");
  WR_ASSIGN_OR_RETURN(const std::optional<uint32_t> limit, BindLimit(plan.limit, context));
  if (!limit) {
    return InvalidAt(range,
                     "Top-K queries must have a limit specified and the limit must be less than the query page size",
                     StrCat("add LIMIT with at most ", kLimitMax, " rows"));
  }
  if (*limit <= kLimitMax) return OkStatus();
  return InvalidAt(plan.limit->range, StrCat("Use of ", plan.relevance ? "BM25" : "ANN",
                                             " OF in an ORDER BY clause requires a LIMIT that is not greater than ",
                                             kLimitMax, ". LIMIT was ", *limit));
}

std::string TopKPageWarning(const SelectPlan& plan, uint32_t page_rows, const EvaluationContext& context) {
  if (!IsTopK(plan) || page_rows == 0) return {};
  const Result<std::optional<uint32_t>> limit = BindLimit(plan.limit, context);
  if (!limit.ok() || !*limit || page_rows >= **limit) return {};
  return StrCat("Top-K queries do not support paging and the page size is set to ", page_rows,
                ", which is less than LIMIT ", **limit, ". The page size has been set to ", **limit,
                " to match the LIMIT.");
}

}  // namespace widerow
