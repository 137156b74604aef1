#include "planner/ddl/keyspace/replication.h"

#include "planner/ddl/edit/schema_edit.h"

namespace widerow::ddl {

namespace {

using ReplicationMap = std::map<std::string, std::string>;

constexpr std::string_view kLocator = "org.apache.cassandra.locator.";
// The data centre that this server reports.
constexpr const char* kDataCentre = "datacenter1";

// Reads a replication factor. Errors are the sentences of Cassandra's ReplicationFactor.
Result<int32_t> ReadFactor(SourceRange range, const std::string& text) {
  if (text.find('/') != std::string::npos)
    return ConfigErrorAt(range, "Transient replication is not enabled on this node");
  const auto factor = ParseInt(text);
  if (!factor) return ConfigErrorAt(range, "For input string: \"" + text + "\"");
  if (*factor < 0) return ConfigErrorAt(range, "Replication factor must be non-negative, found " + text);
  return *factor;
}

std::string Warning(int32_t factor, const std::string& keyspace) {
  return "Your replication factor " + std::to_string(factor) + " for keyspace " + keyspace +
         " is higher than the number of nodes 1";
}

Status CheckSimple(SourceRange range, const std::string& keyspace, ReplicationMap& options,
                   std::vector<std::string>& warnings) {
  options.try_emplace("replication_factor", "1");
  for (const auto& [name, value] : options) {
    if (name == "class" || name == "replication_factor") continue;
    return ConfigErrorAt(
        range, "Unrecognized strategy option {" + name + "} passed to SimpleStrategy for keyspace " + keyspace);
  }
  WR_ASSIGN_OR_RETURN(const int32_t factor, ReadFactor(range, options["replication_factor"]));
  if (factor > 1) warnings.push_back(Warning(factor, keyspace));
  return OkStatus();
}

Status CheckTopology(SourceRange range, const std::string& keyspace, ReplicationMap& options,
                     std::vector<std::string>& warnings) {
  // replication_factor applies to every data centre that is not named.
  if (const auto all = options.extract("replication_factor"); !all.empty()) {
    options.try_emplace(kDataCentre, all.mapped());
  }
  if (options.size() == 1) options.emplace(kDataCentre, "1");
  bool any = false;
  for (const auto& [name, value] : options) {
    if (name == "class") continue;
    WR_ASSIGN_OR_RETURN(const int32_t factor, ReadFactor(range, value));
    any = any || factor > 0;
    if (factor > 1 && name == kDataCentre) warnings.push_back(Warning(factor, keyspace) + " for datacenter " + name);
  }
  if (!any) return ConfigErrorAt(range, "Configuration for at least one datacenter must be present");
  return OkStatus();
}

}  // namespace

Status ReadKeyspaceOptions(const Properties& properties, KeyspaceSchema& keyspace, std::vector<std::string>& warnings) {
  WR_ASSIGN_OR_RETURN(const auto durable_writes, properties.Boolean("durable_writes"));
  keyspace.durable_writes = durable_writes.value_or(keyspace.durable_writes);
  WR_ASSIGN_OR_RETURN(auto replication, properties.Map("replication"));
  if (!replication) return OkStatus();
  const SourceRange range = properties.RangeOf("replication");
  const auto given = replication->find("class");
  if (given == replication->end()) return ConfigErrorAt(range, "Missing replication strategy class");
  std::string& strategy = given->second;
  if (strategy.find('.') == std::string::npos) strategy.insert(0, kLocator);
  const std::string_view short_name =
      strategy.starts_with(kLocator) ? std::string_view(strategy).substr(kLocator.size()) : std::string_view();
  if (short_name == "LocalStrategy") {
    return InvalidAt(range, "Unable to use given strategy class: LocalStrategy is reserved for internal use.");
  }
  if (short_name == "SimpleStrategy") {
    WR_RETURN_IF_ERROR(CheckSimple(range, keyspace.name, *replication, warnings));
  } else if (short_name == "NetworkTopologyStrategy") {
    WR_RETURN_IF_ERROR(CheckTopology(range, keyspace.name, *replication, warnings));
  } else {
    return ConfigErrorAt(range, "Unable to find replication strategy class '" + strategy + "'");
  }
  keyspace.replication = std::move(*replication);
  return OkStatus();
}

}  // namespace widerow::ddl
