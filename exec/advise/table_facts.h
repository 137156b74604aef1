// A table's schema as the rules of advise/ see it.
#pragma once

#include "advise/facts.h"
#include "storage/engine.h"

namespace widerow {

advise::TableFacts DeclaredFacts(const TablePtr& table);
// The partition map with its counters.
void AddCounters(StorageEngine& storage, advise::TableFacts& facts);

}  // namespace widerow
