#include "planner/ddl/keyspace/replication.h"

#include "base/text.h"
#include "planner/ddl/edit/schema_edit.h"

namespace widerow::ddl {

namespace {

using ReplicationMap = std::map<std::string, std::string>;

constexpr std::string_view kLocator = "org.apache.cassandra.locator.";
constexpr const char* kFactor = "replication_factor";

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

Error Unrecognized(SourceRange range, const std::string& option, const char* strategy, const std::string& keyspace,
                   std::string hint = {}) {
  Error error = ConfigErrorAt(
      range, StrCat("Unrecognized strategy option {", option, "} passed to ", strategy, " for keyspace ", keyspace));
  error.hint = std::move(hint);
  return error;
}

// Checks the options of SimpleStrategy and fills in the replication factor. `before` has the options that ALTER
// KEYSPACE replaces; it is empty for CREATE KEYSPACE.
Status CheckSimple(SourceRange range, const std::string& keyspace, const ReplicationMap& before,
                   ReplicationMap& options, std::vector<std::string>& warnings) {
  const auto kept = before.find(kFactor);
  options.try_emplace(kFactor, kept == before.end() ? "1" : kept->second);
  WR_ASSIGN_OR_RETURN(const int32_t factor, ReadFactor(range, options[kFactor]));
  for (const auto& [name, value] : options) {
    if (name != "class" && name != kFactor) return Unrecognized(range, name, "SimpleStrategy", keyspace);
  }
  if (factor > 1) warnings.push_back(Warning(factor, keyspace));
  return OkStatus();
}

// Gives the datacenter a factor if the options do not name the datacenter. As in Cassandra, replication_factor does not
// change a factor that the datacenter already has.
Status CompleteTopology(SourceRange range, const std::string& datacenter, const ReplicationMap& before,
                        ReplicationMap& options) {
  const auto all = options.extract(kFactor);
  if (all.empty() && options.size() > 1) return OkStatus();
  int32_t factor = 1;
  if (!all.empty()) { WR_ASSIGN_OR_RETURN(factor, ReadFactor(range, all.mapped())); }
  if (const auto kept = before.find(datacenter); kept != before.end()) options.insert(*kept);
  if (const auto kept = before.find(kFactor); kept != before.end() && all.empty()) {
    options.try_emplace(datacenter, kept->second);
  }
  options.try_emplace(datacenter, std::to_string(factor));
  return OkStatus();
}

Status CheckTopology(SourceRange range, const std::string& keyspace, const std::string& datacenter,
                     const ReplicationMap& before, ReplicationMap& options, std::vector<std::string>& warnings) {
  WR_RETURN_IF_ERROR(CompleteTopology(range, datacenter, before, options));
  std::erase_if(options, [](const auto& option) { return option.second == "0"; });
  if (options.size() == 1) return ConfigErrorAt(range, "Configuration for at least one datacenter must be present");
  for (const auto& [name, value] : options) {
    if (name == "class") continue;
    WR_ASSIGN_OR_RETURN(const int32_t factor, ReadFactor(range, value));
    if (factor > 1 && name == datacenter) warnings.push_back(Warning(factor, keyspace) + " for datacenter " + name);
  }
  for (const auto& [name, value] : options) {
    if (name == "class" || name == datacenter) continue;
    return Unrecognized(
        range, name, "NetworkTopologyStrategy", keyspace,
        StrCat("the datacenter of this server is ", datacenter, ": name it, or give replication_factor, ",
               "which names every datacenter; widerow serve --datacenter gives it another name"));
  }
  return OkStatus();
}

}  // namespace

Status ReadKeyspaceOptions(const Properties& properties, const std::string& datacenter, KeyspaceSchema& keyspace,
                           std::vector<std::string>& warnings) {
  WR_ASSIGN_OR_RETURN(const auto durable_writes, properties.Boolean("durable_writes"));
  keyspace.durable_writes = durable_writes.value_or(keyspace.durable_writes);
  WR_ASSIGN_OR_RETURN(auto replication, properties.Map("replication"));
  if (!replication || replication->empty()) return OkStatus();
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
    WR_RETURN_IF_ERROR(CheckSimple(range, keyspace.name, keyspace.replication, *replication, warnings));
  } else if (short_name == "NetworkTopologyStrategy") {
    WR_RETURN_IF_ERROR(CheckTopology(range, keyspace.name, datacenter, keyspace.replication, *replication, warnings));
  } else if (short_name == "OldNetworkTopologyStrategy") {
    return ConfigErrorAt(range,
                         "The support for the OldNetworkTopologyStrategy has been removed in C* version 4.0. The "
                         "keyspace strategy should be switch to NetworkTopologyStrategy");
  } else {
    return ConfigErrorAt(range, "Unable to find replication strategy class '" + strategy + "'");
  }
  keyspace.replication = std::move(*replication);
  return OkStatus();
}

}  // namespace widerow::ddl
