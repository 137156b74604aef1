// ADVISE as a function: facts in, findings out. exec gathers the facts (exec/advise/) and turns findings into rows.
#pragma once

#include "advise/facts.h"
#include "advise/finding.h"

namespace widerow::advise {

// Every rule over every table: critical ones first, then by table and code.
Findings Advise(const Facts& facts);

}  // namespace widerow::advise
