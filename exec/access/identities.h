// Identities of certificates, which ADD IDENTITY gives to roles.
#pragma once

#include <string_view>

#include "types/access.h"

namespace widerow {

// Returns the role that has this identity; nullptr if none has it.
inline const RoleSchema* FindByIdentity(const AccessCatalog& catalog, std::string_view identity) {
  for (const auto& [name, role] : catalog.roles) {
    if (role->identities.contains(identity)) return role.get();
  }
  return nullptr;
}

}  // namespace widerow
