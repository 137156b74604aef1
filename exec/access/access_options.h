// Says whether clients must log in. Chosen when a database is opened.
#pragma once

#include "exec/access/login_limits.h"

namespace widerow {

enum class AccessMode : uint8_t {
  kOff,      // Anyone who can reach the database may do anything.
  kProcess,  // Only the process itself may do anything, for example to repair roles when nobody can log in.
  kLogins,   // Every request needs a role that has logged in.
};

struct AccessOptions {
  AccessMode mode = AccessMode::kOff;
  LoginLimits limits;
};

inline constexpr const char* kDefaultSuperuser = "cassandra";
inline constexpr const char* kDefaultPassword = "cassandra";

}  // namespace widerow
