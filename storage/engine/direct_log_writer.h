// The engine's DirectLog (storage/fold/direct_log.h). It lets the writer's thread log each group, because only that
// thread gives sequence numbers.
#pragma once

#include <atomic>

#include "storage/fold/direct_log.h"
#include "storage/write/writer_thread.h"

namespace widerow {

class EngineDirectLog final : public DirectLog {
 public:
  explicit EngineDirectLog(const SharedReadState& state) : state_(state) {}

  // Before Attach and after Detach, Log returns false. When direct groups of `freeze_bytes` bytes have been logged, the
  // memtable is frozen and folded, so that a start need not repeat these groups.
  void Attach(WriterThread& writer, Folder& folder, size_t freeze_bytes) WR_EXCLUDES(mutex_);
  void Detach() WR_EXCLUDES(mutex_);

  Result<bool> Log(Bytes group) override;
  void NotMade() override { not_made_ = true; }
  // True from a call of NotMade until the next call of ForgetNotMade.
  bool not_made() const { return not_made_; }
  void ForgetNotMade() { not_made_ = false; }

 private:
  struct Job;

  const SharedReadState& state_;
  std::atomic<bool> not_made_{false};
  size_t bytes_ = 0;  // The bytes logged after the last freeze. Used by the writer's thread only.
  Mutex mutex_;
  WriterThread* writer_ WR_GUARDED_BY(mutex_) = nullptr;
  Folder* folder_ WR_GUARDED_BY(mutex_) = nullptr;
  size_t freeze_bytes_ WR_GUARDED_BY(mutex_) = 0;
};

}  // namespace widerow
