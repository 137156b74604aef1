// Prints CREATE statements exactly as Cassandra 5.0.9's DESCRIBE does. The functions …Text() and …Lines() print the
// parts: columns, key, options, order, dropped columns, partitions. The Describe…() functions put the parts together.
#include "planner/ddl/describe/describe.h"

#include <algorithm>

#include "base/limits.h"
#include "base/text.h"
#include "planner/ddl/describe/describe_view.h"
#include "planner/ddl/edit/properties.h"
#include "planner/ddl/edit/schema_edit.h"
#include "planner/ddl/partition/partition_by.h"
#include "planner/system_keyspaces.h"
#include "types/index_words.h"

namespace widerow {

namespace {

std::string Quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += '\'';
    out += c;
  }
  return out + "'";
}

std::string MapText(const std::map<std::string, std::string>& map) {
  std::string out;
  for (const auto& [key, value] : map) out += (out.empty() ? "" : ", ") + Quoted(key) + ": " + Quoted(value);
  return "{" + out + "}";
}

std::string BooleanText(bool value) { return value ? "true" : "false"; }

bool IsBounded(const Type& type) {
  return type.bytes_max.has_value() ||
         std::any_of(type.arguments.begin(), type.arguments.end(), [](const TypePtr& a) { return IsBounded(*a); });
}

// Returns TypeText, but varbinary(n) and longblob by their own names, so that the statement recreates the same table.
std::string WrittenType(const Type& type) {
  if (type.kind == TypeKind::kUdt || !IsBounded(type)) return TypeText(type);
  if (type.bytes_max) {
    return *type.bytes_max == limits::kLongBlobBytesMax ? "longblob"
                                                        : "varbinary(" + std::to_string(*type.bytes_max) + ")";
  }
  std::string inner;
  for (const TypePtr& argument : type.arguments) inner += (inner.empty() ? "" : ", ") + WrittenType(*argument);
  if (type.kind == TypeKind::kVector) return StrCat("vector<", inner, ", ", type.dimension, ">");
  if (type.kind == TypeKind::kTuple) return "frozen<tuple<" + inner + ">>";
  const char* const name = type.kind == TypeKind::kList ? "list<" : type.kind == TypeKind::kSet ? "set<" : "map<";
  return type.frozen ? "frozen<" + (name + inner) + ">>" : name + inner + ">";
}

// Returns the columns in this order: partition key, clustering, statics, regulars; within the last two, single-cell
// columns before collections and UDTs.
std::vector<ColumnSchema> InDescribedOrder(const TableSchema& table) {
  std::vector<ColumnSchema> columns = table.columns;
  std::stable_sort(columns.begin(), columns.end(), [](const ColumnSchema& a, const ColumnSchema& b) {
    return std::tuple(a.kind, a.type->is_multi_cell()) < std::tuple(b.kind, b.type->is_multi_cell());
  });
  return columns;
}

bool IsDropped(const TableSchema& table, const std::string& name) {
  return std::any_of(table.dropped_columns.begin(), table.dropped_columns.end(),
                     [&](const DroppedColumn& dropped) { return dropped.name == name; });
}

std::string ColumnText(const std::string& name, const Type& type, bool is_static) {
  return QuoteIdentifier(name) + " " + WrittenType(type) + (is_static ? " static" : "");
}

std::string ColumnText(const ColumnSchema& column) {
  return ColumnText(column.name, *column.type, column.kind == ColumnKind::kStatic) +
         (column.is_generated() ? " GENERATED ALWAYS AS (" + column.generated_as + ")" : "") +
         (column.not_null ? " NOT NULL" : "");
}

std::string KeyText(const TableSchema& table) {
  std::vector<std::string> partition, all;
  for (size_t i = 0; i < table.partition_key_size; ++i)
    partition.push_back(QuoteIdentifier(table.partition_key(i).name));
  const std::string joined = JoinNames(partition);
  all.push_back(partition.size() > 1 ? "(" + joined + ")" : joined);
  for (size_t i = 0; i < table.clustering_size; ++i) all.push_back(QuoteIdentifier(table.clustering(i).name));
  return "PRIMARY KEY (" + JoinNames(all) + ")";
}

std::string ColumnsText(const TableSchema& table, bool with_internals) {
  const bool inline_key = table.partition_key_size == 1 && table.clustering_size == 0;
  std::vector<std::string> lines;
  for (const ColumnSchema& column : InDescribedOrder(table)) {
    // With internals, a column that was dropped and added again is listed among the dropped columns. The statements
    // after CREATE TABLE drop it and add it again.
    if (with_internals && IsDropped(table, column.name)) continue;
    std::string line = ColumnText(column);
    if (inline_key && column.kind == ColumnKind::kPartitionKey) line += " PRIMARY KEY";
    lines.push_back(std::move(line));
  }
  if (with_internals) {
    for (const DroppedColumn& dropped : table.dropped_columns) {
      lines.push_back(ColumnText(dropped.name, *dropped.type, dropped.is_static));
    }
  }
  if (!inline_key) lines.push_back(KeyText(table));
  std::string out;
  for (const std::string& line : lines) out += (out.empty() ? "    " : ",\n    ") + line;
  return out;
}

