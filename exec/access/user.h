// A role that has logged in, on a connection or for an HTTP request. Its rights follow the catalog of roles.
// Thread-safe.
#pragma once

#include "base/mutex.h"
#include "exec/access/rights.h"
#include "types/schema.h"

namespace widerow {

class User {
 public:
  explicit User(const RoleSchema& role) : role_(role.name), role_id_(role.id) {}
  // The same role with further permissions, for statements that the server runs for it. A client must have no way to
  // choose such a statement. tests/tree/permit_test.py lists the code that may make such users.
  User(const User& user, AddedPermissions added)
      : role_(user.role_), role_id_(user.role_id_), added_(std::move(added)) {}

  const std::string& role() const { return role_; }
  const Uuid& role_id() const { return role_id_; }

  // Returns the current rights. `version` is a number that changes whenever the schema changes; `schema` returns the
  // newest schema. The caller must read `version` first, so that the schema is of this version or a newer one.
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
  const Uuid role_id_;  // Differs from the id of a later role of the same name.
  const AddedPermissions added_;
  mutable Mutex mutex_;
  mutable uint64_t version_ WR_GUARDED_BY(mutex_) = 0;
  mutable AccessPtr catalog_ WR_GUARDED_BY(mutex_);  // The catalog that rights_ were made from.
  mutable RightsPtr rights_ WR_GUARDED_BY(mutex_);
};
using UserPtr = std::shared_ptr<const User>;

}  // namespace widerow
