// GRANT and REVOKE of roles and of permissions. Apply resolves the resource, checks in Cassandra's order that the
// permissions apply to it, that its keyspace allows them and that the actor may pass them on, and then changes the
// catalog.
#include "base/overloaded.h"
#include "exec/access/role_statements.h"
#include "planner/system_keyspaces.h"

namespace widerow {

namespace {

using Kind = AccessResource::Kind;

PermissionSet PermissionsOf(const std::vector<std::string>& names) {
  PermissionSet set;
  for (const std::string& name : names) {
    if (name == "ALL PERMISSIONS") return PermissionSet::FromBits(~0u);
    if (const std::optional<Permission> permission = PermissionNamed(name)) set.Add(*permission);
  }
  return set;
}

Kind KindOf(const Resource& resource) {
  const std::string& kind = resource.kind;
  if (kind == "ALL KEYSPACES") return Kind::kAllKeyspaces;
  if (kind == "KEYSPACE") return Kind::kKeyspace;
  if (kind == "ALL TABLES IN KEYSPACE") return Kind::kAllTables;
  if (kind == "ALL ROLES") return Kind::kAllRoles;
  if (kind == "ROLE") return Kind::kRole;
  if (kind == "ALL FUNCTIONS") return Kind::kAllFunctions;
  if (kind == "ALL FUNCTIONS IN KEYSPACE") return Kind::kKeyspaceFunctions;
  if (kind == "FUNCTION") return Kind::kFunction;
  if (kind == "ALL MBEANS") return Kind::kAllMBeans;
  if (kind == "MBEAN" || kind == "MBEANS") return Kind::kMBean;
  return Kind::kTable;
}

// Returns the name of Cassandra's class for the resource.
const char* ClassOf(const AccessResource& resource) {
  switch (resource.kind) {
    case Kind::kAllKeyspaces:
    case Kind::kKeyspace:
    case Kind::kAllTables:
    case Kind::kTable: return "DataResource";
    case Kind::kAllRoles:
    case Kind::kRole: return "RoleResource";
    case Kind::kAllFunctions:
    case Kind::kKeyspaceFunctions:
    case Kind::kFunction: return "FunctionResource";
    case Kind::kAllMBeans:
    case Kind::kMBean: return "JMXResource";
  }
  return "";
}

std::string NamesOf(PermissionSet permissions) {
  std::string names;
  for (const Permission permission : permissions.List()) {
    names += (names.empty() ? "" : ", ") + std::string(PermissionName(permission));
  }
  return names;
}

Result<RoleEffect> ApplyToRole(const GrantStatement& statement, const RoleRequest& request) {
  const AccessCatalog& catalog = access::CatalogOf(request.schema);
  const std::string& granted = statement.granted_role->text;
  const std::string& role = statement.role.text;
  WR_RETURN_IF_ERROR(access::RequireForRoles(Permission::kAuthorize, access::RoleResource(granted), request.actor));
  WR_RETURN_IF_ERROR(
      access::RequireForSuperusers(statement.revoke ? "revoke" : "grant", catalog, granted, request.actor));
  for (const Identifier* name : {&*statement.granted_role, &statement.role}) {
    if (catalog.Find(name->text) == nullptr) return InvalidAt(name->range, name->text + " doesn't exist");
  }
  RoleSchema changed = *catalog.Find(role);
  if (statement.revoke) {
    if (changed.member_of.erase(granted) == 0) {
      return InvalidAt(statement.role.range, role + " is not a member of " + granted);
    }
  } else {
    if (catalog.Closure(role).contains(granted)) {
      return InvalidAt(statement.role.range, role + " is a member of " + granted);
    }
    if (catalog.Closure(granted).contains(role)) {
      return InvalidAt(statement.role.range, granted + " is a member of " + role, "roles are not granted in a circle");
    }
    changed.member_of.insert(granted);
  }
  return RoleEffect{.access = access::With(catalog, std::move(changed))};
}

// Fails if GRANT gives other permissions than SELECT and ALTER on a system keyspace that is not virtual. Never fails
// for REVOKE.
Status CheckOwnKeyspaces(const GrantStatement& statement, PermissionSet asked, const AccessResource& resource) {
  constexpr PermissionSet kAllowed{Permission::kSelect, Permission::kAlter};
  const bool data =
      resource.kind == Kind::kKeyspace || resource.kind == Kind::kAllTables || resource.kind == Kind::kTable;
  const bool own = data && IsSystemKeyspace(resource.keyspace) && !IsVirtualKeyspace(resource.keyspace);
  if (statement.revoke || !own || (asked - kAllowed).empty()) return OkStatus();
  return UnauthorizedError(
      "Granting permissions on system keyspaces is strictly limited, this operation is not permitted",
      "SELECT can be granted on them");
}

// Fails unless the actor has AUTHORIZE and all `permissions`, which are those of the GRANT or REVOKE.
Status RequireToPassOn(PermissionSet permissions, const AccessResource& resource, const Actor& actor) {
  if (actor.trusted()) return OkStatus();
  permissions.Add(Permission::kAuthorize);
  if (!actor.Has(Permission::kAuthorize, resource))
    return MissingPermission(actor.role(), Permission::kAuthorize, resource);
  for (const Permission permission : permissions.List()) {
    if (!actor.Has(permission, resource)) return MissingPermission(actor.role(), permission, resource);
  }
  return OkStatus();
}

}  // namespace

namespace access {

Result<AccessResource> ResolveResource(const Resource& resource, const RoleRequest& request) {
  AccessResource resolved{.kind = KindOf(resource)};
  if (!resource.name) return resolved;
  const QualifiedName& name = *resource.name;
  switch (resolved.kind) {
    case Kind::kRole:
    case Kind::kMBean: resolved.name = name.name.text; return resolved;
    case Kind::kTable:
    case Kind::kFunction: break;
    default: resolved.keyspace = name.name.text; return resolved;
  }
  if (!name.keyspace && request.current_keyspace.empty()) {
    return InvalidAt(name.range,
                     "No keyspace has been specified. USE a keyspace, or explicitly specify keyspace.tablename");
  }
  resolved.keyspace = name.keyspace ? name.keyspace->text : request.current_keyspace;
  resolved.name = name.name.text;
  return resolved;
}

Status CheckApplicable(const GrantStatement& statement) {
  if (statement.granted_role) return OkStatus();
  const AccessResource resource{.kind = KindOf(*statement.resource)};
  if (!(PermissionsOf(statement.permissions) & resource.Applicable()).empty()) return OkStatus();
  return Error{.code = ErrorCode::kSyntaxError,
               .message = std::string("Resource type ") + ClassOf(resource) +
                          " does not support any of the requested permissions",
               .hint = "there are " + NamesOf(resource.Applicable())};
}

bool Exists(const AccessResource& resource, const SchemaSnapshot& schema) {
  switch (resource.kind) {
    case Kind::kAllKeyspaces:
    case Kind::kAllRoles:
    case Kind::kAllFunctions:
    case Kind::kAllMBeans: return true;
    case Kind::kKeyspace:
    case Kind::kAllTables:
    case Kind::kKeyspaceFunctions: return schema.FindKeyspace(resource.keyspace) != nullptr;
    case Kind::kTable: return schema.FindTable(resource.keyspace, resource.name) != nullptr;
    case Kind::kRole: return CatalogOf(schema).Find(resource.name) != nullptr;
    case Kind::kFunction:
    case Kind::kMBean: return false;  // These resources do not exist here.
  }
  return false;
}

Result<RoleEffect> Apply(const GrantStatement& statement, const RoleRequest& request) {
  if (statement.granted_role) return ApplyToRole(statement, request);
  WR_RETURN_IF_ERROR(CheckApplicable(statement));
  WR_ASSIGN_OR_RETURN(const AccessResource resource, ResolveResource(*statement.resource, request));
  const PermissionSet asked = PermissionsOf(statement.permissions) & resource.Applicable();
  WR_RETURN_IF_ERROR(CheckOwnKeyspaces(statement, asked, resource));
  WR_RETURN_IF_ERROR(RequireToPassOn(asked, resource, request.actor));
  const AccessCatalog& catalog = CatalogOf(request.schema);
  const std::string& role = statement.role.text;
  const RoleSchema* const found = catalog.Find(role);
  if (found == nullptr) return InvalidAt(statement.role.range, "Role " + role + " doesn't exist");
  if (resource.kind == Kind::kFunction && resource.keyspace == "system") {
    return InvalidError("Altering permissions on builtin functions is not supported", "everybody may call them");
  }
  if (!Exists(resource, request.schema)) return InvalidError("Resource " + resource.Text() + " doesn't exist");
  RoleSchema changed = *found;
  PermissionSet& held = changed.permissions[resource.Name()];
  const PermissionSet idle = statement.revoke ? asked - held : asked & held;
  RoleEffect effect{.access = request.schema.access};
  if (!idle.empty()) {
    effect.warnings.push_back("Role '" + role + "' was " + (statement.revoke ? "not" : "already") + " granted " +
                              NamesOf(idle) + " on " + resource.Text());
  }
  if (idle == asked) return effect;
  held = statement.revoke ? held - asked : held | asked;
  if (held.empty()) changed.permissions.erase(resource.Name());
  effect.access = With(catalog, std::move(changed));
  return effect;
}

}  // namespace access

}  // namespace widerow
