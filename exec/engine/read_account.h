// The steps before and after one read: ReadAccount counts the read, checks the table's limits, measures the read if
// necessary, and charges the table for what was read.
#pragma once

#include <optional>

#include "exec/engine/engine_state.h"
#include "exec/prepared/prepared_statement.h"

namespace widerow {

// Used by one thread. Borrows the arguments.
class ReadAccount {
 public:
  // Counts the read. `record` may be null: the statement is not recorded.
  ReadAccount(EngineState& state, StatementRecord* record, const TablePtr& table)
      : state_(state),
        record_(record),
        table_(table),
        stands_for_(state.load.BeginRead(record)),
        limited_(state.throughput.Meters(*table) && !IsVirtual(*table)) {
    if (stands_for_ != 0) [[unlikely]]
      meter_.emplace(table);
  }

  // Fails with kOverloaded if the table has no units left (exec/guardrails/throughput.h). Must be called before the
  // read.
  Status Admit() {
    if (!limited_) [[likely]]
      return OkStatus();
    return state_.throughput.Admit(*table_, Access::kRead);
  }
  // Measures the read if the table has limits, because the table is charged for all rows that the read touches. Must be
  // called before reads of more than one row.
  void MeasureIfLimited() {
    if (limited_) Measure();
  }
  // Measures the read in any case.
  ScanMeter& Measure() { return meter_ ? *meter_ : meter_.emplace(table_); }
  // Returns the meter that the read must use; null: the read is not measured.
  ScanMeter* meter() { return meter_ ? &*meter_ : nullptr; }

  // Discards the measurements, because the read starts again in another way.
  void Restart() {
    if (meter_) meter_.emplace(table_);
  }

  // Charges and records a read of one row by its key. Such a read touches nothing but the row that it returns.
  void EndPoint(uint64_t rows_returned, uint64_t bytes_returned) {
    if (limited_) [[unlikely]]
      state_.throughput.Charge(*table_, Access::kRead, UnitsOf(rows_returned, bytes_returned));
    NoteLoad(rows_returned, bytes_returned);
  }
  void End(uint64_t rows_returned, uint64_t bytes_returned) {
    if (limited_) [[unlikely]] {
      const TouchedPartitions& touched = Measure().touched();
      state_.throughput.Charge(*table_, Access::kRead, UnitsOf(touched.rows(), touched.bytes()));
    }
    NoteLoad(rows_returned, bytes_returned);
  }

 private:
  void NoteLoad(uint64_t rows_returned, uint64_t bytes_returned) {
    if (stands_for_ == 0) [[likely]]
      return;
    state_.load.EndRead(*record_, stands_for_, *meter_, rows_returned, bytes_returned);
  }

  EngineState& state_;
  StatementRecord* const record_;
  const TablePtr& table_;
  const uint32_t stands_for_;  // The number of reads that this one counts for (BeginRead); 0: its load is not recorded.
  const bool limited_;
  std::optional<ScanMeter> meter_;
};

}  // namespace widerow
