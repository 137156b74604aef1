// The options of a table: WITH comment = 'x' AND compaction = {…}, checked as Cassandra's TableParams, CachingParams,
// CompactionParams, CompressionParams and SpeculativeRetryPolicy do. Most mean nothing here; they are kept and shown.
#pragma once

#include "planner/ddl/properties.h"
#include "types/schema.h"

namespace widerow::ddl {

struct TableProperties {
  TableOptions options;
  std::optional<Uuid> id;
};

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
