// ADVISE as a pure function from facts to findings. exec/advise/ gathers the facts and turns findings into rows.
#pragma once

#include "advise/facts.h"
#include "advise/finding.h"

namespace widerow::advise {

// Applies every rule to every table. Findings are sorted: critical ones first, then by table and code.
Findings Advise(const Facts& facts);

}  // namespace widerow::advise
