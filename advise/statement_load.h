// What a planned statement does to its table, in the terms that rules judge by.
#pragma once

#include <vector>

#include "advise/facts.h"
#include "planner/plan.h"

namespace widerow::advise {

struct LoadOfTable {
  TablePtr table;
  StatementLoad load;  // Without figures: how often it ran is for the caller to say.
};

// Of a SELECT, a write, or each write of a batch; nothing for other statements.
std::vector<LoadOfTable> LoadsOf(const Plan& plan, const std::string& text);

}  // namespace widerow::advise
