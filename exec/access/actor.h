// The originator of a statement where login is required: a role with its rights, or the process itself, which may do
// anything.
#pragma once

#include "exec/access/rights.h"

namespace widerow {

struct Actor {
  RightsPtr rights;  // Null: the process itself.

  bool trusted() const { return rights == nullptr; }
  bool superuser() const { return trusted() || rights->superuser(); }
  bool Has(Permission permission, const AccessResource& resource) const {
    return trusted() || rights->Has(permission, resource);
  }
  // Returns the role's name; empty: the process itself.
  std::string role() const { return trusted() ? std::string() : rights->role(); }
  // Returns the owner of the keyspaces, tables and roles that the statement creates; empty: no owner. The server itself
  // also runs statements, under a name that a role of the catalog may have, too. It owns nothing.
  std::string owner() const { return trusted() || !rights->Is(rights->role()) ? std::string() : rights->role(); }
};

}  // namespace widerow
