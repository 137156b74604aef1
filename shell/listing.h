// Results that are text rather than tables: DESCRIBE's statements and names, EXPLAIN's lines, ADVISE's findings.
#pragma once

#include <iosfwd>
#include <memory>

#include "shell/printer.h"

namespace widerow {

// For DESCRIBE: create statements one below the other, ready to be run; lists of names by keyspace. Null if the columns
// are neither.
std::unique_ptr<ResultPrinter> MakeDescribePrinter(const ResultColumns& columns, std::ostream& out);
// For ADVISE: findings one below the other, critical ones first. Null if the columns are not its.
std::unique_ptr<ResultPrinter> MakeFindingPrinter(const ResultColumns& columns, std::ostream& out);
// One text column, a line a row.
std::unique_ptr<ResultPrinter> MakeLinePrinter(std::ostream& out);

}  // namespace widerow
