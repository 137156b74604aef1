// Statements about roles, users, permissions and identities.
#pragma once

#include "parser/ast_term.h"

namespace widerow {

struct RoleOption {  // PASSWORD = 'x', HASHED PASSWORD, LOGIN = true, SUPERUSER, OPTIONS = {…}, ACCESS TO …, ….
  // Lower-case words: "password", "hashed password", "generated password", "access to datacenters", ….
  std::string name;
  std::vector<Term> value;  // None or one term.
  friend bool operator==(const RoleOption&, const RoleOption&) = default;
};
struct CreateRoleStatement {  // Also CREATE USER (`user` is true).
  bool user = false;
  Identifier name;
  bool if_not_exists = false;
  std::vector<RoleOption> options;
  friend bool operator==(const CreateRoleStatement&, const CreateRoleStatement&) = default;
};
struct AlterRoleStatement {
  bool user = false;
  Identifier name;
  bool if_exists = false;
  std::vector<RoleOption> options;
  friend bool operator==(const AlterRoleStatement&, const AlterRoleStatement&) = default;
};
struct DropRoleStatement {
  bool user = false;
  Identifier name;
  bool if_exists = false;
  friend bool operator==(const DropRoleStatement&, const DropRoleStatement&) = default;
};
struct Resource {    // ALL KEYSPACES, KEYSPACE ks, TABLE ks.t, ALL ROLES, ROLE r, ALL FUNCTIONS [IN KEYSPACE ks], ….
  std::string kind;  // The words without names, in upper case: "ALL KEYSPACES", "KEYSPACE", "TABLE", ….
  std::optional<QualifiedName> name;
  std::optional<std::vector<TypeName>> arguments;  // FUNCTION only.
  friend bool operator==(const Resource&, const Resource&) = default;
};
struct GrantStatement {  // GRANT and REVOKE: of permissions on a resource, or of a role (`granted_role` is set).
  bool revoke = false;
  std::vector<std::string> permissions;  // In upper case. ALL is "ALL PERMISSIONS".
  std::optional<Resource> resource;
  std::optional<Identifier> granted_role;
  Identifier role;
  friend bool operator==(const GrantStatement&, const GrantStatement&) = default;
};
struct ListRolesStatement {  // LIST ROLES | USERS | SUPERUSERS | permissions.
  enum class Kind : uint8_t { kRoles, kUsers, kPermissions, kSuperusers };
  Kind kind = Kind::kRoles;
  std::vector<std::string> permissions;
  std::optional<Resource> resource;
  std::optional<Identifier> of;
  bool no_recursive = false;
  friend bool operator==(const ListRolesStatement&, const ListRolesStatement&) = default;
};
struct IdentityStatement {  // ADD IDENTITY 'x' TO ROLE r; DROP IDENTITY 'x'.
  bool drop = false, if_clause = false;
  std::string identity;
  std::optional<Identifier> role;
  friend bool operator==(const IdentityStatement&, const IdentityStatement&) = default;
};

}  // namespace widerow
