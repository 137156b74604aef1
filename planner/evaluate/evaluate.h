// Evaluates expressions: terms (no columns) once per request, selectors and filters once per row. Pure functions of
// their context; a context is used by one thread at a time.
#pragma once

#include <span>

#include "base/result.h"
#include "planner/expression.h"
#include "planner/function.h"
#include "planner/plan.h"
#include "types/value_order.h"

namespace widerow {

// A bind value as the client sent it.
struct BoundValue {
  enum class Kind : uint8_t { kValue, kNull, kUnset };
  Kind kind = Kind::kNull;
  Bytes bytes;
};

// The cells whose time is read: all cells of a column, one element, the elements between two keys, or one field.
struct CellPart {
  CellTimeExpression::Part part = CellTimeExpression::Part::kWhole;
  ValueView from, to;  // kElement: `from` is the key, not null. kSlice: inclusive ends; null if there is no end.
  uint32_t field = 0;
};

// The row over which an expression is evaluated. exec implements it. Values of INSERT, for example, have no row.
class RowValues {
 public:
  virtual ~RowValues() = default;
  // Returns the value of the column as native bytes; a non-frozen collection is put together from its cells. nullopt
  // means null. The view is valid until the next row.
  virtual Result<ValueView> Column(uint32_t column) = 0;
  virtual Result<Value> CellTime(CellTimeExpression::Kind kind, uint32_t column, const CellPart& part) = 0;
  virtual int64_t Token() = 0;
};

struct EvaluationContext {
  FunctionContext function;
  std::span<const BoundValue> markers;  // The caller checked them against the MarkerSpecs (ValidateValue).
  RowValues* row = nullptr;
  std::span<const Bytes> choices;  // The current value of each of the plan's KeyChoices.
  // For an aggregated plan: the values of SelectPlan::group_values for the current group.
  std::span<const Value> group_values = {};
  // True: an unset value counts as null, also in arguments of functions and in parts of collections. False: it is an
  // error there.
  bool unset_is_null = false;
};

// Returns the value of `expression`. kInvalid or kFunctionFailure if a function fails; kInvalid if an unset marker is
// used ("Invalid unset value for …"), unless unset_is_null.
Result<Value> Evaluate(const Expression& expression, const EvaluationContext& context);
// Like Evaluate, but copies nothing that exists already: constants, markers and columns are borrowed from the
// expression, the context or the row. Computed values are in `scratch`. The view is valid as long as the expression,
// the context, the row and `scratch` are.
Result<ValueView> EvaluateView(const Expression& expression, const EvaluationContext& context, Bytes& scratch);
// True if a bind value of this type can be used without a change of its bytes. PutInOrder may have to change others.
inline bool TakenAsGiven(const Type& type) { return type.kind < TypeKind::kList || !MayBeEncodedAnew(type); }
// The fast path of EvaluateView: returns the bytes of a constant, or of a marker whose type is TakenAsGiven. Returns
// null for everything else, null values included.
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
// Says if `left op right` is true, for the operators =, !=, <, <=, > and >=. `order` is the result of Compare(left,
// right): -1, 0 or 1. nullopt for other operators.
std::optional<bool> OrderAnswers(CompareOp op, int order);
// True if the row matches, in three-valued logic. A comparison with null is unknown, and NOT of unknown is unknown. A
// row matches only if the result is true. A null or unset element of an IN list matches nothing.
Result<bool> Matches(const Predicate& predicate, const EvaluationContext& context);
// Refuses, before the first row, null and unset indexes of an element or a slice that is selected.
Status CheckSelectedPart(const Expression& part, const EvaluationContext& context);
// Refuses, before the first row, null and unset values that Cassandra refuses in a filter on a column of `table`.
Status CheckFilterValues(const Predicate& predicate, const TableSchema& table, const EvaluationContext& context);

}  // namespace widerow
