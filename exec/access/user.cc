#include "exec/access/user.h"

namespace widerow {

RightsPtr User::Renew(uint64_t version, const AccessPtr& catalog) const {
  {
    MutexLock lock(mutex_);
    if (rights_ != nullptr && catalog_ == catalog) {  // Another change of the schema.
      version_ = version;
      return rights_;
    }
  }
  static const AccessCatalog kNone;
  auto rights = std::make_shared<const Rights>(catalog == nullptr ? kNone : *catalog, role_);
  MutexLock lock(mutex_);
  version_ = version;
  catalog_ = catalog;
  rights_ = rights;
  return rights;
}

}  // namespace widerow
