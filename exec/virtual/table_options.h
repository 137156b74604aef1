// The columns that system_schema.tables and system_schema.views have of a table's options.
#pragma once

#include "exec/virtual/virtual_rows.h"

namespace widerow {

// Writes them into the row under way.
void SetTableOptions(const TableOptions& options, VirtualRows& rows);

}  // namespace widerow
