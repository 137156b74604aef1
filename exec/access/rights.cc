#include "exec/access/rights.h"

#include "base/text.h"
#include "planner/system_keyspaces.h"
#include "types/type.h"

namespace widerow {

namespace {

using Kind = AccessResource::Kind;

// Returns the resource as GRANT names it.
std::string InStatements(const AccessResource& resource) {
  switch (resource.kind) {
    case Kind::kAllKeyspaces: return "ALL KEYSPACES";
    case Kind::kKeyspace: return "KEYSPACE " + QuoteIdentifier(resource.keyspace);
    case Kind::kAllTables: return "ALL TABLES IN KEYSPACE " + QuoteIdentifier(resource.keyspace);
    case Kind::kTable: return "TABLE " + QuoteIdentifier(resource.keyspace) + "." + QuoteIdentifier(resource.name);
    case Kind::kAllRoles: return "ALL ROLES";
    case Kind::kRole: return "ROLE " + QuoteIdentifier(resource.name);
    case Kind::kAllFunctions: return "ALL FUNCTIONS";
    case Kind::kKeyspaceFunctions: return "ALL FUNCTIONS IN KEYSPACE " + QuoteIdentifier(resource.keyspace);
    case Kind::kFunction: return "FUNCTION " + QuoteIdentifier(resource.keyspace) + "." + resource.name;
    case Kind::kAllMBeans: return "ALL MBEANS";
    case Kind::kMBean: return "MBEAN '" + resource.name + "'";
  }
  return {};
}

}  // namespace

Rights::Rights(const AccessCatalog& catalog, std::string_view role, const AddedPermissions& added)
    : role_(role), roles_(catalog.Closure(role)) {
  for (const std::string& name : roles_) {
    const RoleSchema& granted = *catalog.Find(name);
    superuser_ = superuser_ || granted.superuser;
    for (const auto& [resource, permissions] : granted.permissions) Add(resource, permissions);
  }
  for (const auto& [resource, permissions] : added) Add(resource, permissions);
}

void Rights::Add(const std::string& resource, PermissionSet permissions) {
  PermissionSet& all = by_resource_[resource];
  all = all | permissions;
  const AccessResource parsed = AccessResource::FromName(resource);
  switch (parsed.kind) {
    case Kind::kAllKeyspaces: everywhere_ = everywhere_ | permissions; break;
    case Kind::kKeyspace:
    case Kind::kAllTables: {
      PermissionSet& own = keyspaces_[parsed.keyspace].own;
      own = own | permissions;
      break;
    }
    case Kind::kTable: {
      PermissionSet& on_table = keyspaces_[parsed.keyspace].tables[parsed.name];
      on_table = on_table | permissions;
      break;
    }
    default: break;
  }
}

bool Rights::Has(Permission permission, const AccessResource& resource) const {
  const bool own = IsSystemKeyspace(resource.keyspace);
  std::optional<AccessResource> at = resource;
  for (; at; at = at->Parent()) {
    if (own && at->kind == Kind::kAllKeyspaces && !superuser_) return false;
    if (superuser_) {
      if (at->Applicable().Has(permission)) return true;
      continue;
    }
    const auto found = by_resource_.find(at->Name());
    if (found != by_resource_.end() && found->second.Has(permission)) return true;
  }
  return false;
}

bool Rights::HasOnTable(Permission permission, std::string_view keyspace, std::string_view table) const {
  if (superuser_) return true;
  if (everywhere_.Has(permission) && !IsSystemKeyspace(keyspace)) return true;
  const auto on_keyspace = keyspaces_.find(keyspace);
  if (on_keyspace == keyspaces_.end()) return false;
  if (on_keyspace->second.own.Has(permission)) return true;
  const auto on_table = on_keyspace->second.tables.find(table);
  return on_table != on_keyspace->second.tables.end() && on_table->second.Has(permission);
}

Error UnauthorizedError(std::string message, std::string hint) {
  return {.code = ErrorCode::kUnauthorized, .message = std::move(message), .hint = std::move(hint)};
}

Error MissingPermission(std::string_view role, Permission permission, const AccessResource& resource) {
  const std::string name(PermissionName(permission));
  return UnauthorizedError(
      StrCat("User ", role, " has no ", name, " permission on ", resource.Text(), " or any of its parents"),
      StrCat("a role that may says GRANT ", name, " ON ", InStatements(resource), " TO ",
             QuoteIdentifier(std::string(role))));
}

}  // namespace widerow
