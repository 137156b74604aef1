// Generated columns of a table: `bucket int GENERATED ALWAYS AS (bucket(ts, 16))`. Their expressions are planned once,
// when the table is created, changed or loaded, and are kept in TableSchema::generated. A statement puts the values
// that it gives for source columns into these expressions (derive_key.h). Immutable; any thread.
//
// A generated column of the key is stored like any key column. Others are not stored: a read computes them.
#pragma once

#include <map>

#include "base/result.h"
#include "parser/ast_term.h"
#include "planner/expression.h"

namespace widerow {

// Says whether a generated column keeps the order of its sources. The class decides which conditions on the sources can
// be used.
enum class GeneratedClass : uint8_t {
  kMonotone,    // Keeps the order. A range of the source becomes a range of the column, or a list of windows.
  kFinite,      // Has few values. For a range of the source, all these values are read.
  kScattering,  // Does not keep the order. Only = and IN on the source can be used.
};

// The order that an expression keeps: if rows ascend by `columns`, in this sequence, the values of the expression
// ascend too.
struct ExpressionOrder {
  std::vector<uint32_t> columns;  // Empty if the expression keeps no order.
  bool strict = false;            // True if two values are equal only when all `columns` are equal.
};

struct GeneratedColumn {
  uint32_t column = 0;            // Index into TableSchema::columns, like all column numbers here.
  Expression expression;          // Reads ordinary columns only: generated ones are replaced by their expressions.
  std::vector<uint32_t> sources;  // The columns it reads, ascending.
  GeneratedClass generated_class = GeneratedClass::kScattering;
  ExpressionOrder order;
  bool random = false;  // True for random(n): each written row gets its own value.
};

struct GeneratedColumns {
  std::vector<GeneratedColumn> columns;
  // Columns outside of the key from which columns of the key are derived, ascending. Their values never change.
  std::vector<uint32_t> key_sources;

  const GeneratedColumn* Of(uint32_t column) const;  // Null for an ordinary column.
  bool IsKeySource(uint32_t column) const;
};

// Returns "monotone", "finite" or "scattering".
const char* ClassName(GeneratedClass generated_class);

// Plans and checks the expressions of `table`. They must be deterministic, have the types of their columns, and have no
// cycles. Expressions of key columns must not give two rows the same key. Returns null if the table has no generated
// columns. `written`: the terms of the columns that the statement declares, so that errors point into it; other terms
// are read from ColumnSchema::generated_as. `warnings` (may be null) receives a warning for each doubtful case.
Result<std::shared_ptr<const GeneratedColumns>> CompileGeneratedColumns(const TableSchema& table,
                                                                        const SchemaSnapshot& schema,
                                                                        const std::map<std::string, Term>& written,
                                                                        std::vector<std::string>* warnings);

// Returns `loaded` with the expressions of all generated columns planned.
SchemaPtr WithCompiledColumns(const SchemaPtr& loaded);

// Returns `expression` (ColumnSchema::generated_as) with columns renamed.
Result<std::string> RenameColumns(const std::string& expression,
                                  const std::vector<std::pair<std::string, std::string>>& renames);

}  // namespace widerow
