#include "planner/print_expression.h"

#include "base/overloaded.h"
#include "base/text.h"
#include "parser/print.h"
#include "planner/function.h"
#include "types/text_form.h"

namespace widerow {
namespace {

std::string PrintComposite(const CompositeExpression& composite, const Type& type, const TableSchema& table) {
  const auto pairs = [&](const std::vector<std::string>* names) {
    std::vector<std::string> texts;
    const size_t step = names != nullptr ? 1 : 2;
    for (size_t i = 0; i + step <= composite.parts.size(); i += step) {
      const std::string key = names != nullptr ? (*names)[i] : PrintExpression(composite.parts[i], table);
      texts.push_back(key + ": " + PrintExpression(composite.parts[i + step - 1], table));
    }
    return "{" + JoinNames(texts) + "}";
  };
  switch (type.kind) {
    case TypeKind::kMap: return pairs(nullptr);
    case TypeKind::kUdt: return pairs(&type.field_names);
    case TypeKind::kSet: return "{" + PrintExpressions(composite.parts, table) + "}";
    case TypeKind::kTuple: return "(" + PrintExpressions(composite.parts, table) + ")";
    default: return "[" + PrintExpressions(composite.parts, table) + "]";
  }
}

const char* CellTimeName(CellTimeExpression::Kind kind) {
  switch (kind) {
    case CellTimeExpression::Kind::kWriteTime: return "writetime";
    case CellTimeExpression::Kind::kTtl: return "ttl";
    case CellTimeExpression::Kind::kMaxWriteTime: return "maxwritetime";
  }
  return "";
}

std::string ColumnName(const TableSchema& table, uint32_t column) {
  return QuoteIdentifier(table.columns[column].name);
}

std::string TokenText(const TableSchema& table) {
  std::vector<std::string> names;
  for (uint32_t i = 0; i < table.partition_key_size; ++i) names.push_back(ColumnName(table, i));
  return "token(" + JoinNames(names) + ")";
}

std::string CellTimeText(const CellTimeExpression& time, const TableSchema& table) {
  std::string part = ColumnName(table, time.column);
  switch (time.part) {
    case CellTimeExpression::Part::kWhole: break;
    case CellTimeExpression::Part::kElement: part += "[" + PrintExpressions(time.from, table) + "]"; break;
    case CellTimeExpression::Part::kSlice:
      part += "[" + PrintExpressions(time.from, table) + ".." + PrintExpressions(time.to, table) + "]";
      break;
    case CellTimeExpression::Part::kField:
      part += "." + QuoteIdentifier(table.columns[time.column].type->field_names[time.field]);
      break;
  }
  return std::string(CellTimeName(time.kind)) + "(" + part + ")";
}

std::string PrintComparison(const Comparison& comparison, const TableSchema& table) {
  const std::string left = PrintExpression(comparison.left, table) + " " + OperatorText(comparison.op) + " ";
  const bool in = comparison.op == CompareOp::kIn || comparison.op == CompareOp::kNotIn;
  if (!in || comparison.list_valued) return left + PrintExpressions(comparison.right, table);
  return left + "(" + PrintExpressions(comparison.right, table) + ")";
}

std::string PrintTerms(const std::vector<Predicate>& terms, const char* joiner, const TableSchema& table) {
  std::vector<std::string> texts;
  for (const Predicate& term : terms) {
    const bool simple =
        std::holds_alternative<Comparison>(term.node) || std::holds_alternative<NotPredicate>(term.node);
    texts.push_back(simple ? PrintPredicate(term, table) : "(" + PrintPredicate(term, table) + ")");
  }
  return JoinNames(texts, joiner);
}

}  // namespace

std::string PrintExpressions(const std::vector<Expression>& expressions, const TableSchema& table) {
  std::vector<std::string> texts;
  for (const Expression& expression : expressions) texts.push_back(PrintExpression(expression, table));
  return JoinNames(texts);
}

std::string PrintExpression(const Expression& expression, const TableSchema& table) {
  return std::visit(
      Overloaded{
          [&](const ConstantExpression& constant) -> std::string {
            return constant.value ? FormatLiteral(*expression.type, *constant.value) : "null";
          },
          [](const MarkerExpression&) -> std::string { return "?"; },
          [](const ChoiceExpression& choice) { return "$" + std::to_string(choice.index + 1); },
          [&](const ColumnExpression& column) { return ColumnName(table, column.column); },
          [&](const CallExpression& call) {
            return call.function->name + "(" + PrintExpressions(call.arguments, table) + ")";
          },
          [&](const CompositeExpression& composite) { return PrintComposite(composite, *expression.type, table); },
          [&](const FieldExpression& field) {
            const Type& type = *field.base[0].type;
            const std::string base = PrintExpression(field.base[0], table);
            // Fields of tuples occur only where one marker is a whole tuple, as in (c) = ?. EXPLAIN shows this marker.
            return type.kind == TypeKind::kUdt ? base + "." + type.field_names[field.field] : base;
          },
          [&](const ElementExpression& element) {
            return PrintExpression(element.base[0], table) + "[" + PrintExpression(element.index[0], table) + "]";
          },
          [&](const SliceExpression& slice) {
            return PrintExpression(slice.base[0], table) + "[" + PrintExpressions(slice.from, table) + ".." +
                   PrintExpressions(slice.to, table) + "]";
          },
          [&](const RowTokenExpression&) { return TokenText(table); },
          [&](const CellTimeExpression& time) { return CellTimeText(time, table); },
          [](const GroupValueExpression& value) { return "#" + std::to_string(value.index + 1); },
          [&](const JsonObjectExpression& object) { return "json(" + PrintExpressions(object.values, table) + ")"; },
          [&](const JsonMemberExpression& member) { return "json(?)." + ColumnName(table, member.column); },
      },
      expression.node);
}

std::string PrintPredicate(const Predicate& predicate, const TableSchema& table) {
  return std::visit(
      Overloaded{
          [&](const Comparison& comparison) { return PrintComparison(comparison, table); },
          [&](const OrPredicate& any) { return PrintTerms(any.terms, " OR ", table); },
          [&](const AndPredicate& all) { return PrintTerms(all.terms, " AND ", table); },
          [&](const NotPredicate& negated) { return "NOT (" + PrintPredicate(negated.operand[0], table) + ")"; },
      },
      predicate.node);
}

std::string PrintPredicates(const std::vector<Predicate>& predicates, const TableSchema& table) {
  return PrintTerms(predicates, " AND ", table);
}

}  // namespace widerow
