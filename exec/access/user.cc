#include "exec/access/user.h"

namespace widerow {

RightsPtr User::Renew(uint64_t version, const AccessPtr& catalog) const {
  {
    MutexLock lock(mutex_);
    if (rights_ != nullptr && catalog_ == catalog) {  // The schema has changed, but not the catalog.
      version_ = version;
      return rights_;
    }
  }
  static const AccessCatalog kNone;
  const RoleSchema* const role = catalog == nullptr ? nullptr : catalog->Find(role_);
  const bool is_there = role != nullptr && role->id == role_id_;
  auto rights = std::make_shared<const Rights>(is_there ? *catalog : kNone, role_, added_);
  MutexLock lock(mutex_);
  version_ = version;
  catalog_ = catalog;
  rights_ = rights;
  return rights;
}

}  // namespace widerow
