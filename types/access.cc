// Converts permissions and resources to their names and back, and searches the graph of roles. Name() returns the
// stored name of a resource, and FromName() is its inverse.
#include "types/access.h"

#include <algorithm>
#include <iterator>

namespace widerow {

namespace {

constexpr std::string_view kPermissionNames[kPermissionCount] = {
    "CREATE", "ALTER", "DROP", "SELECT", "MODIFY", "AUTHORIZE", "DESCRIBE", "EXECUTE", "UNMASK", "SELECT_MASKED"};

constexpr PermissionSet kOnTables{Permission::kCreate, Permission::kAlter,       Permission::kDrop,
                                  Permission::kSelect, Permission::kModify,      Permission::kAuthorize,
                                  Permission::kUnmask, Permission::kSelectMasked};

using Kind = AccessResource::Kind;

// Returns the texts before and after the first slash.
std::pair<std::string_view, std::string_view> CutAtSlash(std::string_view text) {
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos) return {text, {}};
  return {text.substr(0, slash), text.substr(slash + 1)};
}

AccessResource DataResource(std::string_view rest) {
  if (rest.empty()) return {};
  const auto [keyspace, table] = CutAtSlash(rest);
  if (table.empty()) return {.kind = Kind::kKeyspace, .keyspace = std::string(keyspace)};
  if (table == "*") return {.kind = Kind::kAllTables, .keyspace = std::string(keyspace)};
  return {.kind = Kind::kTable, .keyspace = std::string(keyspace), .name = std::string(table)};
}

AccessResource FunctionResource(std::string_view rest) {
  if (rest.empty()) return {.kind = Kind::kAllFunctions};
  const auto [keyspace, function] = CutAtSlash(rest);
  if (function.empty()) return {.kind = Kind::kKeyspaceFunctions, .keyspace = std::string(keyspace)};
  return {.kind = Kind::kFunction, .keyspace = std::string(keyspace), .name = std::string(function)};
}

}  // namespace

std::string_view PermissionName(Permission permission) { return kPermissionNames[static_cast<size_t>(permission)]; }

std::optional<Permission> PermissionNamed(std::string_view name) {
  const auto* const found = std::find(std::begin(kPermissionNames), std::end(kPermissionNames), name);
  if (found == std::end(kPermissionNames)) return std::nullopt;
  return static_cast<Permission>(found - std::begin(kPermissionNames));
}

std::vector<Permission> PermissionSet::List() const {
  std::vector<Permission> list;
  for (size_t i = 0; i < kPermissionCount; ++i) {
    if (Has(static_cast<Permission>(i))) list.push_back(static_cast<Permission>(i));
  }
  return list;
}

std::string AccessResource::Name() const {
  switch (kind) {
    case Kind::kAllKeyspaces: return "data";
    case Kind::kKeyspace: return "data/" + keyspace;
    case Kind::kAllTables: return "data/" + keyspace + "/*";
    case Kind::kTable: return "data/" + keyspace + "/" + name;
    case Kind::kAllRoles: return "roles";
    case Kind::kRole: return "roles/" + name;
    case Kind::kAllFunctions: return "functions";
    case Kind::kKeyspaceFunctions: return "functions/" + keyspace;
    case Kind::kFunction: return "functions/" + keyspace + "/" + name;
    case Kind::kAllMBeans: return "mbean";
    case Kind::kMBean: return "mbean/" + name;
  }
  return {};
}

std::string AccessResource::Text() const {
  switch (kind) {
    case Kind::kAllKeyspaces: return "<all keyspaces>";
    case Kind::kKeyspace: return "<keyspace " + keyspace + ">";
    case Kind::kAllTables: return "<all tables in " + keyspace + ">";
    case Kind::kTable: return "<table " + keyspace + "." + name + ">";
    case Kind::kAllRoles: return "<all roles>";
    case Kind::kRole: return "<role " + name + ">";
    case Kind::kAllFunctions: return "<all functions>";
    case Kind::kKeyspaceFunctions: return "<all functions in " + keyspace + ">";
    case Kind::kFunction: return "<function " + keyspace + "." + name + ">";
    case Kind::kAllMBeans: return "<all mbeans>";
    case Kind::kMBean: return "<mbean " + name + ">";
  }
  return {};
}

std::optional<AccessResource> AccessResource::Parent() const {
  switch (kind) {
    case Kind::kKeyspace: return AccessResource{};
    case Kind::kAllTables: return AccessResource{.kind = Kind::kKeyspace, .keyspace = keyspace};
    case Kind::kTable: return AccessResource{.kind = Kind::kAllTables, .keyspace = keyspace};
    case Kind::kRole: return AccessResource{.kind = Kind::kAllRoles};
    case Kind::kKeyspaceFunctions: return AccessResource{.kind = Kind::kAllFunctions};
    case Kind::kFunction: return AccessResource{.kind = Kind::kKeyspaceFunctions, .keyspace = keyspace};
    case Kind::kMBean: return AccessResource{.kind = Kind::kAllMBeans};
    case Kind::kAllKeyspaces:
    case Kind::kAllRoles:
    case Kind::kAllFunctions:
    case Kind::kAllMBeans: break;
  }
  return std::nullopt;
}

PermissionSet AccessResource::Applicable() const {
  using P = Permission;
  switch (kind) {
    case Kind::kAllKeyspaces:
    case Kind::kKeyspace:
    case Kind::kAllTables: return kOnTables;
    case Kind::kTable: return kOnTables - PermissionSet{P::kCreate};
    case Kind::kAllRoles: return {P::kCreate, P::kAlter, P::kDrop, P::kAuthorize, P::kDescribe};
    case Kind::kRole: return {P::kAlter, P::kDrop, P::kAuthorize, P::kDescribe};
    case Kind::kAllFunctions:
    case Kind::kKeyspaceFunctions: return {P::kCreate, P::kAlter, P::kDrop, P::kAuthorize, P::kExecute};
    case Kind::kFunction: return {P::kAlter, P::kDrop, P::kAuthorize, P::kExecute};
    case Kind::kAllMBeans:
    case Kind::kMBean: return {P::kSelect, P::kModify, P::kAuthorize, P::kDescribe, P::kExecute};
  }
  return {};
}

AccessResource AccessResource::FromName(std::string_view name) {
  const auto [root, rest] = CutAtSlash(name);
  if (root == "roles") {
    return rest.empty() ? AccessResource{.kind = Kind::kAllRoles}
                        : AccessResource{.kind = Kind::kRole, .name = std::string(rest)};
  }
  if (root == "functions") return FunctionResource(rest);
  if (root == "mbean") {
    return rest.empty() ? AccessResource{.kind = Kind::kAllMBeans}
                        : AccessResource{.kind = Kind::kMBean, .name = std::string(rest)};
  }
  return DataResource(rest);
}

const RoleSchema* AccessCatalog::Find(std::string_view role) const {
  const auto found = roles.find(role);
  return found == roles.end() ? nullptr : found->second.get();
}

std::set<std::string, std::less<>> AccessCatalog::Closure(std::string_view role) const {
  std::set<std::string, std::less<>> closure;
  std::vector<std::string> left{std::string(role)};
  while (!left.empty()) {
    const std::string name = std::move(left.back());
    left.pop_back();
    const RoleSchema* const found = Find(name);
    if (found == nullptr || !closure.insert(name).second) continue;
    left.insert(left.end(), found->member_of.begin(), found->member_of.end());
  }
  return closure;
}

}  // namespace widerow
