// The checks of CREATE TABLE on generated columns: errors and warnings. Pure functions.
#pragma once

#include <map>

#include "planner/generated/generated_columns.h"

namespace widerow {

// Checks one expression as written, before the generated columns in it are replaced. It must be deterministic and of
// the column's type. A splice must keep the order of its parts (error code order-breaking-splice) and must not make one
// text from two keys (ambiguous-splice).
Status CheckExpression(const Expression& expression, const ColumnSchema& column, const TableSchema& table,
                       SourceRange range);

// Refuses an expression that fails for every row, because a constant argument has a wrong value, as in bucket(ts, 0).
// Must not be called for stored expressions: tables that exist must be readable. `range`: the expression's place.
Status CheckConstants(const Expression& expression, SourceRange range);

// Checks all expressions together: if a key is derived from columns outside of the key, different values of them must
// give different keys. `ranges`: the expressions' ranges by column. `warnings` may be null.
Status CheckGeneratedKey(const TableSchema& table, const GeneratedColumns& generated,
                         const std::map<uint32_t, SourceRange>& ranges, std::vector<std::string>* warnings);

}  // namespace widerow
