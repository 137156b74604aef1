// Limits how long a SELECT may keep one view open. A page of rows, or an aggregate, comes from one view
// (storage/storage_engine.h). Storage cannot reuse the pages and memtables that a view needs, so the data file and
// memory grow. Therefore scans regularly ask a ReadWatch whether they must give up their view, because of its age or
// because of the bytes that only the view needs (docs/guide/transactions.md).
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "storage/storage_engine.h"

namespace widerow {

class Snapshot;

// Opens a view of the plan's table.
using ViewOpener = std::function<Result<std::unique_ptr<ReadView>>()>;

// A read whose rows need not be from one moment opens a new view after this number of rows. So it keeps no view open
// for long.
inline constexpr uint32_t kRowsPerView = 20'000;

struct ReadLimits {
  std::chrono::milliseconds age_max{60'000};
  uint64_t pinned_bytes_max = uint64_t{1} << 30;  // ReadView::PinnedBytes.
  // The least time between two counts of pinned bytes: a count opens an LMDB transaction.
  std::chrono::milliseconds count_period{250};
  // If set, the read runs on a thread that other requests need. After kShortReadRows rows it fails, even if the other
  // limits allow more, and *ran_long becomes true. The caller then runs it again on another thread, with ran_long null.
  bool* ran_long = nullptr;
  std::atomic<uint64_t>* examined = nullptr;  // If set, gets the number of rows that scans have examined.
};

// The rows that a read may examine on a thread that other requests need, live and dead rows together.
inline constexpr uint32_t kShortReadRows = 10'000;

// Returns text such as "60 s" or "1.500 s".
std::string SecondsText(std::chrono::milliseconds time);

// Returns the default limits. They leave room for memtables of `memtable_bytes`.
ReadLimits DefaultReadLimits(size_t memtable_bytes);

// Returns kReadTimeout "Operation timed out", with a hint that names the limit.
Error ReadsTooLong(const ReadLimits& limits);
// Returns kReadFailure "Operation failed", with a hint that names the limit.
Error PinsTooMuch(const ReadLimits& limits);

// Watches one view at a time. Used by one thread.
class ReadWatch {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  // The number of rows that a scan examines between two calls of Look.
  static constexpr uint32_t kRowsPerLook = 1'000;

  // `snapshot`: the snapshot that the views show, borrowed; it has limits of its own. Null: the views show the present.
  ReadWatch(const ReadLimits& limits, Snapshot* snapshot) : limits_(limits), snapshot_(snapshot) {}

  // Must be called when a view is opened.
  void Begin(TimePoint now) { opened_ = counted_ = now; }
  // Fails if the view must be given up; the error says why.
  Status Look(const ReadView& view);
  // True if the read has failed because of ReadLimits::ran_long.
  bool ran_long() const { return limits_.ran_long != nullptr && *limits_.ran_long; }
  // Adds rows to ReadLimits::examined.
  void Examined(uint64_t rows) const {
    if (limits_.examined != nullptr) limits_.examined->fetch_add(rows, std::memory_order_relaxed);
  }
  // True if views show the present, so that the next view shows a later moment.
  bool of_present() const { return snapshot_ == nullptr; }

 private:
  const ReadLimits limits_;
  Snapshot* const snapshot_;
  TimePoint opened_, counted_;
  uint32_t looks_ = 0;
};

}  // namespace widerow
