// Roles and their permissions as plain immutable structs. They belong to a SchemaSnapshot, and are stored and changed
// with it. exec/access decides what the permissions mean for a statement.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/uuid.h"

namespace widerow {

// The order is Cassandra's, and LIST PERMISSIONS uses it. Stored as bits: never renumber.
enum class Permission : uint8_t {
  kCreate = 0,
  kAlter = 1,
  kDrop = 2,
  kSelect = 3,
  kModify = 4,
  kAuthorize = 5,
  kDescribe = 6,
  kExecute = 7,
  kUnmask = 8,
  kSelectMasked = 9,
};
inline constexpr size_t kPermissionCount = 10;

// Returns "CREATE", …, "SELECT_MASKED".
std::string_view PermissionName(Permission permission);
std::optional<Permission> PermissionNamed(std::string_view name);

class PermissionSet {
 public:
  constexpr PermissionSet() = default;
  constexpr PermissionSet(std::initializer_list<Permission> permissions) {
    for (const Permission permission : permissions) Add(permission);
  }
  static constexpr PermissionSet FromBits(uint32_t bits) {
    PermissionSet set;
    set.bits_ = bits & ((1u << kPermissionCount) - 1);
    return set;
  }

  constexpr bool Has(Permission permission) const { return (bits_ >> static_cast<unsigned>(permission) & 1u) != 0; }
  constexpr void Add(Permission permission) { bits_ |= 1u << static_cast<unsigned>(permission); }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr uint32_t bits() const { return bits_; }
  // Returns the permissions in the enum's order.
  std::vector<Permission> List() const;

  friend constexpr PermissionSet operator|(PermissionSet a, PermissionSet b) { return FromBits(a.bits_ | b.bits_); }
  friend constexpr PermissionSet operator&(PermissionSet a, PermissionSet b) { return FromBits(a.bits_ & b.bits_); }
  friend constexpr PermissionSet operator-(PermissionSet a, PermissionSet b) { return FromBits(a.bits_ & ~b.bits_); }
  friend constexpr bool operator==(PermissionSet, PermissionSet) = default;

 private:
  uint32_t bits_ = 0;
};

// The object of a permission. A permission on a resource holds for all resources below it.
//   all keyspaces ─ keyspace ─ all tables in it ─ table        all roles ─ role
//   all functions ─ all functions of a keyspace ─ function     all MBeans ─ MBean
struct AccessResource {
  enum class Kind : uint8_t {
    kAllKeyspaces,
    kKeyspace,
    kAllTables,
    kTable,
    kAllRoles,
    kRole,
    kAllFunctions,
    kKeyspaceFunctions,
    kFunction,
    kAllMBeans,
    kMBean,
  };
  Kind kind = Kind::kAllKeyspaces;
  std::string keyspace;
  std::string name;  // The table, role or MBean; a function with its argument types: "f(int, text)".

  // Returns the unique name that Cassandra stores: "data", "data/ks", "data/ks/*", "data/ks/t", "roles/r",
  // "functions/ks", ….
  std::string Name() const;
  // Returns the text for messages and LIST PERMISSIONS: "<all keyspaces>", "<table ks.t>", "<role r>", ….
  std::string Text() const;
  // Returns the resource above this one; nullopt if there is none.
  std::optional<AccessResource> Parent() const;
  // Returns the permissions that can be granted on this resource.
  PermissionSet Applicable() const;
  // Returns the resource whose Name() is `name`.
  static AccessResource FromName(std::string_view name);

  friend bool operator==(const AccessResource&, const AccessResource&) = default;
};

struct RoleSchema {
  std::string name;
  // Distinguishes roles that had the same name one after another. Nil for a role that was stored without an id.
  Uuid id;
  bool superuser = false, can_login = false;
  std::string salted_hash;  // Bcrypt in crypt(3)'s form, "$2a$10$…"; empty: no password is accepted.
  // True for the well-known default password: logging in with it is allowed from this machine only.
  bool default_password = false;
  std::set<std::string, std::less<>> member_of;   // The roles that were granted to this role directly.
  std::set<std::string, std::less<>> identities;  // Identities of certificates; each belongs to one role at most.
  // The keys are AccessResource::Name(). No set is empty.
  std::map<std::string, PermissionSet, std::less<>> permissions;

  friend bool operator==(const RoleSchema&, const RoleSchema&) = default;
};
using RolePtr = std::shared_ptr<const RoleSchema>;

struct AccessCatalog {
  std::map<std::string, RolePtr, std::less<>> roles;

  const RoleSchema* Find(std::string_view role) const;  // nullptr if there is none.
  // Returns `role` and all roles granted to it, directly or indirectly; empty if there is no such role.
  std::set<std::string, std::less<>> Closure(std::string_view role) const;
};
using AccessPtr = std::shared_ptr<const AccessCatalog>;

}  // namespace widerow
