// Tests a filter on a row. Test() gives one of three truth values (false, unknown, true). A comparison with null is
// unknown, NOT of unknown is unknown, AND is the minimum of its terms, and OR is the maximum. Matches() accepts only
// true. CheckFilterValues() walks over the filter before the first row is read, and refuses the null and unset values
// that Cassandra refuses.
#include <algorithm>

#include "base/overloaded.h"
#include "planner/evaluate/evaluate.h"
#include "types/compare.h"
#include "types/nullable_list.h"
#include "types/text_analyzer.h"
#include "types/value_bytes.h"

namespace widerow {

std::optional<bool> OrderAnswers(CompareOp op, int order) {
  switch (op) {
    case CompareOp::kEq: return order == 0;
    case CompareOp::kNotEq: return order != 0;
    case CompareOp::kLt: return order < 0;
    case CompareOp::kLe: return order <= 0;
    case CompareOp::kGt: return order > 0;
    case CompareOp::kGe: return order >= 0;
    case CompareOp::kIn:
    case CompareOp::kNotIn:
    case CompareOp::kContains:
    case CompareOp::kNotContains:
    case CompareOp::kContainsKey:
    case CompareOp::kNotContainsKey:
    case CompareOp::kLike:
    case CompareOp::kMatches:
    case CompareOp::kIsNotNull: break;
  }
  return std::nullopt;
}

namespace {

enum class Truth : uint8_t { kFalse, kUnknown, kTrue };

Truth Of(bool value) { return value ? Truth::kTrue : Truth::kFalse; }
Truth Not(Truth truth) { return truth == Truth::kUnknown ? truth : Of(truth == Truth::kFalse); }

Truth CompareOrder(CompareOp op, int order) {
  const std::optional<bool> answer = OrderAnswers(op, order);
  return answer ? Of(*answer) : Truth::kUnknown;
}

Error UnsetValue(SourceRange range, const std::string& what) {
  return InvalidAt(range, "Invalid unset value for " + what);
}

Result<Truth> In(const Comparison& comparison, ByteView left, const EvaluationContext& context) {
  const Type& type = *comparison.left.type;
  bool null_seen = false;
  const auto equals = [&](const ValueView& candidate) {
    null_seen = null_seen || !candidate;
    return candidate && Compare(type, left, *candidate) == 0;
  };
  Bytes scratch;
  for (const Expression& right : comparison.right) {
    if (IsUnset(right, context)) {
      null_seen = true;
      continue;
    }
    WR_ASSIGN_OR_RETURN(const ValueView value, EvaluateView(right, context, scratch));
    if (!comparison.list_valued) {
      if (equals(value)) return Truth::kTrue;
      continue;
    }
    if (!value) return Truth::kUnknown;
    WR_ASSIGN_OR_RETURN(const std::vector<ValueView> elements, SplitNullableList(*right.type, *value));
    const auto equals_element = [&](const ValueView& element) {
      return equals(element && ReadsAsNull(type, *element) ? ValueView() : element);
    };
    if (std::any_of(elements.begin(), elements.end(), equals_element)) return Truth::kTrue;
  }
  return null_seen ? Truth::kUnknown : Truth::kFalse;
}

Result<Truth> Contains(const Type& type, ByteView left, bool key, ByteView wanted) {
  const bool map = type.kind == TypeKind::kMap;
  const size_t step = map ? 2 : 1;
  const size_t first = map && !key ? 1 : 0;
  const Type& element = *type.arguments[first];
  WR_ASSIGN_OR_RETURN(const std::vector<ValueView> parts, SplitCollection(type, left));
  for (size_t i = first; i < parts.size(); i += step) {
    if (parts[i] && Compare(element, *parts[i], wanted) == 0) return Truth::kTrue;
  }
  return Truth::kFalse;
}

Result<Truth> Test(const Comparison& comparison, const EvaluationContext& context) {
  Bytes left_scratch, right_scratch;
  WR_ASSIGN_OR_RETURN(const ValueView left, EvaluateView(comparison.left, context, left_scratch));
  if (comparison.op == CompareOp::kIsNotNull) return Of(left.has_value());
  if (!left) return Truth::kUnknown;
  if (comparison.op == CompareOp::kIn || comparison.op == CompareOp::kNotIn) {
    WR_ASSIGN_OR_RETURN(const Truth in, In(comparison, *left, context));
    return comparison.op == CompareOp::kIn ? in : Not(in);
  }
  const Expression& operand = comparison.right[0];
  if (IsUnset(operand, context)) return UnsetValue(operand.range, "restriction");
  WR_ASSIGN_OR_RETURN(const ValueView right, EvaluateView(operand, context, right_scratch));
  if (!right) return Truth::kUnknown;
  switch (comparison.op) {
    case CompareOp::kContains: return Contains(*comparison.left.type, *left, false, *right);
    case CompareOp::kContainsKey: return Contains(*comparison.left.type, *left, true, *right);
    case CompareOp::kNotContains:
    case CompareOp::kNotContainsKey: {
      const bool key = comparison.op == CompareOp::kNotContainsKey;
      WR_ASSIGN_OR_RETURN(const Truth contains, Contains(*comparison.left.type, *left, key, *right));
      return Not(contains);
    }
    case CompareOp::kLike: {
      const std::optional<LikePattern> pattern = LikePattern::Parse(*right);
      if (!pattern) return Truth::kFalse;
      const TextAnalyzer* const words = comparison.analyzer.get();
      return Of(words != nullptr ? words->MatchesLike(*left, *pattern) : pattern->Matches(*left));
    }
    case CompareOp::kMatches: {
      const TextAnalyzer& words = *comparison.analyzer;
      return Of(WordQuery::Parse(*right, words).Matches(*left, words));
    }
    case CompareOp::kEq:
    case CompareOp::kNotEq:
    case CompareOp::kLt:
    case CompareOp::kLe:
    case CompareOp::kGt:
    case CompareOp::kGe:
    case CompareOp::kIn:
    case CompareOp::kNotIn:
    case CompareOp::kIsNotNull: break;
  }
  return CompareOrder(comparison.op, Compare(*comparison.left.type, *left, *right));
}

Result<Truth> Test(const Predicate& predicate, const EvaluationContext& context);

// Returns the minimum of the terms if `all` (AND), else the maximum (OR). Stops as soon as the result is known.
Result<Truth> Combine(const std::vector<Predicate>& terms, bool all, const EvaluationContext& context) {
  Truth truth = all ? Truth::kTrue : Truth::kFalse;
  for (const Predicate& term : terms) {
    WR_ASSIGN_OR_RETURN(const Truth next, Test(term, context));
    truth = all ? std::min(truth, next) : std::max(truth, next);
    if (truth == (all ? Truth::kFalse : Truth::kTrue)) return truth;
  }
  return truth;
}

Result<Truth> Test(const Predicate& predicate, const EvaluationContext& context) {
  return std::visit(Overloaded{[&](const Comparison& comparison) { return Test(comparison, context); },
                               [&](const OrPredicate& any) { return Combine(any.terms, false, context); },
                               [&](const AndPredicate& all) { return Combine(all.terms, true, context); },
                               [&](const NotPredicate& negated) -> Result<Truth> {
                                 WR_ASSIGN_OR_RETURN(const Truth truth, Test(negated.operand[0], context));
                                 return Not(truth);
                               }},
                    predicate.node);
}

// Returns "null" or "unset"; nullptr if there is a value.
Result<const char*> Lack(const Expression& expression, const EvaluationContext& context) {
  if (IsUnset(expression, context)) return "unset";
  Bytes scratch;
  WR_ASSIGN_OR_RETURN(const ValueView value, EvaluateView(expression, context, scratch));
  return value ? nullptr : "null";
}

std::string NamesOf(const CompositeExpression& columns, const TableSchema& table, const char* between) {
  std::string names;
  for (const Expression& part : columns.parts) {
    const auto* column = std::get_if<ColumnExpression>(&part.node);
    if (column != nullptr) names += (names.empty() ? "" : between) + table.columns[column->column].name;
  }
  return names;
}

// Refuses nulls in a tuple that is compared with `columns`.
Status CheckTuple(const CompositeExpression& columns, const Type& type, ByteView tuple, bool in_list, SourceRange range,
                  const TableSchema& table) {
  WR_ASSIGN_OR_RETURN(const std::vector<ValueView> fields, SplitTuple(type, tuple));
  for (size_t i = 0; i < columns.parts.size(); ++i) {
    if (i < fields.size() && fields[i]) continue;
    if (in_list) {
      return InvalidAt(range, "Invalid null value in condition for columns: [" + NamesOf(columns, table, ", ") + "]");
    }
    const auto& column = std::get<ColumnExpression>(columns.parts[i].node);
    return InvalidAt(range, "Unsupported null value for column " + table.columns[column.column].name);
  }
  return OkStatus();
}

// Refuses nulls in the tuples of (c, d) = …, (c, d) IN ….
Status CheckTuples(const CompositeExpression& columns, const Comparison& comparison, const TableSchema& table,
                   const EvaluationContext& context) {
  const bool in_list = comparison.op == CompareOp::kIn || comparison.op == CompareOp::kNotIn;
  for (const Expression& right : comparison.right) {
    if (IsUnset(right, context)) {
      return UnsetValue(right.range, (comparison.list_valued ? "in(" : "tuple (") + NamesOf(columns, table, ",") + ")");
    }
    Bytes scratch;
    WR_ASSIGN_OR_RETURN(const ValueView value, EvaluateView(right, context, scratch));
    if (!value) {
      return InvalidAt(right.range, comparison.list_valued ? "Invalid null value for IN restriction"
                                                           : "Invalid null value for tuple");
    }
    if (!comparison.list_valued) {
      WR_RETURN_IF_ERROR(CheckTuple(columns, *right.type, *value, in_list, right.range, table));
      continue;
    }
    WR_ASSIGN_OR_RETURN(const std::vector<ValueView> tuples, SplitNullableList(*right.type, *value));
    for (const ValueView& tuple : tuples) {
      if (!tuple) continue;
      WR_RETURN_IF_ERROR(CheckTuple(columns, *right.type->arguments[0], *tuple, in_list, right.range, table));
    }
  }
  return OkStatus();
}

Status CheckComparison(const Comparison& comparison, const TableSchema& table, const EvaluationContext& context) {
  const auto* element = std::get_if<ElementExpression>(&comparison.left.node);
  const auto* analyzed = std::get_if<CallExpression>(&comparison.left.node);  // A call that planner/analyzed.h makes.
  const Expression& base = element                                       ? element->base[0]
                           : analyzed && analyzed->arguments.size() == 1 ? analyzed->arguments[0]
                                                                         : comparison.left;
  const auto* column = std::get_if<ColumnExpression>(&base.node);
  const bool in = comparison.op == CompareOp::kIn || comparison.op == CompareOp::kNotIn;
  if (const auto* tuple = std::get_if<CompositeExpression>(&comparison.left.node)) {
    return CheckTuples(*tuple, comparison, table, context);
  }
  if (!column || comparison.op == CompareOp::kIsNotNull) return OkStatus();
  const std::string& name = table.columns[column->column].name;
  if (in && !comparison.list_valued) return OkStatus();  // A null in a list is no error; it matches nothing.
  if (element) {
    WR_ASSIGN_OR_RETURN(const char* const key, Lack(element->index[0], context));
    if (key) return InvalidAt(base.range, std::string("Unsupported ") + key + " map key for column " + name);
  }
  const Expression& right = comparison.right[0];
  WR_ASSIGN_OR_RETURN(const char* const lack, Lack(right, context));
  if (!lack) return OkStatus();
  return InvalidAt(right.range, (in ? "Invalid " : "Unsupported ") + std::string(lack) +
                                    (element ? " map value for column " : " value for column ") + name);
}

}  // namespace

Result<bool> Matches(const Predicate& predicate, const EvaluationContext& context) {
  WR_ASSIGN_OR_RETURN(const Truth truth, Test(predicate, context));
  return truth == Truth::kTrue;
}

Status CheckFilterValues(const Predicate& predicate, const TableSchema& table, const EvaluationContext& context) {
  const auto all = [&](const std::vector<Predicate>& terms) -> Status {
    for (const Predicate& term : terms) WR_RETURN_IF_ERROR(CheckFilterValues(term, table, context));
    return OkStatus();
  };
  return std::visit(Overloaded{[&](const Comparison& c) { return CheckComparison(c, table, context); },
                               [&](const OrPredicate& p) { return all(p.terms); },
                               [&](const AndPredicate& p) { return all(p.terms); },
                               [&](const NotPredicate& p) { return all(p.operand); }},
                    predicate.node);
}

}  // namespace widerow
