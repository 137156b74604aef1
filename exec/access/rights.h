// What a role may do, with all that it has been granted: made of the catalog of roles once, asked at every request.
// Immutable.
#pragma once

#include "base/result.h"
#include "types/access.h"

namespace widerow {

class Rights {
 public:
  // Those of a role that does not exist are none.
  Rights(const AccessCatalog& catalog, std::string_view role);

  const std::string& role() const { return role_; }
  // It or a role granted to it is one.
  bool superuser() const { return superuser_; }
  // It, or a role granted to it, is `role`.
  bool Is(std::string_view role) const { return roles_.contains(role); }

  // On the resource or on one above it; what is granted on all keyspaces is not about the server's own. A superuser has
  // everything that can be granted on it.
  bool Has(Permission permission, const AccessResource& resource) const;
  // Has() of a table, quickly.
  bool HasOnTable(Permission permission, std::string_view keyspace, std::string_view table) const;

 private:
  struct OnKeyspace {
    PermissionSet own;  // On the keyspace or on all its tables.
    std::map<std::string, PermissionSet, std::less<>> tables;
  };
  void Add(const std::string& resource, PermissionSet permissions);

  const std::string role_;
  std::set<std::string, std::less<>> roles_;
  bool superuser_ = false;
  PermissionSet everywhere_;  // On all keyspaces but the server's own.
  std::map<std::string, OnKeyspace, std::less<>> keyspaces_;
  std::map<std::string, PermissionSet, std::less<>> by_resource_;  // All, by name.
};
using RightsPtr = std::shared_ptr<const Rights>;

// "User r has no SELECT permission on <table ks.t> or any of its parents", with the statement that would grant it.
Error MissingPermission(std::string_view role, Permission permission, const AccessResource& resource);
Error UnauthorizedError(std::string message, std::string hint = {});

}  // namespace widerow
