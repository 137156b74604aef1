// Runs the rules of ADVISE: a pure function that turns facts into findings. exec/advise/ gathers the facts and makes
// rows of the findings.
#pragma once

#include "advise/facts.h"
#include "advise/finding.h"

namespace widerow::advise {

// Applies every rule to every table. Findings are sorted: critical ones first, then by table and code.
Findings Advise(const Facts& facts);

}  // namespace widerow::advise
