#include "exec/access/schema_grants.h"

#include <algorithm>

namespace widerow {

namespace {

struct Differences {
  std::vector<AccessResource> made;
  std::vector<std::string> gone_tables;     // Resource names of dropped tables.
  std::vector<std::string> gone_keyspaces;  // Names of dropped keyspaces.
};

void CompareTables(const KeyspaceSchema* was, const KeyspaceSchema& is, Differences& out) {
  for (const auto& [name, table] : is.tables) {
    if (was != nullptr && was->tables.contains(name)) continue;
    if (table->view != nullptr) continue;  // As in Cassandra, the creator of a view gets no permissions on it.
    out.made.push_back({.kind = AccessResource::Kind::kTable, .keyspace = is.name, .name = name});
  }
  if (was == nullptr) return;
  for (const auto& [name, table] : was->tables) {
    if (!is.tables.contains(name))
      out.gone_tables.push_back(
          AccessResource{.kind = AccessResource::Kind::kTable, .keyspace = is.name, .name = name}.Name());
  }
}

Differences Compare(const SchemaSnapshot& before, const SchemaSnapshot& after) {
  Differences out;
  for (const auto& [name, keyspace] : after.keyspaces) {
    const KeyspaceSchema* const was = before.FindKeyspace(name);
    if (was == keyspace.get()) continue;
    if (was == nullptr) {
      out.made.push_back({.kind = AccessResource::Kind::kKeyspace, .keyspace = name});
      out.made.push_back({.kind = AccessResource::Kind::kKeyspaceFunctions, .keyspace = name});
    }
    CompareTables(was, *keyspace, out);
  }
  for (const auto& [name, keyspace] : before.keyspaces) {
    if (!after.keyspaces.contains(name)) out.gone_keyspaces.push_back(name);
  }
  return out;
}

bool IsGone(const std::string& resource, const Differences& differences) {
  const std::vector<std::string>& tables = differences.gone_tables;
  if (std::find(tables.begin(), tables.end(), resource) != tables.end()) return true;
  return std::any_of(
      differences.gone_keyspaces.begin(), differences.gone_keyspaces.end(), [&](const std::string& keyspace) {
        for (const std::string& own : {"data/" + keyspace, "functions/" + keyspace}) {
          if (resource.starts_with(own) && (resource.size() == own.size() || resource[own.size()] == '/')) return true;
        }
        return false;
      });
}

}  // namespace

SchemaPtr WithSchemaGrants(const SchemaSnapshot& before, const SchemaPtr& after, const std::string& creator) {
  if (after->access == nullptr) return after;
  const Differences differences = Compare(before, *after);
  auto catalog = std::make_shared<AccessCatalog>(*after->access);
  bool changed = false;
  if (!differences.gone_tables.empty() || !differences.gone_keyspaces.empty()) {
    for (auto& [name, role] : catalog->roles) {
      RoleSchema left = *role;
      std::erase_if(left.permissions, [&](const auto& entry) { return IsGone(entry.first, differences); });
      if (left.permissions.size() == role->permissions.size()) continue;
      role = std::make_shared<const RoleSchema>(std::move(left));
      changed = true;
    }
  }
  const auto found = catalog->roles.find(creator);
  if (found != catalog->roles.end() && !differences.made.empty()) {
    RoleSchema owner = *found->second;
    for (const AccessResource& resource : differences.made) owner.permissions[resource.Name()] = resource.Applicable();
    found->second = std::make_shared<const RoleSchema>(std::move(owner));
    changed = true;
  }
  if (!changed) return after;
  auto next = std::make_shared<SchemaSnapshot>(*after);
  next->access = std::move(catalog);
  return next;
}

}  // namespace widerow
