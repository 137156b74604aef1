// Reads UNIQUE, LOCAL and GLOBAL of CREATE INDEX, which Cassandra does not have.
#include "types/index_words.h"

#include <algorithm>

#include "base/text.h"
#include "planner/ddl/edit/schema_edit.h"
#include "planner/ddl/index/index_options.h"
#include "types/similarity.h"

namespace widerow::ddl {
namespace {

// The options that a UNIQUE index may have. With them, each value still has exactly one term in the index.
constexpr std::string_view kOptionsOfWholeValues[] = {"ascii", "case_sensitive", "class_name", "normalize"};

// Refuses ON t ((a, b), c) if the columns in the inner parentheses are not the partition key.
Status CheckPartition(const CreateIndexStatement& statement, const TableSchema& table) {
  if (statement.partition.empty()) return OkStatus();
  std::vector<std::string> key;
  for (uint32_t i = 0; i < table.partition_key_size; ++i) key.push_back(table.partition_key(i).name);
  const bool same = std::ranges::equal(statement.partition, key, {}, &Identifier::text);
  const SourceRange range{statement.partition.front().range.begin, statement.partition.back().range.end};
  if (!same) {
    for (std::string& name : key) name = QuoteIdentifier(name);
    return InvalidAt(range, "The inner parentheses of an index have the partition key of the table",
                     "(" + JoinNames(key) + ")");
  }
  if (statement.global) return InvalidAt(range, "An index on ((partition key), column) is LOCAL, not GLOBAL");
  return OkStatus();
}

Status CheckUnique(const CreateIndexStatement& statement, bool local, const IndexSchema& index,
                   const TableSchema& table) {
  const ColumnSchema& column = *table.FindId(index.column);
  const SourceRange range = statement.targets[0].column.range;
  if (column.kind == ColumnKind::kPartitionKey) {
    return InvalidAt(range, "Cannot create a UNIQUE index on partition key column " + column.name,
                     "all rows of a partition have its value");
  }
  if (local && column.kind == ColumnKind::kStatic) {
    return InvalidAt(range, "Cannot create a UNIQUE LOCAL index on static column " + column.name,
                     "a partition has one value of it; UNIQUE without LOCAL compares partitions");
  }
  for (const auto& [option, value] : index.options) {
    if (std::ranges::find(kOptionsOfWholeValues, option) == std::end(kOptionsOfWholeValues))
      return InvalidAt(range, "A UNIQUE index does not take the option " + option);
  }
  return OkStatus();
}

}  // namespace

Status ReadIndexWords(const CreateIndexStatement& statement, const TableSchema& table, IndexSchema& index) {
  // The schema keeps UNIQUE, LOCAL and GLOBAL as options of the index. OPTIONS must not set these options itself.
  if (std::ranges::any_of(index.options, [&](const auto& option) { return IsIndexWord(index, option.first); }))
    return CheckOptionNames(index.kind, index.options, true, statement.table.range);
  const bool local = statement.local || !statement.partition.empty();
  if (!statement.unique && !local && !statement.global) return OkStatus();
  const SourceRange range = statement.table.range;
  WR_RETURN_IF_ERROR(CheckPartition(statement, table));
  const ColumnSchema& column = *table.FindId(index.column);
  if (IsVectorIndex(index, column)) return InvalidAt(range, "An index for ANN OF cannot be UNIQUE, LOCAL or GLOBAL");
  if (index.kind == IndexKind::kSasi) {
    return InvalidAt(range, "A SASI index cannot be UNIQUE, LOCAL or GLOBAL", "a plain index and one USING 'sai' can");
  }
  if (local && column.kind == ColumnKind::kPartitionKey) {
    return InvalidAt(statement.targets[0].column.range,
                     "Cannot create a LOCAL index on partition key column " + column.name,
                     "a LOCAL index serves queries that give the whole partition key");
  }
  if (statement.unique) WR_RETURN_IF_ERROR(CheckUnique(statement, local, index, table));
  if (statement.unique) index.options[std::string(kUniqueOption)] = "true";
  if (local) index.options[std::string(kScopeOption)] = "local";
  if (statement.global) index.options[std::string(kScopeOption)] = "global";
  return OkStatus();
}

}  // namespace widerow::ddl
