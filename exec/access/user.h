// Who has logged in: a connection's, or the one an HTTP request names. Its rights follow the catalog of roles. Thread-safe.
#pragma once

#include "base/mutex.h"
#include "exec/access/rights.h"
#include "types/schema.h"

namespace widerow {

class User {
 public:
  explicit User(const RoleSchema& role) : role_(role.name), role_id_(role.id) {}

  const std::string& role() const { return role_; }
  const Uuid& role_id() const { return role_id_; }

  // Its rights now. `version` is another one with each schema, and `schema` gives the newest; what is loaded after the version
  // has been asked for is at least as new.
  template <typename Schema>
  RightsPtr RightsAt(uint64_t version, const Schema& schema) const WR_EXCLUDES(mutex_) {
    {
      MutexLock lock(mutex_);
      if (version_ == version) return rights_;
    }
    return Renew(version, schema()->access);
  }

 private:
  RightsPtr Renew(uint64_t version, const AccessPtr& catalog) const WR_EXCLUDES(mutex_);

  const std::string role_;
  const Uuid role_id_;  // A role made later under the name is somebody else.
  mutable Mutex mutex_;
  mutable uint64_t version_ WR_GUARDED_BY(mutex_) = 0;
  mutable AccessPtr catalog_ WR_GUARDED_BY(mutex_);  // That `rights_` were made of.
  mutable RightsPtr rights_ WR_GUARDED_BY(mutex_);
};
using UserPtr = std::shared_ptr<const User>;

}  // namespace widerow
