// ApplyRoleStatement calls the Apply function for the statement's kind. Each one checks the actor first, then the
// catalog, and returns a changed copy of the catalog (With). GRANT is in grants.cc, LIST in list_roles.cc. The engine
// runs a statement with a password twice. The first run has no hash of the password: it finds errors before the slow
// hashing. The second run has the hash.

#include "exec/access/role_statements.h"

#include <openssl/rand.h>

#include <algorithm>

#include "exec/access/identities.h"
#include "exec/access/role_settings.h"
#include "exec/rows/rows_writer.h"

namespace widerow {

namespace {

constexpr size_t kRoleNameBytesMax = 255;
constexpr const char* kRolesAreOff = "roles are off here: widerow serve --auth turns them on";

const std::vector<RoleOption>* OptionsOf(const Statement& statement) {
  if (const auto* create = std::get_if<CreateRoleStatement>(&statement.node)) return &create->options;
  if (const auto* alter = std::get_if<AlterRoleStatement>(&statement.node)) return &alter->options;
  return nullptr;
}

const RoleOption* FindOption(const Statement& statement, std::string_view name) {
  const std::vector<RoleOption>* const options = OptionsOf(statement);
  if (options == nullptr) return nullptr;
  for (const RoleOption& option : *options) {
    if (option.name == name) return &option;
  }
  return nullptr;
}

// Sets the role's password. In a trial run without a hash it only marks the role as changed.
void SetPassword(const RoleSettings& settings, const RoleRequest& request, RoleSchema& role) {
  constexpr const char* kNotHashedYet = "*";
  if (!settings.password && !settings.hash && !settings.generated) return;
  role.salted_hash = settings.hash ? *settings.hash : request.salted_hash.empty() ? kNotHashedYet : request.salted_hash;
  role.default_password = false;
}

RoleEffect Unchanged(const RoleRequest& request) { return {.access = request.schema.access}; }

// Shows the password of GENERATED PASSWORD; it cannot be shown again.
void ShowGenerated(const RoleSettings& settings, const RoleRequest& request, RoleEffect& effect) {
  if (!settings.generated) return;
  auto columns = std::make_shared<ResultColumns>();
  columns->push_back({"system_auth", "generated_password", "generated_password", ScalarType(TypeKind::kText)});
  RowsWriter rows;
  rows.Append(request.generated_password);
  rows.EndRow();
  effect.rows = std::move(rows).Finish(std::move(columns));
}

Status RequireToAlter(const RoleSettings& settings, const AccessCatalog& catalog, const Actor& actor,
                      std::string_view role) {
  if (settings.superuser && !actor.trusted() && actor.rights->Is(role)) {
    return UnauthorizedError("You aren't allowed to alter your own superuser status or that of a role granted to you",
                             "another superuser may");
  }
  if (actor.superuser()) return OkStatus();
  if (settings.superuser) { return UnauthorizedError("Only superusers are allowed to alter superuser status"); }
  if (settings.datacenters) { return UnauthorizedError("Only superusers are allowed to alter access to datacenters."); }
  if (settings.cidrs) return UnauthorizedError("Only superusers are allowed to alter access from CIDR groups.");
  // A role is not the actor's own if it has another name, or if it is a later role of the same name.
  if (actor.role() != role || !actor.rights->Is(role)) {
    WR_RETURN_IF_ERROR(access::RequireForRoles(Permission::kAlter, access::RoleResource(std::string(role)), actor));
    return access::RequireForSuperusers("alter", catalog, role, actor);
  }
  for (const std::string& name : settings.NotOnesOwn()) {
    return UnauthorizedError("You aren't allowed to alter " + name, "of itself a role may set the password alone");
  }
  return OkStatus();
}

}  // namespace

std::optional<std::string> PasswordToHash(const Statement& statement) {
  const RoleOption* const option = FindOption(statement, "password");
  if (option == nullptr) return std::nullopt;
  return std::get<Literal>(option->value.at(0).node).text;
}

bool WantsGeneratedPassword(const Statement& statement) {
  return FindOption(statement, "generated password") != nullptr;
}

Result<std::string> GeneratePassword() {
  constexpr std::string_view kLetters = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789-_.+=:%@!";
  static_assert(kLetters.size() >= 64);
  unsigned char random[20];
  if (RAND_bytes(random, sizeof random) != 1) return ServerError("The system gives no random bytes for a password");
  std::string password;
  for (const unsigned char byte : random) password += kLetters[byte % 64];
  return password;
}

Result<RoleEffect> ApplyRoleStatement(const RoleRequest& request) {
  return std::visit(
      [&](const auto& node) -> Result<RoleEffect> {
        if constexpr (requires { access::Apply(node, request); }) {
          return access::Apply(node, request);
        } else {
          return ServerError("not a statement about roles");
        }
      },
      request.statement.node);
}

Error RefuseWithoutRoles(const Statement& statement) {
  if (const std::vector<RoleOption>* const options = OptionsOf(statement)) {
    for (const RoleOption& option : *options) {
      std::string name = option.name;
      std::transform(name.begin(), name.end(), name.begin(), [](char c) {
        return c == ' ' ? '_' : c >= 'a' && c <= 'z' ? c - 32 : c;
      });
      if (name != "PASSWORD" && name != "HASHED_PASSWORD" && name != "OPTIONS") continue;
      return InvalidError("org.apache.cassandra.auth.CassandraRoleManager doesn't support " + name, kRolesAreOff);
    }
    const auto* const alter = std::get_if<AlterRoleStatement>(&statement.node);
    if (alter != nullptr && options->empty()) return InvalidError("ALTER [ROLE|USER] can't be empty", kRolesAreOff);
    if (alter != nullptr && ReadRoleSettings(*options).superuser) {
      return UnauthorizedError("Only superusers are allowed to alter superuser status", kRolesAreOff);
    }
    const auto* const create = std::get_if<CreateRoleStatement>(&statement.node);
    if (create != nullptr && create->name.text.empty()) {
      return InvalidAt(create->name.range, "Role name can't be an empty string", kRolesAreOff);
    }
  }
  if (const auto* const grant = std::get_if<GrantStatement>(&statement.node)) {
    if (Status applicable = access::CheckApplicable(*grant); !applicable.ok()) return std::move(applicable).error();
  }
  return UnauthorizedError("You have to be logged in and not anonymous to perform this request", kRolesAreOff);
}

namespace access {

const AccessCatalog& CatalogOf(const SchemaSnapshot& schema) {
  static const AccessCatalog kNone;
  return schema.access == nullptr ? kNone : *schema.access;
}

AccessResource RoleResource(std::string role) { return {.kind = AccessResource::Kind::kRole, .name = std::move(role)}; }

AccessPtr With(const AccessCatalog& catalog, RoleSchema role) {
  auto next = std::make_shared<AccessCatalog>(catalog);
  const std::string name = role.name;
  next->roles[name] = std::make_shared<const RoleSchema>(std::move(role));
  return next;
}

Status RequireForRoles(Permission permission, const AccessResource& resource, const Actor& actor) {
  if (actor.Has(permission, resource)) return OkStatus();
  return UnauthorizedError(
      "User " + actor.role() + " does not have sufficient privileges to perform the requested operation",
      "it takes " + std::string(PermissionName(permission)) + " on " + resource.Text());
}

Status RequireForSuperusers(std::string_view doing, const AccessCatalog& catalog, std::string_view role,
                            const Actor& actor) {
  if (actor.superuser() || !Rights(catalog, role).superuser()) return OkStatus();
  return UnauthorizedError("Only superusers can " + std::string(doing) + " a role with superuser status");
}

Result<RoleEffect> Apply(const CreateRoleStatement& statement, const RoleRequest& request) {
  const Actor& actor = request.actor;
  const RoleSettings settings = ReadRoleSettings(statement.options);
  WR_RETURN_IF_ERROR(RequireForRoles(Permission::kCreate, {.kind = AccessResource::Kind::kAllRoles}, actor));
  if (settings.superuser.value_or(false) && !actor.superuser()) {
    return UnauthorizedError("Only superusers can create a role with superuser status");
  }
  WR_RETURN_IF_ERROR(CheckRoleOptions(statement.options, request.datacenter));
  const std::string& name = statement.name.text;
  if (name.empty()) return InvalidAt(statement.name.range, "Role name can't be an empty string");
  if (name.size() > kRoleNameBytesMax) {
    return InvalidAt(statement.name.range, "A role's name has at most " + std::to_string(kRoleNameBytesMax) + " bytes");
  }
  const AccessCatalog& catalog = CatalogOf(request.schema);
  if (catalog.Find(name) != nullptr) {
    if (statement.if_not_exists) return Unchanged(request);
    return InvalidAt(statement.name.range, name + " already exists",
                     "ALTER ROLE changes it; CREATE ROLE IF NOT EXISTS leaves it");
  }
  RoleSchema role{.name = name,
                  .id = Uuid::Random(),
                  .superuser = settings.superuser.value_or(false),
                  .can_login = settings.login.value_or(statement.user)};
  SetPassword(settings, request, role);
  RoleEffect effect{.access = With(catalog, std::move(role))};
  if (const RoleSchema* const creator = catalog.Find(actor.owner()); creator != nullptr) {
    RoleSchema granted = *creator;
    const AccessResource resource = RoleResource(name);
    granted.permissions[resource.Name()] = resource.Applicable();
    effect.access = With(*effect.access, std::move(granted));
  }
  ShowGenerated(settings, request, effect);
  return effect;
}

Result<RoleEffect> Apply(const AlterRoleStatement& statement, const RoleRequest& request) {
  const std::string& name = statement.name.text;
  const RoleSettings settings = ReadRoleSettings(statement.options);
  const AccessCatalog& catalog = CatalogOf(request.schema);
  WR_RETURN_IF_ERROR(RequireToAlter(settings, catalog, request.actor, name));
  WR_RETURN_IF_ERROR(CheckRoleOptions(statement.options, request.datacenter));
  if (settings.empty()) {
    return InvalidError("ALTER [ROLE|USER] can't be empty",
                        "for example ALTER ROLE r WITH PASSWORD = '…' AND LOGIN = true");
  }
  const RoleSchema* const found = catalog.Find(name);
  if (found == nullptr) {
    if (statement.if_exists) return Unchanged(request);
    return InvalidAt(statement.name.range, "Role " + name + " doesn't exist");
  }
  if (settings.datacenters) {
    return InvalidError("ACCESS TO DATACENTERS operations not supported by AllowAllNetworkAuthorizer",
                        "there is one datacenter, to which every role has access");
  }
  RoleSchema role = *found;
  if (settings.superuser) role.superuser = *settings.superuser;
  if (settings.login) role.can_login = *settings.login;
  SetPassword(settings, request, role);
  RoleEffect effect{.access = role == *found ? request.schema.access : With(catalog, std::move(role))};
  ShowGenerated(settings, request, effect);
  return effect;
}

Result<RoleEffect> Apply(const DropRoleStatement& statement, const RoleRequest& request) {
  const std::string& name = statement.name.text;
  const AccessCatalog& catalog = CatalogOf(request.schema);
  WR_RETURN_IF_ERROR(RequireForRoles(Permission::kDrop, RoleResource(name), request.actor));
  WR_RETURN_IF_ERROR(RequireForSuperusers("drop", catalog, name, request.actor));
  const RoleSchema* const found = catalog.Find(name);
  if (found == nullptr) {
    if (statement.if_exists) return Unchanged(request);
    return InvalidAt(statement.name.range, name + " doesn't exist");
  }
  if (!request.actor.trusted() && request.actor.role() == name) {
    return InvalidAt(statement.name.range, "Cannot DROP primary role for current login", "another role may drop it");
  }
  auto next = std::make_shared<AccessCatalog>(catalog);
  next->roles.erase(name);
  const std::string resource = RoleResource(name).Name();
  for (auto& [other, role] : next->roles) {
    if (!role->member_of.contains(name) && !role->permissions.contains(resource)) continue;
    RoleSchema without = *role;
    without.member_of.erase(name);
    without.permissions.erase(resource);
    role = std::make_shared<const RoleSchema>(std::move(without));
  }
  return RoleEffect{.access = std::move(next)};
}

Result<RoleEffect> Apply(const IdentityStatement& statement, const RoleRequest& request) {
  const AccessCatalog& catalog = CatalogOf(request.schema);
  const std::string& identity = statement.identity;
  const Permission needed = statement.drop ? Permission::kDrop : Permission::kCreate;
  WR_RETURN_IF_ERROR(RequireForRoles(needed, {.kind = AccessResource::Kind::kAllRoles}, request.actor));
  const RoleSchema* const holder = FindByIdentity(catalog, identity);
  if (statement.drop) {
    if (holder == nullptr) {
      if (statement.if_clause) return Unchanged(request);
      return InvalidError("identity '" + identity + "' doesn't exist");
    }
    WR_RETURN_IF_ERROR(RequireForSuperusers("drop an identity of", catalog, holder->name, request.actor));
    RoleSchema without = *holder;
    without.identities.erase(identity);
    return RoleEffect{.access = With(catalog, std::move(without))};
  }
  WR_RETURN_IF_ERROR(RequireForSuperusers("add an identity to", catalog, statement.role->text, request.actor));
  const RoleSchema* const role = catalog.Find(statement.role->text);
  if (role == nullptr) {
    return InvalidAt(statement.role->range,
                     "Can not add identity for non-existent role '" + statement.role->text + "'");
  }
  if (holder != nullptr) {
    if (statement.if_clause) return Unchanged(request);
    return InvalidError(identity + " already exists", "it belongs to role " + holder->name);
  }
  if (identity.empty())
    return InvalidError("Key may not be empty", "an identity is what a certificate says of its owner");
  RoleSchema with = *role;
  with.identities.insert(identity);
  return RoleEffect{.access = With(catalog, std::move(with))};
}

}  // namespace access

}  // namespace widerow
