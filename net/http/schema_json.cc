// SchemaJson writes the keyspaces and everything in them through JsonOut, with one Write function per kind of object.
// The structure is specified in docs/reference/http.md.
#include "net/http/schema_json.h"

#include <charconv>

#include "planner/ddl/describe/describe.h"
#include "planner/ddl/describe/describe_view.h"
#include "types/json_form.h"

namespace widerow {

namespace {

// Writes members and elements and puts the commas between them.
class JsonOut {
 public:
  explicit JsonOut(std::string& out) : out_(out) {}
  void Open(char bracket) {
    Comma();
    out_ += bracket;
    first_ = true;
  }
  void Close(char bracket) {
    out_ += bracket;
    first_ = false;
  }
  void Key(std::string_view name) {
    Comma();
    AppendJsonString(name, out_);
    out_ += ':';
    first_ = true;
  }
  void Text(std::string_view text) {
    Comma();
    AppendJsonString(text, out_);
  }
  void Raw(std::string_view json) {
    Comma();
    out_ += json;
  }
  void Member(std::string_view name, std::string_view text) {
    Key(name);
    Text(text);
  }
  void Member(std::string_view name, const std::string& text) {
    Key(name);
    Text(text);
  }
  void Member(std::string_view name, const char* text) {
    Key(name);
    Text(text);
  }
  void Member(std::string_view name, bool value) {
    Key(name);
    Raw(value ? "true" : "false");
  }
  void Member(std::string_view name, int32_t value) {
    Key(name);
    Raw(std::to_string(value));
  }
  void Member(std::string_view name, double value) {
    char text[32];
    Key(name);
    Raw(std::string_view(text, static_cast<size_t>(std::to_chars(text, text + sizeof text, value).ptr - text)));
  }
  void Member(std::string_view name, const std::map<std::string, std::string>& map) {
    Key(name);
    Open('{');
    for (const auto& [key, value] : map) Member(key, value);
    Close('}');
  }

 private:
  void Comma() {
    if (!first_) out_ += ',';
    first_ = false;
  }
  std::string& out_;
  bool first_ = true;
};

const char* KindName(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::kPartitionKey: return "partition_key";
    case ColumnKind::kClustering: return "clustering";
    case ColumnKind::kStatic: return "static";
    case ColumnKind::kRegular: return "regular";
  }
  return "";
}

void WriteColumn(const ColumnSchema& column, JsonOut& out) {
  out.Open('{');
  out.Member("name", column.name);
  out.Member("type", TypeText(*column.type));
  out.Member("kind", KindName(column.kind));
  if (column.is_key()) out.Member("position", static_cast<int32_t>(column.position));
  if (column.kind == ColumnKind::kClustering) out.Member("order", column.descending ? "DESC" : "ASC");
  if (column.is_generated()) out.Member("generated_as", column.generated_as);
  if (column.not_null) out.Member("not_null", true);
  out.Close('}');
}

void WriteOptions(const TableOptions& options, JsonOut& out) {
  out.Key("options");
  out.Open('{');
  out.Member("additional_write_policy", options.additional_write_policy);
  out.Member("allow_auto_snapshot", options.allow_auto_snapshot);
  out.Member("bloom_filter_fp_chance", options.bloom_filter_fp_chance);
  out.Member("caching", options.caching);
  out.Member("cdc", options.cdc);
  out.Member("comment", options.comment);
  out.Member("compaction", options.compaction);
  out.Member("compression", options.compression);
  out.Member("crc_check_chance", options.crc_check_chance);
  out.Member("default_time_to_live", options.default_time_to_live);
  out.Member("extensions", options.extensions);
  out.Member("gc_grace_seconds", options.gc_grace_seconds);
  out.Member("incremental_backups", options.incremental_backups);
  out.Member("max_index_interval", options.max_index_interval);
  out.Member("memtable", options.memtable);
  out.Member("memtable_flush_period_in_ms", options.memtable_flush_period_in_ms);
  out.Member("min_index_interval", options.min_index_interval);
  out.Member("read_repair", options.read_repair);
  out.Member("speculative_retry", options.speculative_retry);
  out.Close('}');
}

// `base` is the table that a view is a view of; null for a table.
void WriteTable(const TableSchema& table, const TableSchema* base, JsonOut& out) {
  out.Open('{');
  out.Member("name", table.name);
  out.Member("id", table.id.ToString());
  out.Key("columns");
  out.Open('[');
  for (const ColumnSchema& column : table.columns) WriteColumn(column, out);
  out.Close(']');
  WriteOptions(table.options, out);
  if (!table.tablegroup.empty()) out.Member("tablegroup", table.tablegroup);
  if (base != nullptr) out.Member("view_of", base->name);
  out.Member("cql", base == nullptr ? DescribeTable(table) : DescribeView(table, *base));
  out.Close('}');
}

void WriteType(const Type& type, JsonOut& out) {
  out.Open('{');
  out.Member("name", type.name);
  out.Key("fields");
  out.Open('[');
  for (size_t i = 0; i < type.field_names.size(); ++i) {
    out.Open('{');
    out.Member("name", type.field_names[i]);
    out.Member("type", TypeText(*type.arguments[i]));
    out.Close('}');
  }
  out.Close(']');
  out.Member("cql", DescribeType(type));
  out.Close('}');
}

void WriteKeyspace(const KeyspaceSchema& keyspace, JsonOut& out) {
  out.Open('{');
  out.Member("name", keyspace.name);
  out.Member("replication", keyspace.replication);
  out.Member("durable_writes", keyspace.durable_writes);
  out.Key("tables");
  out.Open('[');
  for (const auto& [name, table] : keyspace.tables) {
    const bool is_view = table->view != nullptr;
    WriteTable(*table, is_view ? keyspace.tables.at(table->view->base_table).get() : nullptr, out);
  }
  out.Close(']');
  out.Key("types");
  out.Open('[');
  for (const auto& [name, type] : keyspace.types) WriteType(*type, out);
  out.Close(']');
  out.Close('}');
}

}  // namespace

std::string SchemaJson(const SchemaSnapshot& schema, std::string_view only_keyspace) {
  std::string text;
  JsonOut out(text);
  out.Open('{');
  out.Member("version", schema.version.ToString());
  out.Key("keyspaces");
  out.Open('[');
  for (const auto& [name, keyspace] : schema.keyspaces) {
    if (only_keyspace.empty() || name == only_keyspace) WriteKeyspace(*keyspace, out);
  }
  out.Close(']');
  out.Close('}');
  return text + '\n';
}

}  // namespace widerow
