// Converts a table's heat map to the facts that the rules of advise/ use.
#pragma once

#include "advise/facts.h"
#include "exec/heat/heat_map.h"

namespace widerow {

advise::HeatFacts HeatFactsOf(HeatMap& heat, const TableSchema& table);

}  // namespace widerow
