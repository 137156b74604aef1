#include "storage/memtable/read_state.h"

namespace widerow {

SharedReadState::SharedReadState() {
  auto first = std::make_shared<ReadState>();
  first->memtables.push_back(std::make_shared<Memtable>());
  state_.Store(std::move(first));
}

void SharedReadState::Change(const std::function<void(ReadState&)>& change) {
  // The previous state is destroyed after the lock is released. It may be the last owner of a large memtable, and
  // freeing that memtable takes long.
  ReadStatePtr before;
  MutexLock lock(mutex_);
  before = state_.Load();
  auto next = std::make_shared<ReadState>(*before);
  change(*next);
  state_.Store(std::move(next));
  version_.fetch_add(1);
}

void SharedReadState::Freeze() {
  Change([](ReadState& state) {
    WR_CHECK(state.memtables.size() < kMemtablesMax);
    // The new memtable is made for as many keys as the previous one has.
    const size_t keys = state.memtables.front()->nodes();
    state.memtables.insert(state.memtables.begin(), std::make_shared<Memtable>(keys));
  });
}

MemtablePtr SharedReadState::frozen() const {
  const ReadStatePtr state = Load();
  return state->memtables.size() > 1 ? state->memtables.back() : nullptr;
}

void SharedReadState::DropFrozen() {
  Change([](ReadState& state) { state.memtables.pop_back(); });
}

void SharedReadState::PublishOverlay(std::vector<PendingDeletionPtr> deletions) {
  OverlayPtr overlay = deletions.empty() ? nullptr : std::make_shared<const Overlay>(std::move(deletions));
  Change([&](ReadState& state) { state.overlay = std::move(overlay); });
}

}  // namespace widerow
