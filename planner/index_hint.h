// Hints that propose an index. Pure functions, any thread.
#pragma once

#include <string>
#include <string_view>

#include "types/schema.h"

namespace widerow {

// The kinds of index that a hint can propose.
enum class ProposedIndex { kPlain, kStorageAttached, kWords, kSasi };

// Returns "CREATE … INDEX ON ks.t (c) …" followed by `effect`. The column is at `column` in table.columns. A view
// cannot have an index, so for a view the hint names its table.
std::string IndexHint(const TableSchema& table, uint32_t column, ProposedIndex proposed, std::string_view effect);

}  // namespace widerow
