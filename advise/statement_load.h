// Says what a planned statement reads or writes, in the form that the rules of ADVISE need.
#pragma once

#include <vector>

#include "advise/facts.h"
#include "planner/plan.h"

namespace widerow::advise {

struct LoadOfTable {
  TablePtr table;
  StatementLoad load;  // Has no counts; the caller adds them.
};

// Returns the load of a SELECT, of a write, or of each write of a batch; nothing for other statements.
std::vector<LoadOfTable> LoadsOf(const Plan& plan, const std::string& text);

}  // namespace widerow::advise
