// Builds the statements about roles, users, permissions and identities. The tree has options as lower-case words with
// their values (RoleOption), and permissions and resources as upper-case words. exec/access interprets them.
#include <algorithm>

#include "parser/builder.h"
#include "parser/print_parts.h"

namespace widerow {
namespace {}  // namespace

Identifier AstBuilder::BuildRoleName(Parser::RoleNameContext* context) {
  RefuseMarkerAsName(context->start, "role");
  return BuildName(context->start);
}

Identifier AstBuilder::BuildUserName(Parser::UserNameContext* context, bool identity) {
  if (context->QUOTED_NAME()) {
    Fail(RangeOf(context),
         identity ? "Quoted strings are are not supported for identity"
                  : "Quoted strings are are not supported for user names and USER is deprecated, please use ROLE",
         "use single quotes");
  }
  // The name of a user keeps its case even without quotes, unlike the name of a role.
  return {TokenValue(*context->start), true, RangeOf(context)};
}

CreateRoleStatement AstBuilder::BuildCreateRole(Parser::CreateRoleStatementContext* context) {
  CreateRoleStatement role{false, BuildRoleName(context->roleName()), context->ifNotExists() != nullptr, {}};
  role.options = BuildRoleOptions(context->roleOption());
  CheckPasswords(role.options, context);
  return role;
}

AlterRoleStatement AstBuilder::BuildAlterRole(Parser::AlterRoleStatementContext* context) {
  AlterRoleStatement role{false, BuildRoleName(context->roleName()), context->ifExists() != nullptr, {}};
  role.options = BuildRoleOptions(context->roleOption());
  CheckPasswords(role.options, context);
  return role;
}

CreateRoleStatement AstBuilder::BuildCreateUser(Parser::CreateUserStatementContext* context) {
  CreateRoleStatement user{true, BuildUserName(context->userName(), false), context->ifNotExists() != nullptr, {}};
  if (context->userPassword()) user.options.push_back(BuildUserPassword(context->userPassword()));
  if (context->K_SUPERUSER()) user.options.push_back({"superuser", {}});
  if (context->K_NOSUPERUSER()) user.options.push_back({"nosuperuser", {}});
  return user;
}

AlterRoleStatement AstBuilder::BuildAlterUser(Parser::AlterUserStatementContext* context) {
  AlterRoleStatement user{true, BuildUserName(context->userName(), false), context->ifExists() != nullptr, {}};
  if (context->userPassword()) user.options.push_back(BuildUserPassword(context->userPassword()));
  if (context->K_SUPERUSER()) user.options.push_back({"superuser", {}});
  if (context->K_NOSUPERUSER()) user.options.push_back({"nosuperuser", {}});
  return user;
}

RoleOption AstBuilder::BuildUserPassword(Parser::UserPasswordContext* context) {
  RoleOption option{context->K_HASHED()      ? "hashed password"
                    : context->K_GENERATED() ? "generated password"
                                             : "password",
                    {}};
  if (context->K_GENERATED()) UseExtension("GENERATED PASSWORD");
  if (antlr4::tree::TerminalNode* text = context->STRING_LITERAL()) {
    option.value.push_back({Literal{Literal::Kind::kString, BuildString(text)}, RangeOf(text)});
  }
  return option;
}

std::vector<RoleOption> AstBuilder::BuildRoleOptions(const std::vector<Parser::RoleOptionContext*>& contexts) {
  std::vector<RoleOption> options;
  for (Parser::RoleOptionContext* context : contexts) {
    RoleOption option = BuildRoleOption(context);
    const auto same = [&](const RoleOption& other) { return other.name == option.name; };
    // ACCESS TO … may be repeated, because Cassandra unites the values.
    if (!option.name.starts_with("access") && std::any_of(options.begin(), options.end(), same)) {
      std::string name = UpperCase(option.name);
      std::replace(name.begin(), name.end(), ' ', '_');
      Fail(RangeOf(context), "Multiple definition for property '" + name + "'", "keep one of them");
    }
    options.push_back(std::move(option));
  }
  return options;
}

RoleOption AstBuilder::BuildRoleOption(Parser::RoleOptionContext* context) {
  RoleOption option;
  if (antlr4::tree::TerminalNode* text = context->STRING_LITERAL()) {
    option.value.push_back({Literal{Literal::Kind::kString, BuildString(text)}, RangeOf(text)});
  } else if (antlr4::tree::TerminalNode* boolean = context->BOOLEAN()) {
    option.value.push_back({Literal{Literal::Kind::kBoolean, boolean->getText()}, RangeOf(boolean)});
  } else if (context->propertyMap()) {
    option.value.push_back(BuildPropertyMap(context->propertyMap()));
  } else if (Parser::StringSetContext* strings = context->stringSet()) {
    SetTerm set;
    for (antlr4::tree::TerminalNode* element : strings->STRING_LITERAL()) {
      set.elements.push_back({Literal{Literal::Kind::kString, BuildString(element)}, RangeOf(element)});
    }
    option.value.push_back({std::move(set), RangeOf(strings)});
  }
  if (context->K_GENERATED()) UseExtension("GENERATED PASSWORD");
  if (context->K_ACCESS()) {
    option.name = context->K_TO() ? "access to " : "access from ";
    option.name += context->K_ALL() ? "all " : "";
    option.name += context->K_TO() ? "datacenters" : "cidrs";
  } else if (context->K_PASSWORD()) {
    option.name = context->K_HASHED() ? "hashed password" : context->K_GENERATED() ? "generated password" : "password";
  } else {
    option.name = context->K_OPTIONS() ? "options" : context->K_LOGIN() ? "login" : "superuser";
  }
  return option;
}

void AstBuilder::CheckPasswords(const std::vector<RoleOption>& options, Context* context) {
  const auto has = [&](const char* name) {
    return std::any_of(options.begin(), options.end(), [&](const RoleOption& o) { return o.name == name; });
  };
  const auto exclude = [&](const std::string& a, const std::string& b) {
    if (!has(a.c_str()) || !has(b.c_str())) return;
    Fail(RangeOf(context), "Options '" + a + "' and '" + b + "' are mutually exclusive", "keep one of them");
  };
  exclude("password", "hashed password");
  exclude("password", "generated password");
  exclude("hashed password", "generated password");
}

std::vector<std::string> AstBuilder::BuildPermissions(Parser::PermissionsContext* context) const {
  if (context->K_ALL()) return {"ALL PERMISSIONS"};
  std::vector<std::string> permissions;
  for (Parser::PermissionContext* permission : context->permission()) {
    permissions.push_back(UpperCase(permission->start->getText()));
  }
  return permissions;
}

Resource AstBuilder::BuildResource(Parser::ResourceContext* context) {
  if (context->tableName()) return {"TABLE", BuildTableName(context->tableName()), {}};
  if (context->functionName()) {
    return {"FUNCTION", BuildFunctionName(context->functionName()), BuildTypeList(context->typeList())};
  }
  if (auto* role = context->roleName()) {
    const QualifiedName name{{}, BuildRoleName(role), RangeOf(role)};
    return {"ROLE", name, {}};
  }
  if (antlr4::tree::TerminalNode* bean = context->STRING_LITERAL()) {
    const QualifiedName name{{}, BuildName(bean->getSymbol()), RangeOf(bean)};
    return {context->K_MBEAN() ? "MBEAN" : "MBEANS", name, {}};
  }
  Resource resource;
  for (antlr4::tree::ParseTree* child : context->children) {
    if (auto* word = dynamic_cast<antlr4::tree::TerminalNode*>(child)) {
      const bool tables = word->getSymbol()->getType() == CqlLexer::K_TABLES;
      resource.kind += (resource.kind.empty() ? "" : " ") + (tables ? "TABLES" : UpperCase(word->getText()));
    }
  }
  if (auto* keyspace = context->keyspaceName()) {
    resource.name = QualifiedName{{}, BuildKeyspaceName(keyspace), RangeOf(keyspace)};
  }
  return resource;
}

ListRolesStatement AstBuilder::BuildList(Parser::ListStatementContext* context) {
  using Kind = ListRolesStatement::Kind;
  if (context->K_SUPERUSERS()) UseExtension("LIST SUPERUSERS");
  ListRolesStatement list;
  list.kind = context->permissions()    ? Kind::kPermissions
              : context->K_USERS()      ? Kind::kUsers
              : context->K_SUPERUSERS() ? Kind::kSuperusers
                                        : Kind::kRoles;
  if (context->permissions()) list.permissions = BuildPermissions(context->permissions());
  if (context->resource()) list.resource = BuildResource(context->resource());
  if (context->roleName()) list.of = BuildRoleName(context->roleName());
  list.no_recursive = context->K_NORECURSIVE() != nullptr;
  return list;
}

std::optional<AstBuilder::Node> AstBuilder::BuildRoleStatement(Parser::CqlStatementContext* context) {
  if (auto* c = context->createRoleStatement()) return BuildCreateRole(c);
  if (auto* c = context->alterRoleStatement()) return BuildAlterRole(c);
  if (auto* c = context->createUserStatement()) return BuildCreateUser(c);
  if (auto* c = context->alterUserStatement()) return BuildAlterUser(c);
  if (auto* c = context->dropRoleStatement()) {
    return DropRoleStatement{false, BuildRoleName(c->roleName()), c->ifExists() != nullptr};
  }
  if (auto* c = context->dropUserStatement()) {
    return DropRoleStatement{true, BuildUserName(c->userName(), false), c->ifExists() != nullptr};
  }
  const auto grant = [&](bool revoke, auto* c) {
    GrantStatement result{.revoke = revoke};
    if (c->permissions()) {
      result.permissions = BuildPermissions(c->permissions());
      result.resource = BuildResource(c->resource());
    } else {
      result.granted_role = BuildRoleName(c->roleName(0));
    }
    result.role = BuildRoleName(c->roleName().back());
    return result;
  };
  if (auto* c = context->grantStatement()) return grant(false, c);
  if (auto* c = context->revokeStatement()) return grant(true, c);
  if (auto* c = context->listStatement()) return BuildList(c);
  if (auto* c = context->addIdentityStatement()) {
    IdentityStatement add{false, c->ifNotExists() != nullptr, BuildUserName(c->userName(0), true).text, {}};
    add.role = BuildUserName(c->userName(1), true);
    return add;
  }
  if (auto* c = context->dropIdentityStatement()) {
    return IdentityStatement{true, c->ifExists() != nullptr, BuildUserName(c->userName(), true).text, {}};
  }
  return std::nullopt;
}

}  // namespace widerow
