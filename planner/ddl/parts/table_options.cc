// ReadTableProperties reads Cassandra's properties, one by one in Cassandra's order, and then those of partitioning and
// throughput. CheckBounds then compares the numbers with Cassandra's limits. TableProperties holds the result. The
// caller puts `options` and `id` into a table, and ApplyTo() puts the others.
#include "planner/ddl/parts/table_options.h"

#include <algorithm>
#include <iterator>

#include "base/limits.h"
#include "base/text.h"
#include "planner/ddl/edit/schema_edit.h"

namespace widerow::ddl {

namespace {

constexpr std::string_view kTableProperties[] = {"additional_write_policy",
                                                 "allow_auto_snapshot",
                                                 "auto_split",
                                                 "bloom_filter_fp_chance",
                                                 "caching",
                                                 "cdc",
                                                 "comment",
                                                 "compaction",
                                                 "compression",
                                                 "crc_check_chance",
                                                 "default_time_to_live",
                                                 "extensions",
                                                 "gc_grace_seconds",
                                                 "id",
                                                 "incremental_backups",
                                                 "max_index_interval",
                                                 "memtable",
                                                 "memtable_flush_period_in_ms",
                                                 "min_index_interval",
                                                 "read_limit",
                                                 "read_repair",
                                                 "read_reserved",
                                                 "speculative_retry",
                                                 "split_operations",
                                                 "split_size_kb",
                                                 "tablegroup",
                                                 "write_limit",
                                                 "write_reserved"};
// Properties of Cassandra's storage and of its replicas. They have no effect in Widerow.
constexpr std::string_view kIdleProperties[] = {"additional_write_policy",
                                                "allow_auto_snapshot",
                                                "bloom_filter_fp_chance",
                                                "caching",
                                                "cdc",
                                                "compaction",
                                                "compression",
                                                "crc_check_chance",
                                                "extensions",
                                                "incremental_backups",
                                                "max_index_interval",
                                                "memtable",
                                                "memtable_flush_period_in_ms",
                                                "min_index_interval",
                                                "read_repair",
                                                "speculative_retry"};
constexpr double kBloomChanceMin = 6.71e-5;
constexpr const char* kLeveledClass = "org.apache.cassandra.db.compaction.LeveledCompactionStrategy";

template <typename T>
Status Take(Result<std::optional<T>> given, T& option) {
  if (!given.ok()) return std::move(given).error();
  if (*given) option = std::move(**given);
  return OkStatus();
}

using Check = Status (*)(SourceRange, std::map<std::string, std::string>&);

Status ReadMap(const Properties& properties, const char* name, Check check,
               std::map<std::string, std::string>& option) {
  WR_ASSIGN_OR_RETURN(auto given, properties.Map(name));
  if (!given) return OkStatus();
  WR_RETURN_IF_ERROR(check(properties.RangeOf(name), *given));
  option = std::move(*given);
  return OkStatus();
}

Status ReadMemtable(const Properties& properties, std::string& option) {
  WR_ASSIGN_OR_RETURN(const auto memtable, properties.Text("memtable"));
  if (!memtable) return OkStatus();
  if (*memtable != "default" && *memtable != "skiplist" && *memtable != "trie") {
    return ConfigErrorAt(properties.RangeOf("memtable"), "Memtable configuration \"" + *memtable + "\" not found.");
  }
  option = *memtable;
  return OkStatus();
}

Status ReadRetry(const Properties& properties, const char* name, std::string& option) {
  WR_ASSIGN_OR_RETURN(const auto text, properties.Text(name));
  if (!text) return OkStatus();
  WR_ASSIGN_OR_RETURN(option, ReadSpeculativeRetry(properties.RangeOf(name), *text));
  return OkStatus();
}

Status ReadReadRepair(const Properties& properties, std::string& option) {
  WR_ASSIGN_OR_RETURN(const auto read_repair, properties.Text("read_repair"));
  if (!read_repair) return OkStatus();
  option = ToUpper(*read_repair);
  if (option == "BLOCKING" || option == "NONE") return OkStatus();
  return ConfigErrorAt(
      properties.RangeOf("read_repair"),
      "Invalid value '" + *read_repair + "' for 'read_repair': only 'BLOCKING' and 'NONE' are allowed");
}

// Reads Cassandra's properties, in Cassandra's order. If several are faulty, the error names the first.
Status ReadCassandraProperties(const Properties& properties, TableOptions& options) {
  WR_RETURN_IF_ERROR(Take(properties.Boolean("allow_auto_snapshot"), options.allow_auto_snapshot));
  WR_RETURN_IF_ERROR(Take(properties.Double("bloom_filter_fp_chance"), options.bloom_filter_fp_chance));
  WR_RETURN_IF_ERROR(ReadMap(properties, "caching", CheckCaching, options.caching));
  WR_RETURN_IF_ERROR(Take(properties.Text("comment"), options.comment));
  WR_RETURN_IF_ERROR(ReadMap(properties, "compaction", CheckCompaction, options.compaction));
  WR_RETURN_IF_ERROR(ReadMap(properties, "compression", CheckCompression, options.compression));
  WR_RETURN_IF_ERROR(ReadMemtable(properties, options.memtable));
  WR_RETURN_IF_ERROR(Take(properties.Int("default_time_to_live"), options.default_time_to_live));
  WR_RETURN_IF_ERROR(Take(properties.Int("gc_grace_seconds"), options.gc_grace_seconds));
  WR_RETURN_IF_ERROR(Take(properties.Boolean("incremental_backups"), options.incremental_backups));
  WR_RETURN_IF_ERROR(Take(properties.Int("max_index_interval"), options.max_index_interval));
  WR_RETURN_IF_ERROR(Take(properties.Int("memtable_flush_period_in_ms"), options.memtable_flush_period_in_ms));
  WR_RETURN_IF_ERROR(Take(properties.Int("min_index_interval"), options.min_index_interval));
  WR_RETURN_IF_ERROR(ReadRetry(properties, "speculative_retry", options.speculative_retry));
  WR_RETURN_IF_ERROR(ReadRetry(properties, "additional_write_policy", options.additional_write_policy));
  WR_RETURN_IF_ERROR(Take(properties.Double("crc_check_chance"), options.crc_check_chance));
  WR_RETURN_IF_ERROR(Take(properties.Boolean("cdc"), options.cdc));
  WR_RETURN_IF_ERROR(ReadReadRepair(properties, options.read_repair));
  return Take(properties.Map("extensions"), options.extensions);
}

Status ReadThroughput(const Properties& properties, TableThroughput& throughput) {
  for (const std::string_view name : kThroughputOptions) {
    int32_t& units = *FindThroughput(throughput, name);
    WR_RETURN_IF_ERROR(Take(properties.Int(name), units));
    if (units < 0) {
      return ConfigErrorAt(properties.RangeOf(name),
                           StrCat(name, " must be greater than or equal to 0 (got ", units, ")"));
    }
  }
  for (const auto& [what, reserved, limit] : {std::tuple("read", throughput.read_reserved, throughput.read_limit),
                                              std::tuple("write", throughput.write_reserved, throughput.write_limit)}) {
    if (limit == 0 || reserved <= limit) continue;
    const std::string name(what);
    return ConfigErrorAt(
        properties.RangeOf(properties.Has(name + "_reserved") ? name + "_reserved" : name + "_limit"),
        StrCat(name, "_reserved (", reserved, ") must not be greater than ", name, "_limit (", limit, ")"));
  }
  return OkStatus();
}

Status CheckAtLeast(const Properties& properties, const std::string& name, int32_t least, int32_t value) {
  if (value >= least) return OkStatus();
  return ConfigErrorAt(properties.RangeOf(name),
                       StrCat(name, " must be greater than or equal to ", least, " (got ", value, ")"));
}

// Checks that max_index_interval is not below min_index_interval. As in Cassandra, if the statement does not give one
// of them, the check uses its default and not the table's value.
Status CheckIndexIntervals(const Properties& properties, const TableOptions& options) {
  const TableOptions defaults;
  const int32_t least = (properties.Has("min_index_interval") ? options : defaults).min_index_interval;
  const int32_t greatest = (properties.Has("max_index_interval") ? options : defaults).max_index_interval;
  if (greatest >= least) return OkStatus();
  return ConfigErrorAt(
      properties.RangeOf(properties.Has("max_index_interval") ? "max_index_interval" : "min_index_interval"),
      StrCat("max_index_interval must be greater than or equal to min_index_interval (", least, ") (got ", greatest,
             ")"));
}

Status CheckBounds(const Properties& properties, const TableOptions& options) {
  if (options.bloom_filter_fp_chance <= kBloomChanceMin || options.bloom_filter_fp_chance > 1) {
    return ConfigErrorAt(properties.RangeOf("bloom_filter_fp_chance"),
                         "bloom_filter_fp_chance must be larger than 6.71E-5 and less than or equal to 1.0 (got " +
                             DoubleText(options.bloom_filter_fp_chance) + ")");
  }
  if (options.crc_check_chance < 0 || options.crc_check_chance > 1) {
    return ConfigErrorAt(properties.RangeOf("crc_check_chance"),
                         "crc_check_chance must be larger than or equal to 0 and smaller than or equal to 1.0 (got " +
                             DoubleText(options.crc_check_chance) + ")");
  }
  WR_RETURN_IF_ERROR(CheckAtLeast(properties, "default_time_to_live", 0, options.default_time_to_live));
  if (options.default_time_to_live > limits::kTtlSecondsMax) {
    return ConfigErrorAt(properties.RangeOf("default_time_to_live"),
                         StrCat("default_time_to_live must be less than or equal to ", limits::kTtlSecondsMax, " (got ",
                                options.default_time_to_live, ")"));
  }
  WR_RETURN_IF_ERROR(CheckAtLeast(properties, "gc_grace_seconds", 0, options.gc_grace_seconds));
  WR_RETURN_IF_ERROR(CheckAtLeast(properties, "min_index_interval", 1, options.min_index_interval));
  WR_RETURN_IF_ERROR(CheckIndexIntervals(properties, options));
  return CheckAtLeast(properties, "memtable_flush_period_in_ms", 0, options.memtable_flush_period_in_ms);
}

Status ReadPartitioning(const Properties& properties, bool creating, TableProperties& read) {
  WR_ASSIGN_OR_RETURN(read.auto_split, properties.Boolean("auto_split"));
  WR_ASSIGN_OR_RETURN(read.split_size_kb, properties.Int("split_size_kb"));
  WR_ASSIGN_OR_RETURN(read.split_operations, properties.Int("split_operations"));
  WR_RETURN_IF_ERROR(CheckAtLeast(properties, "split_size_kb", 0, read.split_size_kb.value_or(0)));
  WR_RETURN_IF_ERROR(CheckAtLeast(properties, "split_operations", 0, read.split_operations.value_or(0)));
  WR_ASSIGN_OR_RETURN(read.tablegroup, properties.Text("tablegroup"));
  if (!creating || !read.tablegroup) return OkStatus();
  return SyntaxErrorAt(properties.RangeOf("tablegroup"),
                       "CREATE TABLE takes TABLEGROUP = " + *read.tablegroup + " beside WITH");
}

}  // namespace

void TableProperties::ApplyTo(TableSchema& table) const {
  if (auto_split) table.partitioning.auto_split = *auto_split;
  if (split_size_kb) table.partitioning.split_bytes = int64_t{*split_size_kb} * 1'024;
  if (split_operations) table.partitioning.split_operations = *split_operations;
  if (tablegroup) table.tablegroup = *tablegroup;
}

Status CheckSplitOptions(const std::vector<Property>& written, const DdlContext& context, const TableSchema& table) {
  for (const Property& property : written) {
    const std::string& name = property.name.text;
    const bool splits = name == "auto_split" || name == "split_size_kb" || name == "split_operations";
    if (!context.extended && (splits || name == "tablegroup")) {
      return SyntaxErrorAt(property.range, "Unknown property '" + name + "'");
    }
    if (!splits || table.partitioning.kind == PartitionKind::kRange) continue;
    return InvalidAt(property.range,
                     StrCat(name, " is about RANGE partitions, and ", table.keyspace, ".", table.name, " has none"),
                     "PARTITION BY RANGE (…) makes a table whose partitions are split by themselves");
  }
  return OkStatus();
}

std::vector<std::string> WarnOfIdleProperties(const std::vector<Property>& properties, const std::string& table,
                                              const DdlContext& context) {
  if (!context.extended) return {};
  std::vector<std::string> idle;
  for (const Property& property : properties) {
    const bool known = std::find(std::begin(kIdleProperties), std::end(kIdleProperties), property.name.text) !=
                       std::end(kIdleProperties);
    if (known) idle.push_back(property.name.text);
  }
  if (idle.empty()) return {};
  return {StrCat(table, ": ", JoinNames(idle), idle.size() == 1 ? " is" : " are", " stored and shown, and ",
                 idle.size() == 1 ? "has" : "have", " no effect")};
}

Status CheckTablePropertyValues(const std::vector<Property>& written) {
  std::vector<Property> known;
  std::copy_if(written.begin(), written.end(), std::back_inserter(known), [](const Property& property) {
    return std::find(std::begin(kTableProperties), std::end(kTableProperties), property.name.text) !=
           std::end(kTableProperties);
  });
  WR_ASSIGN_OR_RETURN(const Properties properties, Properties::Read(known, kTableProperties));
  TableOptions scratch;
  return ReadCassandraProperties(properties, scratch);
}

Result<TableProperties> ReadTableProperties(const std::vector<Property>& written, const TableOptions& base,
                                            bool creating) {
  WR_ASSIGN_OR_RETURN(const Properties properties, Properties::Read(written, kTableProperties));
  TableProperties read{.options = base};
  WR_RETURN_IF_ERROR(ReadCassandraProperties(properties, read.options));
  WR_RETURN_IF_ERROR(ReadPartitioning(properties, creating, read));
  WR_RETURN_IF_ERROR(ReadThroughput(properties, read.options.throughput));
  if (creating && !properties.Has("bloom_filter_fp_chance") && read.options.compaction["class"] == kLeveledClass) {
    read.options.bloom_filter_fp_chance = 0.1;
  }
  WR_RETURN_IF_ERROR(CheckBounds(properties, read.options));
  // As in Cassandra, errors in other options are reported before an error in the id.
  WR_ASSIGN_OR_RETURN(const auto id, properties.Text("id"));
  if (!id) return read;
  read.id = Uuid::FromString(*id);
  if (!read.id) return ConfigErrorAt(properties.RangeOf("id"), "Invalid table id");
  if (!creating) return ConfigErrorAt(properties.RangeOf("id"), "Cannot alter table id.");
  return read;
}

}  // namespace widerow::ddl
