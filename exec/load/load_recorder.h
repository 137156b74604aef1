// What goes on in the database, by statement and by key: every statement over stored tables passes here, and some of them
// (operation_sampler.h) are looked at closely. Thread-safe.
#pragma once

#include <chrono>
#include <memory>

#include "exec/load/operation_sampler.h"
#include "exec/load/statement_load.h"
#include "exec/load/touched_partitions.h"
#include "exec/scan_meter.h"
#include "storage/engine.h"

namespace widerow {

// Gathers what one SELECT reads. `table` outlives it.
class ReadMeter final : public ScanMeter {
 public:
  using SteadyClock = std::chrono::steady_clock;

  explicit ReadMeter(TablePtr table) : table_(std::move(table)) {}
  void Partition(ByteView partition_key, ByteView clustering, uint64_t rows, uint64_t bytes) override {
    MutexLock lock(mutex_);
    touched_.Add(table_, partition_key, clustering, rows, bytes);
  }
  // Once the scan has ended.
  const TouchedPartitions& touched() const { return touched_; }
  SteadyClock::time_point begun() const { return begun_; }

 private:
  const TablePtr table_;
  const SteadyClock::time_point begun_ = SteadyClock::now();
  Mutex mutex_;
  TouchedPartitions touched_;
};

class LoadRecorder {
 public:
  using SteadyClock = std::chrono::steady_clock;

  explicit LoadRecorder(StorageEngine& storage) : storage_(storage), sampler_(storage.clock()) {}

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
  void EndRead(StatementRecord& record, uint32_t stands_for, const ReadMeter& meter, uint64_t rows_returned, uint64_t bytes);
  void EndWrite(StatementRecord& record, uint32_t stands_for, SteadyClock::time_point begun, const TouchedPartitions& touched);

  // What the batch did is shared out evenly: which statement wrote what is not told any more.
  void EndBatch(const std::vector<StatementRecord*>& records, uint32_t stands_for, SteadyClock::time_point begun,
                const TouchedPartitions& touched);

  StatementLoad& statements() { return statements_; }
  const StatementLoad& statements() const { return statements_; }

 private:
  StorageEngine& storage_;
  OperationSampler sampler_;
  StatementLoad statements_;
};

}  // namespace widerow
