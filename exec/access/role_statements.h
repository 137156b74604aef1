// The statements about roles: CREATE, ALTER and DROP of ROLE and USER, GRANT, REVOKE, LIST, ADD IDENTITY and DROP
// IDENTITY. Each statement is a function of the catalog of roles and the actor. Checks come in Cassandra's order: first
// the actor's permissions, then the existence of roles and resources.
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
  const std::string& datacenter;
  // The hash of the password that the statement sets. Empty: a trial run that only shows whether the statement is
  // allowed, and whether it would change something.
  std::string salted_hash = {};
  // The password of GENERATED PASSWORD, which the answer shows.
  std::string generated_password = {};
};

struct RoleEffect {
  AccessPtr access;              // The next catalog; the pointer in RoleRequest::schema if nothing changes.
  std::optional<RowsPage> rows;  // LIST's answer, or the password of GENERATED PASSWORD.
  std::vector<std::string> warnings;
};

// Runs a statement of the kinds above. Errors are Cassandra's.
Result<RoleEffect> ApplyRoleStatement(const RoleRequest& request);

// Returns the error for a statement about roles if the server has no roles. The text is Cassandra's text for the case
// that authentication is off.
Error RefuseWithoutRoles(const Statement& statement);

// Returns the password in the statement's text, which must be hashed; nullopt if the text has no plain password.
std::optional<std::string> PasswordToHash(const Statement& statement);
// True if the statement has GENERATED PASSWORD.
bool WantsGeneratedPassword(const Statement& statement);
// Returns 20 random characters.
Result<std::string> GeneratePassword();

namespace access {

// Each function runs one kind of statement; ApplyRoleStatement chooses the function.
Result<RoleEffect> Apply(const CreateRoleStatement& statement, const RoleRequest& request);
Result<RoleEffect> Apply(const AlterRoleStatement& statement, const RoleRequest& request);
Result<RoleEffect> Apply(const DropRoleStatement& statement, const RoleRequest& request);
Result<RoleEffect> Apply(const IdentityStatement& statement, const RoleRequest& request);
Result<RoleEffect> Apply(const GrantStatement& statement, const RoleRequest& request);
Result<RoleEffect> Apply(const ListRolesStatement& statement, const RoleRequest& request);

// Fails with "User r does not have sufficient privileges to perform the requested operation" unless the actor has the
// permission.
Status RequireForRoles(Permission permission, const AccessResource& resource, const Actor& actor);
// Fails with "Only superusers can `doing` a role with superuser status" if `role`, or a role granted to `role`, is a
// superuser and the actor is not. Without this check, the actor could change the password of `role`, or become a member
// of `role`, and so become a superuser.
Status RequireForSuperusers(std::string_view doing, const AccessCatalog& catalog, std::string_view role,
                            const Actor& actor);
// Returns a copy of the catalog in which `role` replaces the role of the same name.
AccessPtr With(const AccessCatalog& catalog, RoleSchema role);
const AccessCatalog& CatalogOf(const SchemaSnapshot& schema);
AccessResource RoleResource(std::string role);
// Returns the resource that the statement names; the current keyspace replaces a missing one.
Result<AccessResource> ResolveResource(const Resource& resource, const RoleRequest& request);
// Fails with kSyntaxError, like Cassandra's parser, if none of the permissions can be granted on resources of this
// kind.
Status CheckApplicable(const GrantStatement& statement);
bool Exists(const AccessResource& resource, const SchemaSnapshot& schema);

}  // namespace access

}  // namespace widerow
