#include "planner/analyzed.h"

#include <algorithm>

#include "planner/function.h"

namespace widerow {
namespace {

bool IsText(const ColumnSchema& column) {
  return column.type->kind == TypeKind::kText || column.type->kind == TypeKind::kAscii;
}

const IndexSchema* SasiIndexOf(const TableSchema& table, uint32_t column) {
  const auto found = std::find_if(table.indexes.begin(), table.indexes.end(), [&](const IndexSchema& index) {
    return index.kind == IndexKind::kSasi && index.column == table.columns[column].id;
  });
  return found == table.indexes.end() ? nullptr : &*found;
}

}  // namespace

TextAnalysis AnalysisOf(const TableSchema& table, uint32_t column) {
  const ColumnSchema& schema = table.columns[column];
  if (table.indexes.empty() || !IsText(schema)) return {};
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
  return IsText(table.columns[column]) && SasiIndexOf(table, column) != nullptr;
}

AnalyzerPtr WordsOf(const IndexSchema& index, const ColumnSchema& column) {
  return index.kind != IndexKind::kComposites && IsText(column) ? AnalyzerOf(index.options) : nullptr;
}

AnalyzerPtr WordsOfLike(const TableSchema& table, uint32_t column) {
  const IndexSchema* const index = SasiIndexOf(table, column);
  return index != nullptr ? WordsOf(*index, table.columns[column]) : nullptr;
}

const IndexSchema* IndexOfWords(const TableSchema& table, uint32_t column) {
  const ColumnSchema& schema = table.columns[column];
  const IndexSchema* sasi = nullptr;
  for (const IndexSchema& index : table.indexes) {
    if (index.column != schema.id || WordsOf(index, schema) == nullptr) continue;
    if (index.kind == IndexKind::kSai) return &index;
    sasi = &index;
  }
  return sasi;
}

}  // namespace widerow
