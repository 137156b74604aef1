// Hints for refused statements: the missing columns, the key as declared, and forms of WHERE that would run.
#pragma once

#include "planner/where/group.h"

namespace widerow {

// Returns "PRIMARY KEY ((device, day), ts)".
std::string PrimaryKeyText(const TableSchema& table);

// Says why `where` needs a filter or is no key prefix, and what would work. Ends with ALLOW FILTERING if `may_filter`.
std::string KeyHint(const TableSchema& table, const GroupedWhere& where, bool may_filter);

// Returns a hint for writes: the columns that a statement must give, with a form that would run.
std::string WholeKeyHint(const TableSchema& table);

}  // namespace widerow