// Appends the throughput options that are not 0.
void AddThroughput(TableThroughput throughput, std::vector<std::string>& lines) {
  for (const std::string_view name : kThroughputOptions) {
    const int32_t units = *FindThroughput(throughput, name);
    if (units != 0) lines.push_back(std::string(name) + " = " + std::to_string(units));
  }
}

std::vector<std::string> OptionLines(const TableOptions& options) {
  return {"additional_write_policy = " + Quoted(options.additional_write_policy),
          "allow_auto_snapshot = " + BooleanText(options.allow_auto_snapshot),
          "bloom_filter_fp_chance = " + ddl::DoubleText(options.bloom_filter_fp_chance),
          "caching = " + MapText(options.caching),
          "cdc = " + BooleanText(options.cdc),
          "comment = " + Quoted(options.comment),
          "compaction = " + MapText(options.compaction),
          "compression = " + MapText(options.compression),
          "memtable = " + Quoted(options.memtable),
          "crc_check_chance = " + ddl::DoubleText(options.crc_check_chance),
          "default_time_to_live = " + std::to_string(options.default_time_to_live),
          "extensions = " + MapText(options.extensions),
          "gc_grace_seconds = " + std::to_string(options.gc_grace_seconds),
          "incremental_backups = " + BooleanText(options.incremental_backups),
          "max_index_interval = " + std::to_string(options.max_index_interval),
          "memtable_flush_period_in_ms = " + std::to_string(options.memtable_flush_period_in_ms),
          "min_index_interval = " + std::to_string(options.min_index_interval),
          "read_repair = " + Quoted(options.read_repair),
          "speculative_retry = " + Quoted(options.speculative_retry)};
}

std::string OrderText(const TableSchema& table) {
  std::vector<std::string> orders;
  for (size_t i = 0; i < table.clustering_size; ++i) {
    orders.push_back(QuoteIdentifier(table.clustering(i).name) + (table.clustering(i).descending ? " DESC" : " ASC"));
  }
  return "CLUSTERING ORDER BY (" + JoinNames(orders) + ")";
}

std::string DroppedText(const TableSchema& table, const std::string& full_name) {
  std::string out;
  for (const DroppedColumn& dropped : table.dropped_columns) {
    out += StrCat("\nALTER TABLE ", full_name, " DROP ", QuoteIdentifier(dropped.name), " USING TIMESTAMP ",
                  dropped.dropped_micros, ";");
    const ColumnSchema* const again = table.Find(dropped.name);
    if (again == nullptr) continue;
    out += StrCat("\nALTER TABLE ", full_name, " ADD ", ColumnText(*again), ";");
  }
  return out;
}

