// The checks of CREATE TABLE on generated columns: errors and warnings. Pure functions.
#pragma once

#include <map>

#include "planner/generated/generated_columns.h"

namespace widerow {

// Checks one expression as written, before the generated columns in it are replaced: deterministic, of the column's
// type, no splice that breaks order (code order-breaking-splice) or makes one text of two keys (ambiguous-splice).
Status CheckExpression(const Expression& expression, const ColumnSchema& column, const TableSchema& table,
                       SourceRange range);

// Checks all expressions together: a key that is derived from columns outside of the key must tell their values apart.
// `ranges`: the expressions' ranges by column. `warnings` may be null.
Status CheckGeneratedKey(const TableSchema& table, const GeneratedColumns& generated,
                         const std::map<uint32_t, SourceRange>& ranges, std::vector<std::string>* warnings);

}  // namespace widerow
