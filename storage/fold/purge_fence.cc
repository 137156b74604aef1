#include "storage/fold/purge_fence.h"

#include <algorithm>

namespace widerow {

void PurgeFence::Raise(std::vector<Bytes> keys) {
  MutexLock lock(mutex_);
  raised_ = std::make_shared<const std::vector<Bytes>>(std::move(keys));
  group_has_seen_ = false;
  while (in_group_ && !group_has_seen_) changed_.Wait(mutex_);
}

void PurgeFence::Lower() {
  MutexLock lock(mutex_);
  raised_ = nullptr;
  changed_.NotifyAll();
}

void PurgeFence::BeginGroup() {
  MutexLock lock(mutex_);
  in_group_ = true;
  group_has_seen_ = true;
  seen_ = raised_;
}

void PurgeFence::EndGroup() {
  seen_ = nullptr;
  MutexLock lock(mutex_);
  in_group_ = false;
  changed_.NotifyAll();
}

bool PurgeFence::Guards(ByteView key) const {
  return seen_ != nullptr && std::binary_search(seen_->begin(), seen_->end(), key);
}

void PurgeFence::WaitUntilLowered() {
  MutexLock lock(mutex_);
  while (raised_ == seen_) changed_.Wait(mutex_);
  seen_ = raised_;
  group_has_seen_ = true;
  changed_.NotifyAll();
}

}  // namespace widerow
