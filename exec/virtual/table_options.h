// The columns of table options in system_schema.tables and system_schema.views.
#pragma once

#include "exec/virtual/virtual_rows.h"

namespace widerow {

// Writes the options into the current row.
void SetTableOptions(const TableOptions& options, VirtualRows& rows);

}  // namespace widerow
