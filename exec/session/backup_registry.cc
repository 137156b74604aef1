#include "exec/session/backup_registry.h"

#include <iterator>

#include "base/text.h"

namespace widerow {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr int64_t kLookEveryMillis = 1'000;

}  // namespace

Status OpenBackup::Use() {
  used_ = SteadyClock::now();
  if (source_ != nullptr) return OkStatus();
  return InvalidError("The backup is closed: its client asked for nothing for a minute", "make the backup again");
}

Result<RecordsPart> OpenBackup::ReadRecords(bool meta, const Bytes& after) {
  MutexLock lock(mutex_);
  WR_RETURN_IF_ERROR(Use());
  Result<RecordsPart> part = source_->ReadRecords(meta, after);
  if (part.ok()) bytes_read_ += part->records.size();
  used_ = SteadyClock::now();
  return part;
}

Result<LogPart> OpenBackup::ReadLog(uint64_t sequence, uint64_t offset) {
  MutexLock lock(mutex_);
  WR_RETURN_IF_ERROR(Use());
  Result<LogPart> part = source_->ReadLog(sequence, offset);
  if (part.ok()) bytes_read_ += part->bytes.size();
  used_ = SteadyClock::now();
  return part;
}

Status OpenBackup::Finished(uint64_t through) {
  MutexLock lock(mutex_);
  WR_RETURN_IF_ERROR(Use());
  return source_->Finished(through);
}

Status OpenBackup::Touch() {
  MutexLock lock(mutex_);
  return Use();
}

bool OpenBackup::CloseIfIdle(SteadyClock::time_point since) {
  std::unique_ptr<BackupSource> closed;
  MutexLock lock(mutex_);
  if (used_ < since) closed = std::move(source_);
  return source_ == nullptr;
}

BackupRegistry::~BackupRegistry() {
  std::jthread watcher;
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    watcher = std::move(watcher_);
  }
  changed_.NotifyAll();
}

Status BackupRegistry::Add(OpenBackupPtr backup) {
  MutexLock lock(mutex_);
  const SteadyClock::time_point since = SteadyClock::now() - kSilentMax;
  for (auto at = backups_.begin(); at != backups_.end() && backups_.size() >= kOpenMax;) {
    at = at->second->CloseIfIdle(since) ? backups_.erase(at) : std::next(at);
  }
  if (backups_.size() >= kOpenMax) {
    return Error{.code = ErrorCode::kOverloaded,
                 .message = StrCat("There are ", kOpenMax, " open backups already"),
                 .hint = "wait until one has ended; system_views.backups shows them"};
  }
  backups_.emplace(backup->id(), std::move(backup));
  if (!watcher_.joinable()) watcher_ = std::jthread([this] { Watch(); });
  return OkStatus();
}

OpenBackupPtr BackupRegistry::Find(const Uuid& id) const {
  MutexLock lock(mutex_);
  const auto found = backups_.find(id);
  return found == backups_.end() ? nullptr : found->second;
}

void BackupRegistry::Remove(const Uuid& id) {
  OpenBackupPtr removed;
  MutexLock lock(mutex_);
  const auto found = backups_.find(id);
  if (found == backups_.end()) return;
  removed = std::move(found->second);
  backups_.erase(found);
}

std::vector<OpenBackupPtr> BackupRegistry::List() const {
  MutexLock lock(mutex_);
  std::vector<OpenBackupPtr> list;
  for (const auto& [id, backup] : backups_) list.push_back(backup);
  return list;
}

void BackupRegistry::Watch() {
  MutexLock lock(mutex_);
  while (!stopping_) {
    changed_.WaitFor(mutex_, kLookEveryMillis);
    std::vector<OpenBackupPtr> list;
    for (const auto& [id, backup] : backups_) list.push_back(backup);
    // A closed backup is removed from the list. If its client asks for it again, the answer is that it does not exist.
    for (const OpenBackupPtr& backup : list) {
      if (backup->CloseIfIdle(SteadyClock::now() - kIdleMax)) backups_.erase(backup->id());
    }
  }
}

}  // namespace widerow
