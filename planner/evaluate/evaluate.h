// Expressions to values. Terms (no columns) are evaluated once a request, selectors and filters once a row.
#pragma once

#include <span>

#include "base/result.h"
#include "planner/expression.h"
#include "planner/function.h"
#include "planner/plan.h"
#include "types/value_order.h"

namespace widerow {

// A bind value as a client sent it.
struct BoundValue {
  enum class Kind : uint8_t { kValue, kNull, kUnset };
  Kind kind = Kind::kNull;
  Bytes bytes;
};

// The cells that a time is asked of: all of a column's, or those of one element, of elements between two, of one field.
struct CellPart {
  CellTimeExpression::Part part = CellTimeExpression::Part::kWhole;
  ValueView from, to;  // kElement: `from`, which is not null; kSlice: both ends, included; null: open.
  uint32_t field = 0;
};

// What a row offers to selectors and filters. exec implements it over its row; statements without a row pass none.
class RowValues {
 public:
  virtual ~RowValues() = default;
  // Native bytes of the column (multi-cell ones assembled); nullopt: null. Borrowed until the next row.
  virtual Result<ValueView> Column(uint32_t column) = 0;
  virtual Result<Value> CellTime(CellTimeExpression::Kind kind, uint32_t column, const CellPart& part) = 0;
  virtual int64_t Token() = 0;
};

struct EvaluationContext {
  FunctionContext function;
  std::span<const BoundValue> markers;  // Checked against the plan's MarkerSpecs by the caller (ValidateValue).
  RowValues* row = nullptr;
  std::span<const Bytes> choices;  // What each of the plan's KeyChoices is at the moment.
  std::span<const Value> group_values = {};  // What the rows of a group came to; for the outputs of an aggregated plan.
};

// kInvalid if a function fails or an unset marker is used ("Invalid unset value for …").
Result<Value> Evaluate(const Expression& expression, const EvaluationContext& context);
// The same without a copy where none is needed: constants, markers and columns are borrowed (from the expression, the
// context, the row); anything else is made in `scratch`. The view dies with the shortest-lived of these.
Result<ValueView> EvaluateView(const Expression& expression, const EvaluationContext& context, Bytes& scratch);
// Whether the bytes of a bound value of the type are the value: sets and maps in it have to be put in order.
inline bool TakenAsGiven(const Type& type) { return type.kind < TypeKind::kList || !HoldsSets(type); }
// The usual case of it without a call: the bytes of a marker's value or of a constant, if they are taken as they are. Null for
// anything else, nulls among them.
inline const Bytes* GivenBytes(const Expression& expression, const EvaluationContext& context) {
  if (const auto* marker = std::get_if<MarkerExpression>(&expression.node)) {
    if (marker->index >= context.markers.size() || !TakenAsGiven(*expression.type)) return nullptr;
    const BoundValue& bound = context.markers[marker->index];
    return bound.kind == BoundValue::Kind::kValue ? &bound.bytes : nullptr;
  }
  const auto* constant = std::get_if<ConstantExpression>(&expression.node);
  return constant != nullptr && constant->value ? &*constant->value : nullptr;
}
// True if the expression is a marker whose value is unset, or a member that a bound JSON object leaves unset.
bool IsUnset(const Expression& expression, const EvaluationContext& context);
// Whether a left value that is `order` (-1, 0, 1) to a right one answers `left op right`; nullopt: op is not about order.
std::optional<bool> OrderAnswers(CompareOp op, int order);
// Null compares to nothing: a comparison with null is neither true nor false, and so is NOT of it; only what is true
// matches. A null or unset element of an IN list matches nothing.
Result<bool> Matches(const Predicate& predicate, const EvaluationContext& context);
// Before the first row: null and unset values that Cassandra refuses in a filter on a column of `table`.
Status CheckFilterValues(const Predicate& predicate, const TableSchema& table, const EvaluationContext& context);

}  // namespace widerow
