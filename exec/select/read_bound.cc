#include "exec/select/read_bound.h"

#include "exec/virtual/virtual_tables.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

// Returns a LIMIT that is a constant or a marker bound by position; otherwise the greatest number.
uint32_t LimitOf(const SelectPlan& select, const RequestParameters& request) {
  if (!select.limit) return UINT32_MAX;
  ValueView limit;
  if (const auto* constant = std::get_if<ConstantExpression>(&select.limit->node)) {
    limit = constant->value;
  } else if (const auto* marker = std::get_if<MarkerExpression>(&select.limit->node);
             marker != nullptr && request.names.empty() && marker->index < request.values.size() &&
             request.values[marker->index].kind == BoundValue::Kind::kValue) {
    limit = request.values[marker->index].bytes;
  }
  if (!limit || limit->size() != sizeof(int32_t)) return UINT32_MAX;
  return static_cast<uint32_t>(DecodeInteger(*limit));  // A negative limit becomes a large number.
}

}  // namespace

std::optional<uint32_t> RowsReadMax(const Plan& plan, const RequestParameters& parameters) {
  const auto* select = std::get_if<SelectPlan>(&plan.node);
  // nullopt for a virtual table, because all its rows are made before the first is read.
  if (select == nullptr || IsVirtual(*select->table) || select->aggregated || !select->filter.empty()) {
    return std::nullopt;
  }
  if (std::holds_alternative<PointLookup>(select->access)) return 1;
  if (!std::holds_alternative<PartitionSlice>(select->access)) return std::nullopt;
  return parameters.page_rows > 0 ? parameters.page_rows : LimitOf(*select, parameters);
}

}  // namespace widerow
