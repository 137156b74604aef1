// Prints the statements about keyspaces, tables, types, indexes, views, functions and triggers. The Print functions for
// their parts come first, then one PrintStatement for each statement.
#include "base/overloaded.h"
#include "parser/print.h"
#include "parser/print_parts.h"

namespace widerow {
namespace {

std::string PrintProperty(const Property& property) { return PrintName(property.name) + " = " + Print(property.value); }
std::string PrintProperties(const std::vector<Property>& properties) {
  return properties.empty() ? "" : " WITH " + Join(properties, " AND ", PrintProperty);
}
std::string IfNotExists(bool condition) { return When(condition, "IF NOT EXISTS "); }
std::string IfExists(bool condition) { return When(condition, "IF EXISTS "); }

std::string PrintMask(const ColumnMask& mask) {
  return " MASKED WITH " +
         (mask.function ? PrintName(*mask.function) + "(" + PrintTerms(mask.arguments) + ")" : "DEFAULT");
}

std::string PrintColumn(const ColumnDefinition& column) {
  std::string text = PrintName(column.name) + " " + Print(column.type) + When(column.is_static, " STATIC");
  if (column.mask) text += PrintMask(*column.mask);
  if (column.generated_as) text += " GENERATED ALWAYS AS (" + Print(*column.generated_as) + ")";
  return text + When(column.not_null, " NOT NULL") + When(column.primary_key, " PRIMARY KEY");
}

std::string PrintPrimaryKey(const std::vector<Identifier>& partition_key, const std::vector<Identifier>& clustering) {
  const std::string partition = PrintNames(partition_key);
  return "PRIMARY KEY (" + (partition_key.size() == 1 ? partition : "(" + partition + ")") +
         (clustering.empty() ? "" : ", " + PrintNames(clustering)) + ")";
}

std::string PrintOptions(bool compact, const std::vector<ClusteringOrder>& order,
                         const std::vector<Property>& properties) {
  std::vector<std::string> options;
  if (compact) options.push_back("COMPACT STORAGE");
  if (!order.empty()) {
    options.push_back(
        "CLUSTERING ORDER BY (" +
        Join(order, ", ",
             [](const ClusteringOrder& o) { return PrintName(o.column) + (o.descending ? " DESC" : " ASC"); }) +
        ")");
  }
  for (const Property& property : properties) options.push_back(PrintProperty(property));
  if (options.empty()) return "";
  return " WITH " + Join(options, " AND ", [](const std::string& option) { return option; });
}

std::string PrintPartition(const PartitionDefinition& partition) {
  std::string text = "PARTITION " + PrintName(partition.name);
  if (partition.max_value) return text + " VALUES LESS THAN MAXVALUE";
  if (partition.values.empty()) return text;
  return text + (partition.in_list ? " VALUES IN (" : " VALUES LESS THAN (") + PrintTerms(partition.values) + ")";
}
std::string PrintPartitions(const std::vector<PartitionDefinition>& partitions) {
  return "(" + Join(partitions, ", ", PrintPartition) + ")";
}

std::string PrintPartitionBy(const PartitionBy& by) {
  const auto method = [&] {
    switch (by.kind) {
      case PartitionBy::Kind::kKey: return "KEY";
      case PartitionBy::Kind::kHash: return "HASH";
      case PartitionBy::Kind::kRange: return "RANGE";
      case PartitionBy::Kind::kList: return "LIST";
    }
    return "";
  }();
  return std::string(" PARTITION BY ") + method + When(by.columns_keyword, " COLUMNS") + " (" + PrintTerms(by.keys) +
         ")" + (by.count ? " PARTITIONS " + std::to_string(*by.count) : "") +
         (by.partitions.empty() ? "" : " " + PrintPartitions(by.partitions));
}

std::string PrintRenames(const std::vector<std::pair<Identifier, Identifier>>& renames) {
  return Join(renames, " AND ",
              [](const auto& rename) { return PrintName(rename.first) + " TO " + PrintName(rename.second); });
}
std::string PrintField(const FieldDefinition& field) { return PrintName(field.name) + " " + Print(field.type); }

std::string PrintAction(const AlterTableStatement::AlterPartitions& a) {
  using Kind = AlterTableStatement::AlterPartitions::Kind;
  const std::string names = PrintNames(a.names);
  switch (a.kind) {
    case Kind::kAdd: return "ADD PARTITION " + PrintPartitions(a.into);
    case Kind::kDrop: return "DROP PARTITION " + names;
    case Kind::kTruncate: return "TRUNCATE PARTITION " + names;
    case Kind::kSplit:
      return "SPLIT PARTITION " + names + (a.at.empty() ? "" : " AT (" + PrintTerms(a.at) + ")") +
             (a.into.empty() ? "" : " INTO " + PrintPartitions(a.into));
    case Kind::kMerge: return "MERGE PARTITION " + names + " INTO " + PrintPartitions(a.into);
    case Kind::kReorganize: return "REORGANIZE PARTITION " + names + " INTO " + PrintPartitions(a.into);
  }
  return "";
}

std::string PrintAction(const AlterTableStatement& s) {
  using S = AlterTableStatement;
  return std::visit(
      Overloaded{
          [](const S::AddColumns& a) {
            return "ADD " + IfNotExists(a.if_not_exists) + "(" + Join(a.columns, ", ", PrintColumn) + ")";
          },
          [](const S::DropColumns& a) {
            return "DROP " + IfExists(a.if_exists) + "(" + PrintNames(a.columns) + ")" +
                   (a.timestamp ? " USING TIMESTAMP " + Print(*a.timestamp) : "");
          },
          [](const S::RenameColumns& a) { return "RENAME " + IfExists(a.if_exists) + PrintRenames(a.renames); },
          [](const S::AlterType& a) { return "ALTER " + PrintName(a.column) + " TYPE " + Print(a.type); },
          [](const S::AlterGenerated& a) {
            return "ALTER " + PrintName(a.column) + " GENERATED ALWAYS AS (" + Print(a.expression) + ")";
          },
          [](const S::AlterMask& a) {
            return "ALTER " + IfExists(a.if_exists) + PrintName(a.column) +
                   (a.mask ? PrintMask(*a.mask) : " DROP MASKED");
          },
          [](const S::SetProperties& a) { return "WITH " + Join(a.properties, " AND ", PrintProperty); },
          [](const S::DropCompactStorage&) { return std::string("DROP COMPACT STORAGE"); },
          [](const S::AlterPartitions& a) { return PrintAction(a); },
      },
      s.action);
}

std::string PrintIndexTarget(const IndexTargetClause& target) {
  const std::string column = PrintName(target.column);
  switch (target.kind) {
    case IndexTargetClause::Kind::kSimple: return column;
    case IndexTargetClause::Kind::kValues: return "values(" + column + ")";
    case IndexTargetClause::Kind::kKeys: return "keys(" + column + ")";
    case IndexTargetClause::Kind::kEntries: return "entries(" + column + ")";
    case IndexTargetClause::Kind::kFull: return "full(" + column + ")";
  }
  return "";
}

}  // namespace

std::string PrintStatement(const CreateKeyspaceStatement& s) {
  return "CREATE KEYSPACE " + IfNotExists(s.if_not_exists) + PrintName(s.name) + PrintProperties(s.properties);
}
std::string PrintStatement(const AlterKeyspaceStatement& s) {
  return "ALTER KEYSPACE " + IfExists(s.if_exists) + PrintName(s.name) + PrintProperties(s.properties);
}
std::string PrintStatement(const DropKeyspaceStatement& s) {
  return "DROP KEYSPACE " + IfExists(s.if_exists) + PrintName(s.name);
}

std::string PrintStatement(const CreateTableStatement& s) {
  std::string text = "CREATE TABLE " + IfNotExists(s.if_not_exists) + PrintName(s.name) + " (";
  text += Join(s.columns, ", ", PrintColumn);
  if (!s.partition_key.empty()) text += ", " + PrintPrimaryKey(s.partition_key, s.clustering_key);
  text += ")" + PrintOptions(s.compact_storage, s.clustering_order, s.properties);
  if (s.tablegroup) text += " TABLEGROUP = " + PrintName(*s.tablegroup);
  if (s.partition_by) text += PrintPartitionBy(*s.partition_by);
  return text;
}
std::string PrintStatement(const AlterTableStatement& s) {
  return "ALTER TABLE " + IfExists(s.if_exists) + PrintName(s.name) + " " + PrintAction(s);
}
std::string PrintStatement(const DropTableStatement& s) {
  return "DROP TABLE " + IfExists(s.if_exists) + PrintName(s.name);
}

std::string PrintStatement(const CreateTypeStatement& s) {
  return "CREATE TYPE " + IfNotExists(s.if_not_exists) + PrintTypeName(s.name) + " (" +
         Join(s.fields, ", ", PrintField) + ")";
}
std::string PrintStatement(const AlterTypeStatement& s) {
  const std::string text = "ALTER TYPE " + IfExists(s.if_exists) + PrintTypeName(s.name) + " ";
  if (!s.add.empty()) return text + "ADD " + IfNotExists(s.if_field_not_exists) + PrintField(s.add[0]);
  if (s.alter) return text + "ALTER " + PrintName(s.alter->name) + " TYPE " + Print(s.alter->type);
  return text + "RENAME " + IfExists(s.if_field_exists) + PrintRenames(s.renames);
}
std::string PrintStatement(const DropTypeStatement& s) {
  return "DROP TYPE " + IfExists(s.if_exists) + PrintTypeName(s.name);
}

std::string PrintStatement(const CreateIndexStatement& s) {
  return "CREATE " + When(s.custom, "CUSTOM ") + When(s.unique, "UNIQUE ") + When(s.global, "GLOBAL ") +
         When(s.local, "LOCAL ") + "INDEX " + IfNotExists(s.if_not_exists) + (s.name ? PrintName(*s.name) + " " : "") +
         "ON " + PrintName(s.table) + " (" + (s.partition.empty() ? "" : "(" + PrintNames(s.partition) + "), ") +
         Join(s.targets, ", ", PrintIndexTarget) + ")" +
         (s.using_class ? " USING " + PrintString(*s.using_class) : "") + PrintProperties(s.properties);
}
std::string PrintStatement(const DropIndexStatement& s) {
  return "DROP INDEX " + IfExists(s.if_exists) + PrintName(s.name);
}

std::string PrintStatement(const CreateMaterializedViewStatement& s) {
  return "CREATE MATERIALIZED VIEW " + IfNotExists(s.if_not_exists) + PrintName(s.name) + " AS " +
         PrintStatement(s.select) + " " + PrintPrimaryKey(s.partition_key, s.clustering_key) +
         PrintOptions(false, s.clustering_order, s.properties);
}
std::string PrintStatement(const AlterMaterializedViewStatement& s) {
  return "ALTER MATERIALIZED VIEW " + IfExists(s.if_exists) + PrintName(s.name) + PrintProperties(s.properties);
}
std::string PrintStatement(const DropMaterializedViewStatement& s) {
  return "DROP MATERIALIZED VIEW " + IfExists(s.if_exists) + PrintName(s.name);
}

std::string PrintStatement(const CreateFunctionStatement& s) {
  const auto parameter = [](const FunctionParameter& p) { return PrintName(p.name) + " " + Print(p.type); };
  return "CREATE " + When(s.or_replace, "OR REPLACE ") + "FUNCTION " + IfNotExists(s.if_not_exists) +
         PrintName(s.name) + "(" + Join(s.parameters, ", ", parameter) + ") " +
         (s.called_on_null_input ? "CALLED" : "RETURNS NULL") + " ON NULL INPUT RETURNS " + Print(s.returns) +
         " LANGUAGE " + PrintName(s.language) + " AS " + PrintString(s.body);
}
std::string PrintStatement(const CreateAggregateStatement& s) {
  return "CREATE " + When(s.or_replace, "OR REPLACE ") + "AGGREGATE " + IfNotExists(s.if_not_exists) +
         PrintName(s.name) + "(" + PrintTypes(s.arguments) + ") SFUNC " + PrintName(s.state_function) + " STYPE " +
         Print(s.state_type) + (s.final_function ? " FINALFUNC " + PrintName(*s.final_function) : "") +
         (s.initial_condition ? " INITCOND " + Print(*s.initial_condition) : "");
}
std::string PrintStatement(const DropFunctionStatement& s) {
  return std::string("DROP ") + (s.aggregate ? "AGGREGATE " : "FUNCTION ") + IfExists(s.if_exists) + PrintName(s.name) +
         (s.arguments ? "(" + PrintTypes(*s.arguments) + ")" : "");
}

std::string PrintStatement(const CreateTriggerStatement& s) {
  return "CREATE TRIGGER " + IfNotExists(s.if_not_exists) + PrintName(s.name) + " ON " + PrintName(s.table) +
         " USING " + PrintString(s.using_class);
}
std::string PrintStatement(const DropTriggerStatement& s) {
  return "DROP TRIGGER " + IfExists(s.if_exists) + PrintName(s.name) + " ON " + PrintName(s.table);
}
std::string PrintStatement(const CreateTableGroupStatement& s) {
  return "CREATE TABLEGROUP " + IfNotExists(s.if_not_exists) + PrintName(s.name);
}
std::string PrintStatement(const DropTableGroupStatement& s) {
  return "DROP TABLEGROUP " + IfExists(s.if_exists) + PrintName(s.name);
}

}  // namespace widerow
