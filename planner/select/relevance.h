// ORDER BY … BM25 OF: the rows that have all words of a query, the most relevant first. Cassandra 5.0 does not have it.
// The spelling, the rules and the sentences are those of DataStax's Cassandra. Pure functions.
#pragma once

#include "planner/plan.h"
#include "planner/where/resolve.h"

namespace widerow {

// Prepares the order and finds the index of words. Returns nullopt if there is no BM25 OF. Refuses BM25 OF if it is
// descending, if there is another ordering, or if the column has no index of words.
Result<std::optional<RelevanceOrder>> OrderByRelevance(const std::vector<Ordering>& order_by, Planning& planning);

// Adds the restriction that the ordering BM25 OF implies: column : query.
Status AddWordsOfOrder(const Ordering& order, AfterSlice after, Planning& planning,
                       std::vector<Restriction>& restrictions);

}  // namespace widerow
