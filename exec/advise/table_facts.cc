#include "exec/advise/table_facts.h"

#include <algorithm>

#include "parser/parse.h"
#include "planner/ddl/partition/partition_by.h"

namespace widerow {

namespace {

// Returns the expression of GENERATED ALWAYS AS; null if it cannot be parsed.
std::shared_ptr<const Term> ReadExpression(const std::string& text) {
  Result<Statement> statement = Parse("SELECT " + text + " FROM t");
  const auto* select = statement.ok() ? std::get_if<SelectStatement>(&statement->node) : nullptr;
  return select == nullptr || select->selectors.empty() ? nullptr
                                                        : std::make_shared<const Term>(select->selectors[0].term);
}

advise::Layout LayoutOf(PartitionKind kind) {
  switch (kind) {
    case PartitionKind::kToken: return advise::Layout::kToken;
    case PartitionKind::kKey: return advise::Layout::kKey;
    case PartitionKind::kHash: return advise::Layout::kHash;
    case PartitionKind::kList: return advise::Layout::kList;
    case PartitionKind::kRange: return advise::Layout::kRange;
  }
  return advise::Layout::kToken;
}

// Returns the partitioning clause on one line. If the table has only the partition with which every RANGE table begins,
// the list of partitions is left out.
std::string OneLine(const std::string& clause) {
  constexpr std::string_view kOnly = " (PARTITION p0 VALUES LESS THAN MAXVALUE)";
  std::string out;
  for (const char c : clause) {
    if (c != '\n')
      out += c;
    else
      while (!out.empty() && out.back() == ' ') out.pop_back();
  }
  for (size_t at = out.find("    "); at != std::string::npos; at = out.find("    "))
    out.replace(at, 4, out[at - 1] == '(' ? "" : " ");
  return out.ends_with(kOnly) ? out.substr(0, out.size() - kOnly.size()) : out;
}

}  // namespace

advise::TableFacts DeclaredFacts(const TablePtr& table) {
  advise::TableFacts facts;
  facts.table = table;
  facts.derivations.resize(table->columns.size());
  for (uint32_t i = 0; i < table->columns.size(); ++i) {
    if (table->columns[i].is_generated()) facts.derivations[i] = ReadExpression(table->columns[i].generated_as);
  }
  const Partitioning& partitioning = table->partitioning;
  facts.layout = LayoutOf(partitioning.kind);
  if (partitioning.by_token()) {
    for (uint32_t i = 0; i < table->partition_key_size; ++i) facts.partition_columns.push_back(i);
    return facts;
  }
  for (const ColumnId id : partitioning.columns) {
    for (uint32_t i = 0; i < table->columns.size(); ++i) {
      if (table->columns[i].id == id) facts.partition_columns.push_back(i);
    }
  }
  facts.partition_count = static_cast<uint32_t>(table->partition_map.size());
  facts.partition_clause = OneLine(ddl::PartitionByText(*table, false));
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
