// The options of a table: WITH comment = 'x' AND compaction = {…}. They are checked as Cassandra's TableParams,
// CachingParams, CompactionParams, CompressionParams and SpeculativeRetryPolicy do. Most have no effect here; they are
// stored and shown.
#pragma once

#include "planner/ddl/edit/apply_ddl.h"
#include "planner/ddl/edit/properties.h"
#include "types/schema.h"

namespace widerow::ddl {

struct TableProperties {
  TableOptions options;
  std::optional<Uuid> id;
  // Extensions. Drivers do not see them in the schema.
  std::optional<bool> auto_split;
  std::optional<int32_t> split_size_kb, split_operations;
  std::optional<std::string> tablegroup;  // ALTER only; "" takes the table out of its group.

  // Sets auto_split, split_size_kb, split_operations and tablegroup in `table`, as far as they are given.
  void ApplyTo(TableSchema& table) const;
};

// Refuses auto_split, split_size_kb and split_operations for tables without RANGE partitions. A dialect without
// extensions does not know these options.
Status CheckSplitOptions(const std::vector<Property>& written, const DdlContext& context, const TableSchema& table);

// Makes those checks of values for which no table is needed. Cassandra makes these checks before it looks for the
// keyspace and the table. Cassandra reports unknown names and values out of bounds later.
Status CheckTablePropertyValues(const std::vector<Property>& properties);

// Returns `base` with the given properties set. `creating`: defaults that depend on other options are filled in, and an
// id may be given (else kConfigError "Cannot alter table id.").
Result<TableProperties> ReadTableProperties(const std::vector<Property>& properties, const TableOptions& base,
                                            bool creating);

// Returns a warning that names the given properties that are stored and shown but have no effect; none in a dialect
// without extensions, or if there is no such property.
std::vector<std::string> WarnOfIdleProperties(const std::vector<Property>& properties, const std::string& table,
                                              const DdlContext& context);

// Each function checks one map or one text and brings it into the form that is stored and shown.
Status CheckCaching(SourceRange range, std::map<std::string, std::string>& caching);
Status CheckCompaction(SourceRange range, std::map<std::string, std::string>& compaction);
Status CheckCompression(SourceRange range, std::map<std::string, std::string>& compression);
Result<std::string> ReadSpeculativeRetry(SourceRange range, const std::string& text);

}  // namespace widerow::ddl
