// The memory that a plan takes while a cache keeps it.
#pragma once

#include "planner/plan.h"

namespace widerow {

// Returns the approximate number of bytes. A plan that consists of its statement's syntax tree (DDL, roles, DESCRIBE,
// ADVISE) counts as small: the tree grows with the text, which the caller knows.
size_t PlanBytes(const Plan& plan);

}  // namespace widerow
