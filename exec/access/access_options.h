// Whether one has to log in, and as what: chosen when a database is opened.
#pragma once

#include "exec/access/login_limits.h"

namespace widerow {

enum class AccessMode : uint8_t {
  kOff,      // Whoever can reach the database may do anything.
  kProcess,  // Roles are kept and changed by the process itself, which may do anything: how one gets in when nobody can.
  kLogins,   // Every request needs somebody who has logged in.
};

struct AccessOptions {
  AccessMode mode = AccessMode::kOff;
  LoginLimits limits;
};

inline constexpr const char* kDefaultSuperuser = "cassandra";
inline constexpr const char* kDefaultPassword = "cassandra";

}  // namespace widerow
