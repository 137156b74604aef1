// What CREATE and ALTER ROLE and USER say about a role.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "parser/ast_role.h"

namespace widerow {

struct RoleSettings {
  std::optional<bool> superuser, login;
  std::optional<std::string> password, hash;
  bool generated = false;
  bool datacenters = false, cidrs = false, options = false;  // ACCESS TO …, ACCESS FROM … or OPTIONS is said.

  bool empty() const;
  // Those that a role may not change of itself, as Cassandra names them.
  std::vector<std::string> NotOnesOwn() const;
};

RoleSettings ReadRoleSettings(const std::vector<RoleOption>& options);
// Refuses what Cassandra's role manager does not know (OPTIONS), hashes that are none, datacenters and CIDR groups that are not
// there. All there is is the datacenter of this server: access to it is access to everything, so it is not kept.
Status CheckRoleOptions(const std::vector<RoleOption>& options);

}  // namespace widerow
