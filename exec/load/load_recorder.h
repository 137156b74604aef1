// What goes on in the database, by statement and by key: every statement over stored tables passes here, and some of them
// (operation_sampler.h) are looked at closely. Thread-safe.
#pragma once

#include <chrono>
#include <memory>

#include "exec/guardrails/guardrails.h"
#include "exec/heat/heat_map.h"
#include "exec/load/operation_sampler.h"
#include "exec/load/statement_load.h"
#include "exec/meter/touched_partitions.h"
#include "exec/meter/scan_meter.h"
#include "storage/engine.h"

namespace widerow {

class LoadRecorder {
 public:
  using SteadyClock = std::chrono::steady_clock;

  // For writes that are answered later: by then the recorder, and the engine it belongs to, may be gone.
  class Gate {
   public:
    // Calls `use` while the recorder is there.
    template <typename Use>
    void Pass(const Use& use) WR_EXCLUDES(mutex_) {
      MutexLock lock(mutex_);
      if (open_) use();
    }
    void Close() WR_EXCLUDES(mutex_) {
      MutexLock lock(mutex_);
      open_ = false;
    }

   private:
    Mutex mutex_;
    bool open_ WR_GUARDED_BY(mutex_) = true;
  };

  LoadRecorder(StorageEngine& storage, const Guardrails& guardrails)
      : storage_(storage), guardrails_(guardrails), sampler_(storage.clock()), heat_(storage) {}

  ~LoadRecorder() { gate_->Close(); }
  std::shared_ptr<Gate> gate() const { return gate_; }

  // Counts an execution. 0: nothing more is to be told of it; otherwise as OperationSampler::Take. `record` may be null: nothing
  // is told of such a statement at all.
  uint32_t Begin(StatementRecord* record) {
    if (record == nullptr) return 0;
    record->Count();
    return sampler_.Take();
  }
  // The same of a batch put together by a client, of statements that are prepared each for itself. Nulls are passed over.
  uint32_t BeginBatch(const std::vector<StatementRecord*>& records);
  // Of one that stands for `stands_for`. `bytes`: of the rows returned.
  void EndRead(StatementRecord& record, uint32_t stands_for, const ScanMeter& meter, uint64_t rows_returned, uint64_t bytes);
  // Of a write. Adds warnings about partitions that are too large or too hot.
  void EndWrite(StatementRecord& record, uint32_t stands_for, SteadyClock::time_point begun, const TouchedPartitions& touched,
                std::vector<std::string>& warnings);

  // What the batch did is shared out evenly: which statement wrote what is not told any more.
  void EndBatch(const std::vector<StatementRecord*>& records, uint32_t stands_for, SteadyClock::time_point begun,
                const TouchedPartitions& touched, std::vector<std::string>& warnings);

  // Whether there is room for what is written: of the address space for data. Looks at it every ten seconds.
  Status GuardDataFile(std::vector<std::string>& warnings);

  StatementLoad& statements() { return statements_; }
  const StatementLoad& statements() const { return statements_; }
  HeatMap& heat() { return heat_; }

 private:
  // What is known of a table's large partitions; asked for every ten seconds.
  struct LargePartitions {
    int64_t asked_seconds = 0;
    std::unordered_map<Bytes, PartitionSize> by_key;
  };

  void GuardPartitions(const TouchedPartitions& touched, const TouchedPartitions::One* hot, std::vector<std::string>& warnings)
      WR_EXCLUDES(mutex_);
  void GuardHot(const TouchedPartitions::One& hot, std::vector<std::string>& warnings);

  const std::shared_ptr<Gate> gate_ = std::make_shared<Gate>();
  StorageEngine& storage_;
  const Guardrails& guardrails_;
  Mutex mutex_;
  std::unordered_map<StorageId, LargePartitions> large_ WR_GUARDED_BY(mutex_);
  std::atomic<int64_t> file_percent_{0}, file_asked_seconds_{0};
  OperationSampler sampler_;
  StatementLoad statements_;
  HeatMap heat_;
};

}  // namespace widerow
