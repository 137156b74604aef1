#include "exec/advise/table_facts.h"

#include "parser/parse.h"

namespace widerow {

namespace {

// The expression of GENERATED ALWAYS AS; null if it cannot be read.
std::shared_ptr<const Term> ReadExpression(const std::string& text) {
  Result<Statement> statement = Parse("SELECT " + text + " FROM t");
  const auto* select = statement.ok() ? std::get_if<SelectStatement>(&statement->node) : nullptr;
  return select == nullptr || select->selectors.empty() ? nullptr : std::make_shared<const Term>(select->selectors[0].term);
}

}  // namespace

advise::TableFacts DeclaredFacts(const TablePtr& table) {
  advise::TableFacts facts;
  facts.table = table;
  facts.derivations.resize(table->columns.size());
  for (uint32_t i = 0; i < table->columns.size(); ++i) {
    if (table->columns[i].is_generated()) facts.derivations[i] = ReadExpression(table->columns[i].generated_as);
  }
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
