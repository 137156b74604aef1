// The statements that have been run: one record for each shape of a SELECT, INSERT, UPDATE, DELETE or BATCH over stored
// tables, whatever its constants. system_views.statements shows the records, and advice about keys and indexes uses
// them.
//
// Executions are counted exactly. Rows, bytes and time come from the OperationSampler, so they are estimates at high
// rates. Records do not survive a restart. Thread-safe.
#pragma once

#include <array>
#include <atomic>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "base/bytes_map.h"
#include "base/mutex.h"
#include "base/thread_number.h"
#include "planner/plan.h"

namespace widerow {

// The measurements of one execution.
struct StatementRun {
  uint64_t rows_examined = 0;  // Rows read, whether or not returned.
  uint64_t rows_returned = 0;
  uint64_t rows_written = 0;  // A deleted partition or range counts as one.
  uint64_t bytes = 0;         // Bytes of the rows returned or written.
  uint64_t micros = 0;        // The time of one page of a SELECT, or of a write until its answer.
};

// A copy of a record at one moment.
struct StatementFacts {
  std::string id;                    // 16 hex digits, always the same for one shape.
  std::string text;                  // With ? for constants; cut if long.
  std::string keyspace, table;       // The table of the statement; the first one of a BATCH.
  std::shared_ptr<const Plan> plan;  // The newest plan. It may have markers in place of constants.
  uint64_t executions = 0;
  uint64_t rows_examined = 0, rows_returned = 0, rows_written = 0, bytes = 0, micros = 0;
  uint64_t micros_max = 0;                      // The longest measured run.
  int64_t first_seconds = 0, last_seconds = 0;  // Seconds since 1970 of the first and the last measured run.
};

class StatementRecord {
 public:
  void Count() { stripes_[ThreadNumber() % kStripes].executions.fetch_add(1, std::memory_order_relaxed); }
  // Adds a measured run that counts for `stands_for` runs.
  void Add(const StatementRun& run, uint32_t stands_for, int64_t now_seconds);

 private:
  friend class StatementLoad;
  static constexpr size_t kStripes = 4;
  struct alignas(64) Stripe {
    std::atomic<uint64_t> executions{0};
  };
  uint64_t executions() const;

  std::array<Stripe, kStripes> stripes_;
  // Used by StatementLoad under its mutex.
  uint64_t executions_seen_ = 0;  // `executions` when TakeOne last checked the record.
  size_t bytes_held_ = 0;
  std::string key_, id_, text_, keyspace_, table_;
  std::atomic<uint64_t> rows_examined_{0}, rows_returned_{0}, rows_written_{0}, bytes_{0}, micros_{0}, micros_max_{0};
  std::atomic<int64_t> first_seconds_{0}, last_seconds_{0};
  mutable Mutex mutex_;
  std::shared_ptr<const Plan> plan_ WR_GUARDED_BY(mutex_);
};
using StatementRecordPtr = std::shared_ptr<StatementRecord>;

class StatementLoad {
 public:
  static constexpr size_t kRecordsMax = 1'000;
  static constexpr size_t kTextBytesMax = 2'048;
  static constexpr size_t kBytesMax = 32u << 20;  // Of all records with their plans.
  static constexpr size_t kRecordBytesMax = kBytesMax / 16;

  // Returns the record of a planned statement; null if its kind is not recorded, or if its text or its plan is so large
  // that the record would have more than kRecordBytesMax. If there are more than kRecordsMax records, or if they have
  // more than kBytesMax, those that were planned longest ago and have not been run since are dropped.
  StatementRecordPtr RecordOf(std::string_view text, const std::shared_ptr<const Plan>& plan) WR_EXCLUDES(mutex_);
  // Returns the records that have been run, in no particular order.
  std::vector<StatementFacts> List() const WR_EXCLUDES(mutex_);

 private:
  using Records = std::list<StatementRecordPtr>;
  // Moves records to `dropped` until the others are within the bounds.
  void DropSome(std::vector<StatementRecordPtr>& dropped) WR_REQUIRES(mutex_);
  StatementRecordPtr TakeOne() WR_REQUIRES(mutex_);

  mutable Mutex mutex_;
  size_t bytes_ WR_GUARDED_BY(mutex_) = 0;                       // Of all records.
  Records records_ WR_GUARDED_BY(mutex_);                        // Most recently planned first.
  ByteViewMap<Records::iterator> by_key_ WR_GUARDED_BY(mutex_);  // Keys point into records.
};

// Returns the statement's text with ? in place of each constant, and with single blanks between words.
std::string NormalizedText(std::string_view text);

}  // namespace widerow