std::vector<std::string> SplitLines(const Partitioning& partitioning) {
  std::vector<std::string> lines;
  if (!partitioning.auto_split) lines.push_back("auto_split = false");
  if (partitioning.split_bytes > 0)
    lines.push_back("split_size_kb = " + std::to_string(partitioning.split_bytes / 1'024));
  if (partitioning.split_operations > 0)
    lines.push_back("split_operations = " + std::to_string(partitioning.split_operations));
  return lines;
}

// Returns the clauses TABLEGROUP and PARTITION BY, which come after the WITH clause.
std::string PlacementText(const TableSchema& table, bool with_internals) {
  std::string out;
  if (!table.tablegroup.empty()) out += "\n    TABLEGROUP = " + QuoteIdentifier(table.tablegroup);
  const std::string partition_by = ddl::PartitionByText(table, with_internals);
  return partition_by.empty() ? out : out + "\n    " + partition_by;
}

std::string VirtualText(const std::string& kind, const std::string& name, const std::string& structure) {
  return StrCat("/*\nWarning: ", kind, " ", name, " is a virtual ", kind == "Table" ? "table" : "keyspace",
                " and cannot be recreated with CQL.\nStructure, for reference:\n", structure, "\n*/");
}

// Returns a WITH clause that has these lines; empty if there are none.
std::string WithText(const std::vector<std::string>& lines) {
  std::string out;
  for (size_t i = 0; i < lines.size(); ++i) out += (i == 0 ? " WITH " : "\n    AND ") + lines[i];
  return out;
}

}  // namespace

std::string DescribeKeyspace(const KeyspaceSchema& keyspace) {
  if (IsVirtualKeyspace(keyspace.name)) {
    return VirtualText("Keyspace", keyspace.name, "VIRTUAL KEYSPACE " + keyspace.name + ";");
  }
  constexpr std::string_view kLocator = "org.apache.cassandra.locator.";
  std::string replication;
  if (const auto found = keyspace.replication.find("class"); found != keyspace.replication.end()) {
    const std::string& name = found->second;
    replication = "'class': " + Quoted(name.starts_with(kLocator) ? name.substr(kLocator.size()) : name);
  }
  for (const auto& [key, value] : keyspace.replication) {
    if (key != "class") replication += ", " + Quoted(key) + ": " + Quoted(value);
  }
  return StrCat("CREATE KEYSPACE ", QuoteIdentifier(keyspace.name), " WITH replication = {", replication,
                "}  AND durable_writes = ", BooleanText(keyspace.durable_writes), ";");
}

std::string DescribeTable(const TableSchema& table, bool with_internals) {
  const std::string full_name = QuoteIdentifier(table.keyspace) + "." + QuoteIdentifier(table.name);
  const bool is_virtual = IsVirtualKeyspace(table.keyspace);
  std::vector<std::string> with;
  if (with_internals) with.push_back("ID = " + table.id.ToString());
  if (table.clustering_size > 0) with.push_back(OrderText(table));
  if (is_virtual) {
    with.push_back("comment = " + Quoted(table.options.comment));
  } else {
    for (std::string& line : OptionLines(table.options)) with.push_back(std::move(line));
    AddThroughput(table.options.throughput, with);
  }
  for (std::string& line : SplitLines(table.partitioning)) with.push_back(std::move(line));
  const std::string structure = StrCat("TABLE ", full_name, " (\n", ColumnsText(table, with_internals), "\n)",
                                       WithText(with), PlacementText(table, with_internals), ";");
  if (is_virtual) return VirtualText("Table", full_name, "VIRTUAL " + structure);
  return "CREATE " + structure + (with_internals ? DroppedText(table, full_name) : "");
}

std::string DescribeView(const TableSchema& view, const TableSchema& base, bool with_internals) {
  const std::string keyspace = QuoteIdentifier(view.keyspace) + ".";
  std::vector<std::string> columns, with;
  for (const ColumnSchema& column : InDescribedOrder(view)) columns.push_back(QuoteIdentifier(column.name));
  const bool all = view.view->include_all_columns &&
                   std::all_of(base.columns.begin(), base.columns.end(),
                               [&](const ColumnSchema& column) { return view.Find(column.name) != nullptr; });
  if (with_internals) with.push_back("ID = " + view.id.ToString());
  if (view.clustering_size > 0) with.push_back(OrderText(view));
  for (std::string& line : OptionLines(view.options)) {
    if (!line.starts_with("default_time_to_live "))
      with.push_back(std::move(line));  // CREATE MATERIALIZED VIEW refuses this option.
  }
  return StrCat("CREATE MATERIALIZED VIEW ", keyspace, QuoteIdentifier(view.name), " AS\n    SELECT ",
                all ? "*" : JoinNames(columns), "\n    FROM ", keyspace, QuoteIdentifier(view.view->base_table),
                "\n    WHERE ", view.view->where_clause, "\n    ", KeyText(view), "\n", WithText(with), ";");
}

std::string DescribeType(const Type& udt) {
  std::string out = StrCat("CREATE TYPE ", QuoteIdentifier(udt.keyspace), ".", QuoteTypeName(udt.name), " (\n");
  for (size_t i = 0; i < udt.field_names.size(); ++i) {
    out += "    " + QuoteIdentifier(udt.field_names[i]) + " " + WrittenType(*udt.arguments[i]);
    out += i + 1 < udt.field_names.size() ? ",\n" : "\n";
  }
  return out + ");";
}

std::string IndexTargetText(const TableSchema& table, const IndexSchema& index) {
  const ColumnSchema& column = *table.FindId(index.column);
  const std::string name = QuoteIdentifier(column.name);
  if (!column.type->is_collection()) return name;
  switch (index.target) {
    case IndexTarget::kValues: return "values(" + name + ")";
    case IndexTarget::kKeys: return "keys(" + name + ")";
    case IndexTarget::kEntries: return "entries(" + name + ")";
    case IndexTarget::kFull: return "full(" + name + ")";
  }
  return name;
}

std::string DescribeIndex(const TableSchema& table, const IndexSchema& index) {
  const bool custom = index.kind != IndexKind::kComposites;
  std::string out = StrCat("CREATE ", custom ? "CUSTOM " : "", IsUnique(index) ? "UNIQUE " : "",
                           IsLocal(index)    ? "LOCAL "
                           : IsGlobal(index) ? "GLOBAL "
                                             : "",
                           "INDEX ", QuoteIdentifier(index.name), " ON ", QuoteIdentifier(table.keyspace), ".",
                           QuoteIdentifier(table.name), " (", IndexTargetText(table, index), ")");
  if (!custom) return out + ";";
  std::string options;
  for (const auto& [name, value] : index.options) {
    if (IsIndexWord(index, name)) continue;
    if (name == "class_name")
      out += " USING " + Quoted(value);
    else
      options += (options.empty() ? "" : ", ") + Quoted(name) + ": " + Quoted(value);
  }
  return out + (options.empty() ? ";" : " WITH OPTIONS = {" + options + "};");
}

}  // namespace widerow
