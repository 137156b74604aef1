// The options of a table: WITH comment = 'x' AND compaction = {…}, checked as Cassandra's TableParams, CachingParams,
// CompactionParams, CompressionParams and SpeculativeRetryPolicy do. Most mean nothing here; they are kept and shown.
#pragma once

#include "planner/ddl/edit/apply_ddl.h"
#include "planner/ddl/edit/properties.h"
#include "types/schema.h"

namespace widerow::ddl {

struct TableProperties {
  TableOptions options;
  std::optional<Uuid> id;
  // Extensions, which the schema of drivers does not have.
  std::optional<bool> auto_split;
  std::optional<int32_t> split_size_kb, split_operations;
  std::optional<std::string> tablegroup;  // ALTER; empty: none.

  // What of it does not go into `options`.
  void ApplyTo(TableSchema& table) const;
};

// auto_split, split_size_kb and split_operations are about RANGE partitions: others are refused. Nothing of it is known where
// there are no extensions.
Status CheckSplitOptions(const std::vector<Property>& written, const DdlContext& context, const TableSchema& table);

// `base` with what is given put over it. `creating`: defaults that depend on other options are filled in, and an id may
// be given (kConfigError "Cannot alter table id." otherwise).
Result<TableProperties> ReadTableProperties(const std::vector<Property>& properties, const TableOptions& base,
                                            bool creating);

// Each checks one map, or one text, and brings it into the form that is stored and shown.
Status CheckCaching(SourceRange range, std::map<std::string, std::string>& caching);
Status CheckCompaction(SourceRange range, std::map<std::string, std::string>& compaction);
Status CheckCompression(SourceRange range, std::map<std::string, std::string>& compression);
Result<std::string> ReadSpeculativeRetry(SourceRange range, const std::string& text);

}  // namespace widerow::ddl
