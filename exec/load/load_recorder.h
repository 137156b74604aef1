// Records the load of the database by statement and by key. Every statement over stored tables is counted, and every
// row that it writes; some statements are measured (operation_sampler.h). Thread-safe.
#pragma once

#include <chrono>
#include <memory>

#include "base/bytes_map.h"
#include "exec/guardrails/guardrails.h"
#include "exec/heat/heat_map.h"
#include "exec/load/operation_sampler.h"
#include "exec/load/statement_load.h"
#include "exec/load/statement_times.h"
#include "exec/meter/scan_meter.h"
#include "exec/meter/touched_partitions.h"
#include "storage/storage_engine.h"

namespace widerow {

class LoadRecorder {
 public:
  using SteadyClock = std::chrono::steady_clock;

  // Protects callbacks of writes, which may run after the recorder and its engine are destroyed.
  class Gate {
   public:
    // Calls `use` if the recorder still exists.
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
      : storage_(storage),
        guardrails_(guardrails),
        reads_(storage.clock()),
        writes_(storage.clock()),
        heat_(storage, [this] { return reads_.skipped(); }) {}

  ~LoadRecorder() { gate_->Close(); }
  std::shared_ptr<Gate> gate() const { return gate_; }

  // Counts the execution of a SELECT. Returns the number of executions that this one stands for; 0 if it is not
  // measured (OperationSampler::Take). `record` may be null: such statements are not recorded at all.
  uint32_t BeginRead(StatementRecord* record) {
    if (record == nullptr) return 0;
    record->Count();
    const uint32_t stands_for = reads_.Take();
    // The first reads of each second are measured, so the map learns of a new second before reads are skipped in it.
    if (stands_for != 0) [[unlikely]]
      heat_.TurnTo(storage_.clock().NowSeconds());
    return stands_for;
  }
  // Does what BeginRead does for a statement that writes.
  uint32_t BeginWrite(StatementRecord* record) {
    if (record == nullptr) return 0;
    record->Count();
    return writes_.Take();
  }
  // Does what BeginWrite does for a batch of prepared statements that a client has put together. Null records are
  // ignored.
  uint32_t BeginBatch(const std::vector<StatementRecord*>& records);
  // Counts the rows of a write, measured or not.
  void CountWrites(const Mutation& mutation) { heat_.CountWrites(mutation); }
  // Records a measured read, which counts for `stands_for` reads. `bytes`: size of the returned rows.
  void EndRead(StatementRecord& record, uint32_t stands_for, const ScanMeter& meter, uint64_t rows_returned,
               uint64_t bytes);
  // Records a measured write. Adds warnings about partitions that are too large or too busy.
  void EndWrite(StatementRecord& record, uint32_t stands_for, SteadyClock::time_point begun,
                const TouchedPartitions& touched, std::vector<std::string>& warnings);

  // Records a measured batch. Its work is divided evenly among the records: that of each statement is not known.
  void EndBatch(const std::vector<StatementRecord*>& records, uint32_t stands_for, SteadyClock::time_point begun,
                const TouchedPartitions& touched, std::vector<std::string>& warnings);

  // Checks how much of the address space for data is in use, and fails or warns as the guardrail says. Measures it
  // every ten seconds.
  Status GuardDataFile(std::vector<std::string>& warnings);

  StatementLoad& statements() { return statements_; }
  const StatementLoad& statements() const { return statements_; }
  HeatMap& heat() { return heat_; }
  const StatementTimes& times() const { return times_; }

 private:
  // The known large partitions of a table; refreshed every ten seconds.
  struct LargePartitions {
    int64_t asked_seconds = 0;
    BytesMap<PartitionSize> by_key;
  };

  void GuardPartitions(const TouchedPartitions& touched, std::vector<std::string>& warnings) WR_EXCLUDES(mutex_);
  // Warns of the first partition that is known to be hot.
  void GuardHot(const TouchedPartitions& touched, GuardrailCheck& check);

  const std::shared_ptr<Gate> gate_ = std::make_shared<Gate>();
  StorageEngine& storage_;
  const Guardrails& guardrails_;
  Mutex mutex_;
  absl::flat_hash_map<StorageId, LargePartitions> large_ WR_GUARDED_BY(mutex_);
  std::atomic<int64_t> file_percent_{0}, file_asked_seconds_{0};
  OperationSampler reads_, writes_;
  StatementLoad statements_;
  StatementTimes times_;
  HeatMap heat_;
};

}  // namespace widerow
