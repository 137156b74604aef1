// What CREATE TABLE refuses and warns of in generated columns.
#pragma once

#include <map>

#include "planner/generated/generated_columns.h"

namespace widerow {

// One expression as written, its columns not yet replaced: deterministic, of the column's type, no splice that breaks order
// (code order-breaking-splice) or lets two keys be one text (ambiguous-splice).
Status CheckExpression(const Expression& expression, const ColumnSchema& column, const TableSchema& table, SourceRange range);

// All of them together: a key that is derived from columns outside of the key tells their values apart. `ranges`: of the
// expressions, by column. `warnings` may be null.
Status CheckGeneratedKey(const TableSchema& table, const GeneratedColumns& generated,
                         const std::map<uint32_t, SourceRange>& ranges, std::vector<std::string>* warnings);

}  // namespace widerow
