// LIST ROLES, USERS, SUPERUSERS and permissions. Each form checks the actor, collects names or grants from the catalog,
// and writes them with Cassandra's columns.
#include <algorithm>

#include "exec/access/role_statements.h"
#include "exec/rows/rows_writer.h"

namespace widerow {

namespace {

using Names = std::set<std::string, std::less<>>;
struct Column {
  const char* name;
  TypePtr type;
};

ResultColumnsPtr ColumnsIn(const char* table, const std::vector<Column>& columns) {
  auto result = std::make_shared<ResultColumns>();
  for (const Column& column : columns) result->push_back({"system_auth", table, column.name, column.type});
  return result;
}

ByteView Boolean(bool value) { return value ? ByteView("\1", 1) : ByteView("\0", 1); }

constexpr std::string_view kAllDatacenters = "ALL";

// Returns `role` and the roles granted to it. If `recursive`, also returns the roles granted to those.
Names RolesOf(const AccessCatalog& catalog, const std::string& role, bool recursive) {
  if (recursive) return catalog.Closure(role);
  Names names;
  if (const RoleSchema* const found = catalog.Find(role)) {
    names = found->member_of;
    names.insert(role);
  }
  return names;
}

RowsPage RolesPage(const AccessCatalog& catalog, const Names& names) {
  const TypePtr text = ScalarType(TypeKind::kText), boolean = ScalarType(TypeKind::kBoolean);
  RowsWriter rows;
  for (const std::string& name : names) {
    const RoleSchema& role = *catalog.Find(name);
    rows.Append(role.name);
    rows.Append(Boolean(role.superuser));
    rows.Append(Boolean(role.can_login));
    rows.Append(ByteView("\0\0\0\0", 4));  // No options: an empty map.
    rows.Append(kAllDatacenters);
    rows.EndRow();
  }
  return std::move(rows).Finish(ColumnsIn("roles", {{"role", text},
                                                    {"super", boolean},
                                                    {"login", boolean},
                                                    {"options", MapType(text, text)},
                                                    {"datacenters", text}}));
}

RowsPage UsersPage(const AccessCatalog& catalog, const Names& names) {
  const TypePtr text = ScalarType(TypeKind::kText), boolean = ScalarType(TypeKind::kBoolean);
  RowsWriter rows;
  for (const std::string& name : names) {
    if (!catalog.Find(name)->can_login) continue;
    rows.Append(name);
    rows.Append(Boolean(Rights(catalog, name).superuser()));
    rows.Append(kAllDatacenters);
    rows.EndRow();
  }
  return std::move(rows).Finish(ColumnsIn("users", {{"name", text}, {"super", boolean}, {"datacenters", text}}));
}

// Lists the superusers, including roles to which a superuser was granted.
RowsPage SuperusersPage(const AccessCatalog& catalog, const Names& names) {
  RowsWriter rows;
  for (const std::string& name : names) {
    if (!Rights(catalog, name).superuser()) continue;
    rows.Append(name);
    rows.EndRow();
  }
  return std::move(rows).Finish(ColumnsIn("superusers", {{"role", ScalarType(TypeKind::kText)}}));
}

Error NoSuchRole(const Identifier& role) {
  return InvalidAt(role.range, access::RoleResource(role.text).Text() + " doesn't exist");
}

Result<RoleEffect> ListRoles(const ListRolesStatement& statement, const RoleRequest& request) {
  const AccessCatalog& catalog = access::CatalogOf(request.schema);
  const Actor& actor = request.actor;
  const bool recursive = !statement.no_recursive;
  if (statement.of && catalog.Find(statement.of->text) == nullptr) return NoSuchRole(*statement.of);
  const bool all = actor.Has(Permission::kDescribe, {.kind = AccessResource::Kind::kAllRoles});
  Names names;
  if (statement.of) {
    if (!all && !actor.rights->Is(statement.of->text)) {
      return UnauthorizedError("You are not authorized to view roles granted to " + statement.of->text + " ",
                               "it takes DESCRIBE on <all roles>");
    }
    names = RolesOf(catalog, statement.of->text, recursive);
  } else if (all) {
    for (const auto& [name, role] : catalog.roles) names.insert(name);
    // If the role was dropped after the login, the list stays empty.
  } else if (actor.rights->Is(actor.role())) {
    names = RolesOf(catalog, actor.role(), recursive);
  }
  RoleEffect effect{.access = request.schema.access};
  if (names.empty()) return effect;
  switch (statement.kind) {
    case ListRolesStatement::Kind::kUsers: effect.rows = UsersPage(catalog, names); break;
    case ListRolesStatement::Kind::kSuperusers: effect.rows = SuperusersPage(catalog, names); break;
    default: effect.rows = RolesPage(catalog, names); break;
  }
  return effect;
}

Result<RoleEffect> ListPermissions(const ListRolesStatement& statement, const RoleRequest& request) {
  const AccessCatalog& catalog = access::CatalogOf(request.schema);
  const Actor& actor = request.actor;
  Names resources;  // Empty: all resources.
  if (statement.resource) {
    WR_ASSIGN_OR_RETURN(const AccessResource resource, access::ResolveResource(*statement.resource, request));
    if (!access::Exists(resource, request.schema)) return InvalidError(resource.Text() + " doesn't exist");
    resources.insert(resource.Name());
    for (auto at = resource.Parent(); at && !statement.no_recursive; at = at->Parent()) resources.insert(at->Name());
  }
  if (statement.of && catalog.Find(statement.of->text) == nullptr) return NoSuchRole(*statement.of);
  if (!actor.superuser() && !(statement.of && actor.rights->Is(statement.of->text))) {
    return UnauthorizedError(
        "You are not authorized to view " + (statement.of ? statement.of->text : "everyone") + "'s permissions",
        "LIST ALL PERMISSIONS OF " + actor.role() + " shows your own");
  }
  const auto wanted = [&](Permission permission) {
    return std::any_of(statement.permissions.begin(), statement.permissions.end(), [&](const std::string& name) {
      return name == "ALL PERMISSIONS" || name == PermissionName(permission);
    });
  };
  const Names of = statement.of ? catalog.Closure(statement.of->text) : Names();
  RowsWriter rows;
  for (const auto& [name, role] : catalog.roles) {
    if (statement.of && !of.contains(name)) continue;
    for (const auto& [resource, permissions] : role->permissions) {
      if (statement.resource && !resources.contains(resource)) continue;
      for (const Permission permission : permissions.List()) {
        if (!wanted(permission)) continue;
        rows.Append(name);
        rows.Append(name);
        rows.Append(AccessResource::FromName(resource).Text());
        rows.Append(PermissionName(permission));
        rows.EndRow();
      }
    }
  }
  RoleEffect effect{.access = request.schema.access};
  if (rows.rows() == 0) return effect;
  const TypePtr text = ScalarType(TypeKind::kText);
  effect.rows = std::move(rows).Finish(
      ColumnsIn("permissions", {{"role", text}, {"username", text}, {"resource", text}, {"permission", text}}));
  return effect;
}

}  // namespace

namespace access {

Result<RoleEffect> Apply(const ListRolesStatement& statement, const RoleRequest& request) {
  return statement.kind == ListRolesStatement::Kind::kPermissions ? ListPermissions(statement, request)
                                                                  : ListRoles(statement, request);
}

}  // namespace access

}  // namespace widerow
