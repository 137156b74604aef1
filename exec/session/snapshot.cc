#include "exec/session/snapshot.h"

#include <algorithm>

#include "base/text.h"
#include "exec/session/read_watch.h"

namespace widerow {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr int64_t kWatchPeriodMs = 250;
constexpr milliseconds kRemembered{600'000};
constexpr size_t kRememberedMax = 10'000;

}  // namespace

Snapshot::Snapshot(SchemaPtr schema, KeptMoment moment, const SnapshotLimits& limits)
    : schema_(std::move(schema)),
      limits_(limits),
      opened_(moment.since),
      micros_(moment.micros),
      held_(std::move(moment.held)) {}

milliseconds Snapshot::age() const { return std::chrono::duration_cast<milliseconds>(steady_clock::now() - opened_); }

Result<Snapshot::Turn> Snapshot::TakeTurn() {
  if (turn_of_.load() == std::this_thread::get_id()) {
    return InvalidError(
        "The snapshot is showing rows to the caller: another statement on it has to wait until they are done",
        "open a second snapshot, or gather the rows first");
  }
  turn_.Lock();
  turn_of_ = std::this_thread::get_id();
  return Turn(*this);
}

void Snapshot::EndTurn() {
  if (expired()) LetGo();
  turn_of_ = std::thread::id();
  turn_.Unlock();
}

Result<std::unique_ptr<ReadView>> Snapshot::OpenView() {
  WR_RETURN_IF_ERROR(StillOpen());
  const std::shared_ptr<HeldSnapshot> snapshot = held();
  if (snapshot == nullptr) return Expired();
  return snapshot->OpenView();  // The Turn keeps held_ until it ends, and the view is closed before that.
}

Status Snapshot::StillOpen() {
  if (age() >= limits_.age_max) Check();
  if (expired()) return Expired();
  return OkStatus();
}

void Snapshot::Check(const char* reason) {
  if (expired()) return;
  if (reason == nullptr && age() >= limits_.age_max) reason = "age";
  if (reason == nullptr) {
    const std::shared_ptr<HeldSnapshot> snapshot = held();
    if (snapshot == nullptr) return;
    const Result<uint64_t> pinned = snapshot->PinnedBytes();
    if (!pinned.ok() || *pinned <= limits_.pinned_bytes_max) return;
    reason = "pinned";
  }
  const char* none = nullptr;
  reason_.compare_exchange_strong(none, reason);
  expired_ = true;
  if (!turn_.TryLock()) return;  // Then EndTurn releases the snapshot.
  LetGo();
  turn_.Unlock();
}

std::shared_ptr<HeldSnapshot> Snapshot::held() const {
  MutexLock lock(mutex_);
  return held_;
}

void Snapshot::LetGo() {
  std::shared_ptr<HeldSnapshot> last;
  MutexLock lock(mutex_);
  last.swap(held_);
}

Error Snapshot::Expired() const {
  const std::string_view reason = reason_.load() == nullptr ? std::string_view() : reason_.load();
  if (limits_.of_answer && reason != "closed") {
    const ReadLimits limits{.age_max = limits_.age_max, .pinned_bytes_max = limits_.pinned_bytes_max};
    return reason == "pinned" ? PinsTooMuch(limits) : ReadsTooLong(limits);
  }
  if (reason == "pinned") {
    return InvalidError("Snapshot expired: writes since have left more than " +
                            std::to_string(limits_.pinned_bytes_max >> 20) + " MiB that only it still needs",
                        "open a new snapshot; read less under one, or while less is written");
  }
  if (reason == "age") {
    return InvalidError("Snapshot expired: it is older than " + SecondsText(limits_.age_max),
                        "open a new snapshot; none lasts longer than " + SecondsText(SnapshotLimits::kAgeMax));
  }
  return InvalidError("Snapshot expired: it has been closed", "open a new snapshot");
}

SnapshotRegistry::~SnapshotRegistry() {
  std::jthread watcher;
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    watcher = std::move(watcher_);
  }
  changed_.NotifyAll();
  if (watcher.joinable()) watcher.join();
  MutexLock lock(mutex_);
  for (const auto& [id, snapshot] : snapshots_) snapshot->Check("closed");
}

Result<SnapshotPtr> SnapshotRegistry::Open(SchemaPtr schema, KeptMoment moment, const SnapshotLimits& limits) {
  auto snapshot = std::make_shared<Snapshot>(std::move(schema), std::move(moment), limits);
  MutexLock lock(mutex_);
  const auto is_open = [](const auto& entry) { return !entry.second->expired(); };
  if (!limits.of_answer) WR_RETURN_IF_ERROR(CheckShare(limits.owner));
  if (snapshots_.size() >= kRememberedMax) std::erase_if(snapshots_, std::not_fn(is_open));
  const bool first = snapshots_.empty();  // The watcher sleeps while there are no snapshots.
  snapshots_.emplace(snapshot->id(), snapshot);
  if (!watcher_.joinable()) watcher_ = std::jthread([this] { Watch(); });
  if (first) changed_.NotifyAll();
  return snapshot;
}

Status SnapshotRegistry::CheckShare(const Uuid& owner) const {
  size_t open = 0, own = 0;
  for (const auto& [id, snapshot] : snapshots_) {
    if (snapshot->expired() || snapshot->of_answer()) continue;
    ++open;
    if (snapshot->owner() == owner) ++own;
  }
  if (open >= kOpenMax) {
    return Error{.code = ErrorCode::kOverloaded,
                 .message = StrCat("There are ", kOpenMax, " open snapshots already"),
                 .hint = "close those that are not needed"};
  }
  if (owner == Uuid() || own < kOpenMax - open) return OkStatus();
  return Error{.code = ErrorCode::kOverloaded,
               .message = StrCat("The role has ", own, " open snapshots already, and ", kOpenMax - open,
                                 " places are kept for other roles"),
               .hint = "close those that are not needed: a role may have as many as there are free places"};
}

SnapshotPtr SnapshotRegistry::Find(const Uuid& id) const {
  MutexLock lock(mutex_);
  const auto found = snapshots_.find(id);
  return found == snapshots_.end() ? nullptr : found->second;
}

bool SnapshotRegistry::Close(const Uuid& id) {
  SnapshotPtr snapshot;
  {
    MutexLock lock(mutex_);
    const auto found = snapshots_.find(id);
    if (found == snapshots_.end()) return false;
    snapshot = std::move(found->second);
    snapshots_.erase(found);
  }
  snapshot->Check("closed");
  return true;
}

size_t SnapshotRegistry::open() const {
  MutexLock lock(mutex_);
  return static_cast<size_t>(
      std::count_if(snapshots_.begin(), snapshots_.end(), [](const auto& entry) { return !entry.second->expired(); }));
}

void SnapshotRegistry::Watch() {
  MutexLock lock(mutex_);
  while (!stopping_) {
    if (snapshots_.empty()) {
      changed_.Wait(mutex_);
      continue;
    }
    changed_.WaitFor(mutex_, kWatchPeriodMs);
    for (const auto& [id, snapshot] : snapshots_) snapshot->Check();
    std::erase_if(snapshots_, [](const auto& entry) {
      return entry.second->expired() && entry.second->age() > kRemembered + entry.second->age_max();
    });
  }
}

}  // namespace widerow
