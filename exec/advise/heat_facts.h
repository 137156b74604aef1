// What the heat map knows of a table, as the rules of advise/ see it.
#pragma once

#include "advise/facts.h"
#include "exec/heat/heat_map.h"

namespace widerow {

advise::HeatFacts HeatFactsOf(HeatMap& heat, const TableSchema& table);

}  // namespace widerow
