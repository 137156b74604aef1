// LIMIT, PER PARTITION LIMIT and USING: integers or bind markers. Constants are checked here, bound values by exec.
#pragma once

#include "planner/terms/planning.h"

namespace widerow {

// Return nullopt if the clause is not written. Errors: Cassandra's sentences for constants that are out of range.
Result<std::optional<Expression>> PrepareLimit(const std::optional<Term>& limit, const char* marker_name,
                                               Planning& planning);
Result<std::optional<Expression>> PrepareTimestamp(const UsingClause& clause, Planning& planning);
Result<std::optional<Expression>> PrepareTtl(const UsingClause& clause, Planning& planning);

}  // namespace widerow
