#include "planner/analyzed.h"

#include <algorithm>

#include "planner/function.h"

namespace widerow {

TextAnalysis AnalysisOf(const TableSchema& table, uint32_t column) {
  const ColumnSchema& schema = table.columns[column];
  if (table.indexes.empty() || (schema.type->kind != TypeKind::kText && schema.type->kind != TypeKind::kAscii))
    return {};
  for (const IndexSchema& index : table.indexes) {
    if (index.column != schema.id || index.kind == IndexKind::kComposites) continue;
    const TextAnalysis analysis = TextAnalysis::FromOptions(index.options);
    if (analysis.any()) return analysis;
  }
  return {};
}

Expression Analyzed(Expression text, const TextAnalysis& analysis) {
  if (!analysis.any()) return text;
  const TypePtr type = text.type;
  const SourceRange range = text.range;
  const auto body = [analysis](const FunctionContext&, std::span<const ValueView> values) -> Result<Value> {
    return Value(analysis.Apply(*values[0]));
  };
  auto function = std::make_shared<const Function>(
      Function{.name = "analyzed[" + analysis.Name() + "]", .parameters = {type}, .returns = type, .body = body});
  return {CallExpression{std::move(function), {std::move(text)}}, type, range};
}

bool TakesLike(const TableSchema& table, uint32_t column) {
  const TypeKind kind = table.columns[column].type->kind;
  if (kind != TypeKind::kText && kind != TypeKind::kAscii) return false;
  return std::any_of(table.indexes.begin(), table.indexes.end(), [&](const IndexSchema& index) {
    return index.kind == IndexKind::kSasi && index.column == table.columns[column].id;
  });
}

}  // namespace widerow
