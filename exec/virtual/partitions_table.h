// system_views.partitions: the partition map of every stored table with its counters (requirement D5).
#pragma once

#include "exec/virtual/virtual_tables.h"

namespace widerow {

TablePtr PartitionsTable();
std::vector<VirtualRow> PartitionsRows(const VirtualContext& context);

}  // namespace widerow
