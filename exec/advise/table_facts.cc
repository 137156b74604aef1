#include "exec/advise/table_facts.h"

#include "parser/parse.h"

namespace widerow {

advise::TableFacts DeclaredFacts(const TablePtr& table) {
  advise::TableFacts facts;
  facts.table = table;
  facts.derivations.resize(table->columns.size());
  for (uint32_t i = 0; i < table->partition_key_size; ++i) facts.partition_columns.push_back(i);
  return facts;
}

void AddCounters(StorageEngine& storage, advise::TableFacts& facts) {
  for (const PartitionStats& entry : storage.Partitions(*facts.table)) {
    facts.map.push_back({.name = std::to_string(entry.id),
                         .rows = static_cast<uint64_t>(std::max<int64_t>(entry.rows, 0)),
                         .bytes = static_cast<uint64_t>(std::max<int64_t>(entry.bytes, 0)),
                         .reads = entry.reads,
                         .writes = entry.writes});
  }
}

}  // namespace widerow
