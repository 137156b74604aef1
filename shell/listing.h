// Printers for results that are text rather than tables: DESCRIBE's statements and names, EXPLAIN's lines, ADVISE's
// findings.
#pragma once

#include <iosfwd>
#include <memory>

#include "shell/printer.h"

namespace widerow {

// Makes the listing of DESCRIBE: CREATE statements, ready to be run, or lists of names by keyspace. Null if the columns
// fit neither of them.
std::unique_ptr<ResultPrinter> MakeDescribePrinter(const ResultColumns& columns, std::ostream& out);
// Makes the listing of ADVISE: findings one after another, critical ones first. Null if the columns are not those of
// findings.
std::unique_ptr<ResultPrinter> MakeFindingPrinter(const ResultColumns& columns, std::ostream& out);
// Makes the listing of one text column: one line per row.
std::unique_ptr<ResultPrinter> MakeLinePrinter(std::ostream& out);

}  // namespace widerow
