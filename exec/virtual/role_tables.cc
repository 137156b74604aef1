// system_auth: roles, memberships, and permissions by role and by resource.
#include "exec/virtual/generators.h"
#include "types/access.h"

namespace widerow {

namespace {

template <typename Texts>
std::vector<std::string> ListOf(const Texts& texts) {
  return {texts.begin(), texts.end()};
}

const std::map<std::string, RolePtr, std::less<>>& RolesIn(const VirtualContext& context) {
  static const AccessCatalog kNone;
  return context.schema->access == nullptr ? kNone.roles : context.schema->access->roles;
}

}  // namespace

void RolesRows(const VirtualContext& context, VirtualRows& rows) {
  if (RolesIn(context).empty()) {
    rows.Add().Text("role", "cassandra").Boolean("can_login", true).Boolean("is_superuser", true);
  }
  for (const auto& [name, role] : RolesIn(context)) {
    if (!context.Wants(name)) continue;
    rows.Add().Text("role", name).Boolean("can_login", role->can_login).Boolean("is_superuser", role->superuser);
    if (!role->salted_hash.empty()) rows.Text("salted_hash", role->salted_hash);
    if (!role->member_of.empty()) rows.Texts("member_of", ListOf(role->member_of));
  }
}

void RoleMembersRows(const VirtualContext& context, VirtualRows& rows) {
  for (const auto& [name, role] : RolesIn(context)) {
    for (const std::string& of : role->member_of) {
      if (context.Wants(of)) rows.Add().Text("role", of).Text("member", name);
    }
  }
}

void RolePermissionsRows(const VirtualContext& context, VirtualRows& rows) {
  for (const auto& [name, role] : RolesIn(context)) {
    if (!context.Wants(name)) continue;
    for (const auto& [resource, permissions] : role->permissions) {
      std::set<std::string> names;
      for (const Permission permission : permissions.List()) names.emplace(PermissionName(permission));
      rows.Add().Text("role", name).Text("resource", resource).Texts("permissions", ListOf(names));
    }
  }
}

void ResourceRolesRows(const VirtualContext& context, VirtualRows& rows) {
  for (const auto& [name, role] : RolesIn(context)) {
    for (const auto& [resource, permissions] : role->permissions) {
      if (context.Wants(resource)) rows.Add().Text("resource", resource).Text("role", name);
    }
  }
}

void IdentitiesRows(const VirtualContext& context, VirtualRows& rows) {
  for (const auto& [name, role] : RolesIn(context)) {
    for (const std::string& identity : role->identities) {
      if (context.Wants(identity)) rows.Add().Text("identity", identity).Text("role", name);
    }
  }
}

}  // namespace widerow
