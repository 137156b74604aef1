// Printers for results that are text rather than tables: DESCRIBE's statements and names, EXPLAIN's lines, ADVISE's
// findings.
#pragma once

#include <iosfwd>
#include <memory>

#include "shell/printer.h"

namespace widerow {

// For DESCRIBE: CREATE statements, ready to be run, or lists of names by keyspace. Null if the columns are neither.
std::unique_ptr<ResultPrinter> MakeDescribePrinter(const ResultColumns& columns, std::ostream& out);
// For ADVISE: findings one after another, critical ones first. Null if the columns are not those of findings.
std::unique_ptr<ResultPrinter> MakeFindingPrinter(const ResultColumns& columns, std::ostream& out);
// For one text column: one line per row.
std::unique_ptr<ResultPrinter> MakeLinePrinter(std::ostream& out);

}  // namespace widerow
