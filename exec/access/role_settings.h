// The settings of a role in CREATE ROLE, ALTER ROLE, CREATE USER and ALTER USER.
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
  bool datacenters = false, cidrs = false, options = false;  // ACCESS TO …, ACCESS FROM … or OPTIONS is given.

  bool empty() const;
  // Returns the settings that a role may not change for itself, with Cassandra's names.
  std::vector<std::string> NotOnesOwn() const;
};

// Reads the options of a statement.
RoleSettings ReadRoleSettings(const std::vector<RoleOption>& options);
// Fails for options that Cassandra's role manager does not accept (OPTIONS), for malformed or too expensive hashes, and
// for unknown datacenters and CIDR groups. This server has one datacenter, so access to it is access to everything and
// is not stored.
Status CheckRoleOptions(const std::vector<RoleOption>& options, const std::string& datacenter);

}  // namespace widerow
