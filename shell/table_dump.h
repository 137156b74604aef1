// Writes the rows of a table for `widerow dump`.
#pragma once

#include "shell/dump.h"

namespace widerow {

// Writes the rows of the table to `out`, and adds to `figures`. See Dump for `progress` and the errors.
Status DumpTable(Session& session, const TableSchema& table, std::ostream& out, DumpFigures& figures,
                 const std::function<void(const std::string& table, uint64_t rows)>& progress);

}  // namespace widerow
