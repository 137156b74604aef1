// CREATE and DROP TABLEGROUP, and the checks that all tables of a group have the same partitioning rules.
#include <algorithm>

#include "planner/access/partition_key.h"
#include "planner/ddl/edit/schema_edit.h"
#include "planner/ddl/edit/statements.h"
#include "planner/ddl/partition/partition_by.h"

namespace widerow::ddl {

namespace {

Result<KeyspaceSchema> KeyspaceOfGroup(SourceRange range, const SchemaSnapshot& schema, const DdlContext& context) {
  WR_ASSIGN_OR_RETURN(const std::string name, KeyspaceOf(QualifiedName{.range = range}, context));
  WR_RETURN_IF_ERROR(CheckUserKeyspace(name));
  const KeyspaceSchema* const keyspace = schema.FindKeyspace(name);
  if (keyspace == nullptr) return NoSuchKeyspace(range, name);
  return *keyspace;
}

// Returns the schema with the changed keyspace. Reports no schema change, because drivers do not know table groups.
DdlResult WithGroups(const SchemaPtr& schema, KeyspaceSchema keyspace) {
  DdlResult result = WithKeyspace(schema, std::move(keyspace), {});
  result.change.reset();
  return result;
}

std::string RulesText(const TableSchema& table) {
  const std::string text = PartitionByText(table, /*with_automatic=*/false);
  return text.empty() ? "no PARTITION BY" : text;
}

// Returns "k int, p text GENERATED ALWAYS AS (…)": the columns that PARTITION BY names.
std::string ColumnsText(const TableSchema& table) {
  std::vector<std::string> texts;
  for (const ColumnId id : table.partitioning.columns) {
    const ColumnSchema& column = *table.FindId(id);
    texts.push_back(QuoteIdentifier(column.name) + " " + TypeText(*column.type) +
                    (column.is_generated() ? " GENERATED ALWAYS AS (" + column.generated_as + ")" : ""));
  }
  return JoinNames(texts);
}

}  // namespace

Result<DdlResult> Apply(const CreateTableGroupStatement& statement, const SchemaPtr& schema,
                        const DdlContext& context) {
  const auto& [text, quoted, range] = std::tie(statement.name.text, statement.name.quoted, statement.name.range);
  WR_ASSIGN_OR_RETURN(KeyspaceSchema keyspace, KeyspaceOfGroup(range, *schema, context));
  if (!keyspace.tablegroups.insert(text).second) {
    if (statement.if_not_exists) return Unchanged(schema);
    return InvalidAt(range, "Table group '" + text + "' already exists in keyspace " + keyspace.name);
  }
  return WithGroups(schema, std::move(keyspace));
}

Result<DdlResult> Apply(const DropTableGroupStatement& statement, const SchemaPtr& schema, const DdlContext& context) {
  const SourceRange range = statement.name.range;
  WR_ASSIGN_OR_RETURN(KeyspaceSchema keyspace, KeyspaceOfGroup(range, *schema, context));
  const auto group = keyspace.tablegroups.find(statement.name.text);
  if (group == keyspace.tablegroups.end()) {
    if (statement.if_exists) return Unchanged(schema);
    return InvalidAt(range, "Unknown table group '" + statement.name.text + "' in keyspace " + keyspace.name);
  }
  for (const auto& [name, table] : keyspace.tables) {
    if (table->tablegroup != *group) continue;
    return InvalidAt(
        range, "Table group '" + *group + "' is not empty: it has table " + name,
        "drop its tables, or take them out: ALTER TABLE " + keyspace.name + "." + name + " WITH tablegroup = ''");
  }
  keyspace.tablegroups.erase(group);
  return WithGroups(schema, std::move(keyspace));
}

bool SameRules(const TableSchema& a, const TableSchema& b) {
  const Partitioning &left = a.partitioning, &right = b.partitioning;
  if (left.kind != right.kind || left.columns.size() != right.columns.size()) return false;
  for (size_t i = 0; i < left.columns.size(); ++i) {
    const ColumnSchema &mine = *a.FindId(left.columns[i]), &other = *b.FindId(right.columns[i]);
    if (!SameType(*mine.type, *other.type) || mine.generated_as != other.generated_as) return false;
  }
  const auto declared = [](const TableSchema& table) {
    std::vector<std::tuple<Bytes, std::vector<Bytes>>> rules;
    for (const PartitionRange& partition : table.partition_map) {
      if (!partition.automatic) rules.emplace_back(partition.first_position, partition.values);
    }
    return rules;
  };
  return left.end_key == right.end_key && declared(a) == declared(b);
}

std::vector<TablePtr> OthersInGroup(const SchemaSnapshot& schema, const TableSchema& table) {
  std::vector<TablePtr> others;
  const KeyspaceSchema* const keyspace = schema.FindKeyspace(table.keyspace);
  if (keyspace == nullptr || table.tablegroup.empty()) return others;
  for (const auto& [name, other] : keyspace->tables) {
    if (name != table.name && other->tablegroup == table.tablegroup) others.push_back(other);
  }
  return others;
}

Status CheckGroup(const SchemaSnapshot& schema, const TableSchema& table, SourceRange range) {
  const KeyspaceSchema* const keyspace = schema.FindKeyspace(table.keyspace);
  if (keyspace == nullptr || !keyspace->tablegroups.contains(table.tablegroup)) {
    return InvalidAt(range, "Unknown table group '" + table.tablegroup + "' in keyspace " + table.keyspace,
                     "CREATE TABLEGROUP " + table.tablegroup + " makes it");
  }
  for (const TablePtr& other : OthersInGroup(schema, table)) {
    if (SameRules(table, *other)) continue;
    std::string theirs = RulesText(*other), ours = RulesText(table);
    if (theirs == ours) {
      theirs += " with " + ColumnsText(*other);
      ours += " with " + ColumnsText(table);
    }
    return InvalidAt(range,
                     "All tables of table group '" + table.tablegroup + "' must have the same partitioning rules: " +
                         other->name + " has " + theirs + ", and " + table.name + " would have " + ours,
                     "write the same PARTITION BY, or leave TABLEGROUP out");
  }
  return OkStatus();
}

}  // namespace widerow::ddl
