#include <algorithm>

#include "parser/print.h"
#include "parser/print_parts.h"

namespace widerow {
namespace {

// Prints PASSWORD = 'x' for roles and PASSWORD 'x' for users; ACCESS TO … never has an equals sign.
std::string PrintOption(const RoleOption& option, bool user) {
  const std::string name = UpperCase(option.name);
  if (option.value.empty()) return name;
  return name + (user || option.name.starts_with("access") ? " " : " = ") + Print(option.value[0]);
}

std::string PrintRole(const char* verb, bool user, const std::string& condition, const Identifier& name,
                      const std::vector<RoleOption>& options) {
  std::string text =
      std::string(verb) + (user ? " USER " : " ROLE ") + condition + (user ? PrintString(name.text) : PrintName(name));
  if (!user) {
    if (options.empty()) return text;
    return text + " WITH " + Join(options, " AND ", [](const RoleOption& o) { return PrintOption(o, false); });
  }
  for (const RoleOption& option : options) {
    text += (option.name.ends_with("superuser") ? " " : " WITH ") + PrintOption(option, true);
  }
  return text;
}

std::string PrintPermissions(const std::vector<std::string>& permissions) {
  return Join(permissions, ", ", [](const std::string& permission) { return permission; });
}

std::string PrintResource(const Resource& resource) {
  std::string text = resource.kind;
  if (resource.name) {
    text +=
        " " + (resource.kind.starts_with("MBEAN") ? PrintString(resource.name->name.text) : PrintName(*resource.name));
  }
  if (resource.arguments) text += "(" + PrintTypes(*resource.arguments) + ")";
  return text;
}

}  // namespace

std::string PrintStatement(const CreateRoleStatement& s) {
  return PrintRole("CREATE", s.user, When(s.if_not_exists, "IF NOT EXISTS "), s.name, s.options);
}
std::string PrintStatement(const AlterRoleStatement& s) {
  return PrintRole("ALTER", s.user, When(s.if_exists, "IF EXISTS "), s.name, s.options);
}
std::string PrintStatement(const DropRoleStatement& s) {
  return PrintRole("DROP", s.user, When(s.if_exists, "IF EXISTS "), s.name, {});
}

std::string PrintStatement(const GrantStatement& s) {
  return std::string(s.revoke ? "REVOKE " : "GRANT ") +
         (s.granted_role ? PrintName(*s.granted_role)
                         : PrintPermissions(s.permissions) + " ON " + PrintResource(*s.resource)) +
         (s.revoke ? " FROM " : " TO ") + PrintName(s.role);
}

std::string PrintStatement(const ListRolesStatement& s) {
  const auto what = [&]() -> std::string {
    switch (s.kind) {
      case ListRolesStatement::Kind::kRoles: return "ROLES";
      case ListRolesStatement::Kind::kUsers: return "USERS";
      case ListRolesStatement::Kind::kSuperusers: return "SUPERUSERS";
      case ListRolesStatement::Kind::kPermissions: return PrintPermissions(s.permissions);
    }
    return "";
  }();
  return "LIST " + what + (s.resource ? " ON " + PrintResource(*s.resource) : "") +
         (s.of ? " OF " + PrintName(*s.of) : "") + When(s.no_recursive, " NORECURSIVE");
}

std::string PrintStatement(const IdentityStatement& s) {
  if (s.drop) return "DROP IDENTITY " + When(s.if_clause, "IF EXISTS ") + PrintString(s.identity);
  return "ADD IDENTITY " + When(s.if_clause, "IF NOT EXISTS ") + PrintString(s.identity) + " TO ROLE " +
         PrintString(s.role->text);
}

}  // namespace widerow
