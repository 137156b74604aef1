// The rights of a role, including those of the roles granted to it. They are computed once from the catalog of roles,
// and checked at every request. Immutable.
#pragma once

#include "base/bytes_map.h"
#include "base/result.h"
#include "types/access.h"

namespace widerow {

// Permissions that the server adds to those of a role. The key is AccessResource::Name() of the resource.
using AddedPermissions = std::map<std::string, PermissionSet, std::less<>>;

class Rights {
 public:
  // A role that does not exist has no rights but the added ones.
  Rights(const AccessCatalog& catalog, std::string_view role, const AddedPermissions& added = {});

  const std::string& role() const { return role_; }
  // True if the role, or a role granted to it, is a superuser.
  bool superuser() const { return superuser_; }
  // True if the role, or a role granted to it, is `role`.
  bool Is(std::string_view role) const { return roles_.contains(role); }

  // True if the role has the permission on the resource or on a parent of it. A grant on all keyspaces does not cover
  // the server's own keyspaces. A superuser has every permission that can be granted on the resource.
  bool Has(Permission permission, const AccessResource& resource) const;
  // Does what Has does, for a table, but faster.
  bool HasOnTable(Permission permission, std::string_view keyspace, std::string_view table) const;

 private:
  struct OnKeyspace {
    PermissionSet own;  // Permissions on the keyspace or on all its tables.
    BytesMap<PermissionSet> tables;
  };
  void Add(const std::string& resource, PermissionSet permissions);

  const std::string role_;
  std::set<std::string, std::less<>> roles_;
  bool superuser_ = false;
  PermissionSet everywhere_;  // Permissions on all keyspaces except the server's own.
  BytesMap<OnKeyspace> keyspaces_;
  std::map<std::string, PermissionSet, std::less<>> by_resource_;  // Every grant, by resource name.
};
using RightsPtr = std::shared_ptr<const Rights>;

// Returns "User r has no SELECT permission on <table ks.t> or any of its parents", with a GRANT statement as hint.
Error MissingPermission(std::string_view role, Permission permission, const AccessResource& resource);
Error UnauthorizedError(std::string message, std::string hint = {});

}  // namespace widerow
