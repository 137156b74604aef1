#include "exec/session/connection_registry.h"

namespace widerow {

std::shared_ptr<ConnectionRegistry::Entry> ConnectionRegistry::Add(ClientFacts facts) {
  auto entry = std::make_shared<Entry>(std::move(facts));
  MutexLock lock(mutex_);
  entries_.remove_if([](const std::weak_ptr<Entry>& other) { return other.expired(); });
  entries_.push_back(entry);
  return entry;
}

std::vector<std::shared_ptr<const ConnectionRegistry::Entry>> ConnectionRegistry::List() const {
  std::vector<std::shared_ptr<const Entry>> live;
  MutexLock lock(mutex_);
  for (const std::weak_ptr<Entry>& entry : entries_) {
    if (auto held = entry.lock()) live.push_back(std::move(held));
  }
  return live;
}

}  // namespace widerow
