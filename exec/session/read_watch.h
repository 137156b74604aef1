// How long a SELECT may read one moment. A page of rows, and an aggregate, come from one view (storage/engine.h); what
// the view still needs cannot be written again, so the data file and memory grow. Scans therefore ask a ReadWatch, now
// and then, whether their view has lasted too long: by its age, or by the bytes that nobody else needs any more
// (docs/guide/transactions.md).
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "storage/engine.h"

namespace widerow {

class Snapshot;

// Opens a view that shows the plan's table.
using ViewOpener = std::function<Result<std::unique_ptr<ReadView>>()>;

struct ReadLimits {
  std::chrono::milliseconds age_max{60'000};
  uint64_t pinned_bytes_max = uint64_t{1} << 30;  // ReadView::PinnedBytes.
  // Bytes are counted no more often than this: counting opens a transaction of LMDB's.
  std::chrono::milliseconds count_period{250};
};

// "60 s", "1.500 s".
std::string SecondsText(std::chrono::milliseconds time);

// The limits where nobody has said others. Memtables of `memtable_bytes` must not be too much by themselves.
ReadLimits DefaultReadLimits(size_t memtable_bytes);

// kReadTimeout: "Operation timed out", with a hint that names the limit.
Error ReadsTooLong(const ReadLimits& limits);
// kReadFailure: "Operation failed", with a hint that names the limit.
Error PinsTooMuch(const ReadLimits& limits);

// Watches one view after the other. One thread.
class ReadWatch {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  // Rows that a scan examines between two looks.
  static constexpr uint32_t kRowsPerLook = 1'000;

  // `snapshot`: what the views show, which has limits of its own; null: the present. Borrows it.
  ReadWatch(const ReadLimits& limits, Snapshot* snapshot) : limits_(limits), snapshot_(snapshot) {}

  // A view is opened.
  void Begin(TimePoint now) { opened_ = counted_ = now; }
  // Why the view must be given up, if it must.
  Status Look(const ReadView& view);
  // Views show the present: the next one shows a later moment.
  bool of_present() const { return snapshot_ == nullptr; }

 private:
  const ReadLimits limits_;
  Snapshot* const snapshot_;
  TimePoint opened_, counted_;
};

}  // namespace widerow
