// Generated columns of a table: `bucket int GENERATED ALWAYS AS (bucket(ts, 16))`. Their expressions are planned once, when the
// table is made, changed or loaded, and kept with it (TableSchema::generated); statements put the values that they have for the
// sources in the columns' places (derive_key.h). Immutable; any thread.
//
// One that is part of the key is stored as any key column is. One outside of the key is not stored: a read computes it.
#pragma once

#include <map>

#include "parser/ast_term.h"
#include "planner/expression.h"
#include "base/result.h"

namespace widerow {

// What a generated column does to the order of its sources, and so which conditions on them it can follow.
enum class GeneratedClass : uint8_t {
  kMonotone,    // Keeps it: a range of the source is a range, or a list of windows.
  kFinite,      // Has few values: a range of the source is read from all of them.
  kScattering,  // Loses it: = and IN on the source only.
};

// The order that an expression keeps: rows that ascend by `columns`, the first one first, ascend by its values.
struct ExpressionOrder {
  std::vector<uint32_t> columns;  // Empty: none.
  bool strict = false;            // Two values are equal only where all of `columns` are.
};

struct GeneratedColumn {
  uint32_t column = 0;            // Index into TableSchema::columns, as all here.
  Expression expression;          // Over ordinary columns: those of other generated columns are put in their places.
  std::vector<uint32_t> sources;  // The columns it reads, ascending.
  GeneratedClass generated_class = GeneratedClass::kScattering;
  ExpressionOrder order;
  bool random = false;            // random(n): every row that is written draws its own.
};

struct GeneratedColumns {
  std::vector<GeneratedColumn> columns;
  std::vector<uint32_t> key_sources;  // Sources, outside of the key, of columns of the key. Ascending; they never change.

  const GeneratedColumn* Of(uint32_t column) const;  // Null if it is an ordinary column.
  bool IsKeySource(uint32_t column) const;
};

// "monotone", "finite", "scattering".
const char* ClassName(GeneratedClass generated_class);

// Plans the expressions of `table` and checks them: deterministic, of their columns' types, without cycles, and, in the key,
// such that rows that differ are not taken for one. `written` has the terms of columns that a statement is just declaring, for
// errors that point into it; those of others are read from ColumnSchema::generated_as. Null if there are none. `warnings` (may
// be null) gets what is doubtful and allowed.
Result<std::shared_ptr<const GeneratedColumns>> CompileGeneratedColumns(const TableSchema& table,
                                                                        const SchemaSnapshot& schema,
                                                                        const std::map<std::string, Term>& written,
                                                                        std::vector<std::string>* warnings);

// The schema as it was loaded, with its tables' generated columns planned.
SchemaPtr WithCompiledColumns(const SchemaPtr& loaded);

// `expression` (ColumnSchema::generated_as) with columns renamed.
Result<std::string> RenameColumns(const std::string& expression,
                                  const std::vector<std::pair<std::string, std::string>>& renames);

}  // namespace widerow
