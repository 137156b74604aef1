// Converts a table's schema to the facts that the rules of advise/ use.
#pragma once

#include "advise/facts.h"
#include "storage/storage_engine.h"

namespace widerow {

advise::TableFacts DeclaredFacts(const TablePtr& table);
// Adds the entries of the partition map with their numbers of rows, bytes, reads and writes.
void AddCounters(StorageEngine& storage, advise::TableFacts& facts);

}  // namespace widerow
