// CREATE, ALTER and DROP ROLE and USER, GRANT, REVOKE, LIST, ADD and DROP IDENTITY: each a function of the catalog of roles and of
// who asks. Checks come in Cassandra's order: what the asker may do, then what is there.
#pragma once

#include <functional>

#include "exec/access/actor.h"
#include "exec/rows/outcome.h"
#include "parser/ast.h"
#include "types/schema.h"

namespace widerow {

struct RoleRequest {
  const Statement& statement;
  const SchemaSnapshot& schema;
  std::string current_keyspace;
  Actor actor;
  // Of the password that the statement sets; empty: it is only asked whether the statement may be run, and changes something.
  std::string salted_hash = {};
  // Of GENERATED PASSWORD; its answer shows it.
  std::string generated_password = {};
};

struct RoleEffect {
  AccessPtr access;              // The next catalog; the same pointer as before if nothing changes.
  std::optional<RowsPage> rows;  // LIST's answer, if it has one; the password of GENERATED PASSWORD.
  std::vector<std::string> warnings;
};

// Of a statement of the kinds above.
Result<RoleEffect> ApplyRoleStatement(const RoleRequest& request);

// What is said where roles are off, as Cassandra says it without authentication.
Error RefuseWithoutRoles(const Statement& statement);

// The password that the statement sets and that is to be hashed; nullopt: none.
std::optional<std::string> PasswordToHash(const Statement& statement);
bool WantsGeneratedPassword(const Statement& statement);
// 20 characters that nobody guesses.
Result<std::string> GeneratePassword();

namespace access {

// One a kind of statement; `ApplyRoleStatement` chooses.
Result<RoleEffect> Apply(const CreateRoleStatement& statement, const RoleRequest& request);
Result<RoleEffect> Apply(const AlterRoleStatement& statement, const RoleRequest& request);
Result<RoleEffect> Apply(const DropRoleStatement& statement, const RoleRequest& request);
Result<RoleEffect> Apply(const IdentityStatement& statement, const RoleRequest& request);
Result<RoleEffect> Apply(const GrantStatement& statement, const RoleRequest& request);
Result<RoleEffect> Apply(const ListRolesStatement& statement, const RoleRequest& request);

// "User r does not have sufficient privileges to perform the requested operation".
Status RequireForRoles(Permission permission, const AccessResource& resource, const Actor& actor);
// "Only superusers can `doing` a role with superuser status", which it may also have by a role granted to it: who had its
// password, or was a member of it, would be a superuser, too.
Status RequireForSuperusers(std::string_view doing, const AccessCatalog& catalog, std::string_view role, const Actor& actor);
// The catalog with the role put in place of the one of its name.
AccessPtr With(const AccessCatalog& catalog, RoleSchema role);
const AccessCatalog& CatalogOf(const SchemaSnapshot& schema);
AccessResource RoleResource(std::string role);
// What the statement names; the current keyspace stands in for one that is not written.
Result<AccessResource> ResolveResource(const Resource& resource, const RoleRequest& request);
// kSyntaxError, as Cassandra's parser says it, if none of the permissions can be granted on such a resource.
Status CheckApplicable(const GrantStatement& statement);
bool Exists(const AccessResource& resource, const SchemaSnapshot& schema);

}  // namespace access

}  // namespace widerow
