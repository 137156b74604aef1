#include "planner/explain/explain_key.h"

#include "base/text.h"
#include "planner/generated/generated_columns.h"
#include "planner/print_expression.h"
#include "planner/terms/planning.h"

namespace widerow {
namespace {

std::string Name(const TableSchema& table, uint32_t column) { return QuoteIdentifier(table.columns[column].name); }

std::string ChoiceText(const KeyChoice& choice, const TableSchema& table) {
  const std::vector<Expression>& values = choice.values.values;
  switch (choice.kind) {
    case KeyChoice::Kind::kBuckets: return "0.." + std::to_string(values.size() - 1);
    case KeyChoice::Kind::kWindows: {
      const auto& call = std::get<CallExpression>(values[0].node);
      return "each from " + PrintExpression(call.arguments[0], table) + " to " +
             PrintExpression(call.arguments[1], table);
    }
    case KeyChoice::Kind::kIn: break;
  }
  std::vector<std::string> texts;
  for (const Expression& value : values) texts.push_back(PrintExpression(value, table));
  return choice.values.list_valued ? "each of " + texts[0] : "each of (" + JoinNames(texts) + ")";
}

std::string HowMany(const DerivedColumn& column, const std::vector<KeyChoice>& choices) {
  switch (column.kind) {
    case DerivedColumn::Kind::kRange: return "a range";
    case DerivedColumn::Kind::kValue: return column.choice ? "value by value" : "one value";
    case DerivedColumn::Kind::kAll: break;
  }
  if (!column.choice) return "all values";
  const KeyChoice& choice = choices[*column.choice];
  if (choice.kind == KeyChoice::Kind::kBuckets) return "all " + std::to_string(choice.values.values.size()) + " values";
  return "those between";
}

}  // namespace

std::string PrintChoices(std::string text, const std::vector<KeyChoice>& choices, const TableSchema& table) {
  for (size_t i = choices.size(); i-- > 0;) {  // Begins with the last one, because "$1" is also a part of "$10".
    const std::string written = "$" + std::to_string(i + 1);
    const std::string shown = ChoiceText(choices[i], table);
    for (size_t at = text.find(written); at != std::string::npos; at = text.find(written, at + shown.size())) {
      text.replace(at, written.size(), shown);
    }
  }
  return text;
}

std::vector<std::string> DescribeDerived(const std::vector<DerivedColumn>& derived,
                                         const std::vector<KeyChoice>& choices, const TableSchema& table) {
  std::vector<std::string> lines;
  for (const DerivedColumn& column : derived) {
    const GeneratedColumn& generated = *table.generated->Of(column.column);
    std::vector<std::string> sources;
    for (const uint32_t source : generated.sources) sources.push_back(Name(table, source));
    const std::string from = sources.empty() ? "" : " from " + JoinNames(sources);
    lines.push_back(Name(table, column.column) + from + ": " + table.columns[column.column].generated_as + ", " +
                    ClassName(generated.generated_class) + ", " + HowMany(column, choices));
  }
  return lines;
}

std::string DescribeMerge(const SelectPlan& plan) {
  const TableSchema& table = *plan.table;
  std::vector<std::string> order;
  for (uint32_t i = 0; i < table.clustering_size; ++i) {
    const ColumnSchema& column = table.clustering(i);
    order.push_back(QuoteIdentifier(column.name) + (column.descending != plan.reversed ? " DESC" : ""));
  }
  std::string text = order.empty() ? "partition by partition" : "by " + JoinNames(order);
  std::vector<std::string> sequence;
  for (const KeyChoice& choice : plan.choices) {
    if (choice.in_sequence) sequence.push_back(Name(table, choice.column));
  }
  if (!sequence.empty()) text += ", one " + JoinNames(sequence) + " after the other";
  return text;
}

}  // namespace widerow
