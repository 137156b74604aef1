// What statements have been run: one record for each shape of a SELECT, INSERT, UPDATE, DELETE or BATCH over stored tables,
// whatever its constants. system_views.statements shows them; advice about keys and indexes goes by them.
//
// Executions are counted one by one; rows, bytes and time by the OperationSampler, so that at high rates they are estimates.
// Nothing is kept across a restart. Thread-safe.
#pragma once

#include <array>
#include <atomic>
#include <list>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/mutex.h"
#include "base/thread_number.h"
#include "planner/plan.h"

namespace widerow {

// What one execution did.
struct StatementRun {
  uint64_t rows_examined = 0;  // Read, whether or not they were in the answer.
  uint64_t rows_returned = 0;
  uint64_t rows_written = 0;   // Partitions and ranges deleted are one each.
  uint64_t bytes = 0;          // Of the rows returned or written.
  uint64_t micros = 0;         // Of a page, or until the write was answered.
};

// A record as it was at one moment.
struct StatementFacts {
  std::string id;               // 16 hex digits; of the same statement the same always.
  std::string text;             // With ? for constants; long ones are cut.
  std::string keyspace, table;  // That it is about; of a BATCH the first.
  std::shared_ptr<const Plan> plan;  // The newest one; its markers may stand for constants of the text.
  uint64_t executions = 0;
  uint64_t rows_examined = 0, rows_returned = 0, rows_written = 0, bytes = 0, micros = 0;
  uint64_t micros_max = 0;      // Of the runs that were looked at.
  int64_t first_seconds = 0, last_seconds = 0;  // Since 1970; of the runs that were looked at.
};

class StatementRecord {
 public:
  void Count() { stripes_[ThreadNumber() % kStripes].executions.fetch_add(1, std::memory_order_relaxed); }
  // Of a run that was looked at and stands for `stands_for` ones.
  void Add(const StatementRun& run, uint32_t stands_for, int64_t now_seconds);

 private:
  friend class StatementLoad;
  static constexpr size_t kStripes = 4;
  struct alignas(64) Stripe {
    std::atomic<uint64_t> executions{0};
  };
  uint64_t executions() const;

  std::array<Stripe, kStripes> stripes_;
  uint64_t executions_seen_ = 0;  // By StatementLoad, when it last thought of letting it go.
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

  // The record of a statement that has been planned; null if it is none that is recorded. Where there are kRecordsMax, the one
  // goes that was planned longest ago and has not been run since.
  StatementRecordPtr RecordOf(std::string_view text, const std::shared_ptr<const Plan>& plan) WR_EXCLUDES(mutex_);
  // Those that have been run, in no particular order.
  std::vector<StatementFacts> List() const WR_EXCLUDES(mutex_);

 private:
  using Records = std::list<StatementRecordPtr>;
  void DropOne() WR_REQUIRES(mutex_);

  mutable Mutex mutex_;
  Records records_ WR_GUARDED_BY(mutex_);  // Most recently planned first.
  std::unordered_map<std::string_view, Records::iterator> by_key_ WR_GUARDED_BY(mutex_);  // Keys are those of the records.
};

// A statement's text with ? in place of constants and one blank in place of several.
std::string NormalizedText(std::string_view text);

}  // namespace widerow
