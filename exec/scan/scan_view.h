// The view that a scan reads, and the rules for keeping it. Every ReadWatch::kRowsPerLook rows, the scan asks whether
// it must give up the view, because the view is too old or keeps too many bytes from reuse (ReadView::PinnedBytes). The
// page then ends early, or continues in a later view. (A scan of a client's snapshot fails instead.) Used by one
// thread.
#pragma once

#include <chrono>

#include "exec/scan/scan_options.h"

namespace widerow {

class ScanView {
 public:
  // Tells a scan what to do after Look.
  enum class Verdict : uint8_t {
    kKeep,     // Read on.
    kRenew,    // Close what reads the view, call OpenAnew, and continue after the current row.
    kEndPage,  // End the page after the current row: call EndPage.
  };

  // Borrows `open`; opens no view. `shows_page`: the scanned rows are a page of rows, which may end early because the
  // next page continues it.
  ScanView(const ViewOpener& open, const ReadWatch& watch, bool shows_page);
  ~ScanView() { watch_.Examined(examined_); }
  ScanView(const ScanView&) = delete;
  ScanView& operator=(const ScanView&) = delete;

  Status Open();
  // Opens a view of a later moment in place of the current one.
  Status OpenAnew();
  // Takes a view that is already open.
  void Use(std::unique_ptr<ReadView> view) { view_ = std::move(view); }
  ReadView& operator*() { return *view_; }
  ReadView* operator->() { return view_.get(); }

  void CountRow() { ++examined_; }
  // Counts the dead rows that an empty row stands for (Slice::shows_dead).
  void CountDeadRows() { examined_ += Slice::kDeadRowsStep; }
  // True if it is time to call Look.
  bool due() const { return examined_ >= ReadWatch::kRowsPerLook; }
  // Checks whether the view may be kept. `any_shown`: the page has shown a row. Fails if the view must be given up and
  // the rows are no page or come from a snapshot, or if the read is too long for its thread (ReadLimits::ran_long).
  Result<Verdict> Look(bool any_shown);

  void EndPage() { page_ended_ = true; }
  // True if the page has to end although it could hold more rows.
  bool page_ended() const { return page_ended_; }

  // Returns the time from the scan's beginning to now.
  uint64_t AgeMicros() const;

 private:
  const ViewOpener& open_;
  ReadWatch watch_;
  const bool gives_up_;  // True if the page may end early or change to another view.
  bool page_ended_ = false;
  uint32_t examined_ = 0;  // Rows since the last Look.
  std::unique_ptr<ReadView> view_;
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

}  // namespace widerow
