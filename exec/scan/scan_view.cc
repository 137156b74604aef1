#include "exec/scan/scan_view.h"

#include <utility>

namespace widerow {

ScanView::ScanView(const ViewOpener& open, const ReadWatch& watch, bool shows_page)
    : open_(open), watch_(watch), gives_up_(shows_page && watch.of_present()) {
  watch_.Begin(begun_);
}

Status ScanView::Open() {
  WR_ASSIGN_OR_RETURN(view_, open_());
  return OkStatus();
}

Status ScanView::OpenAnew() {
  view_.reset();
  watch_.Begin(std::chrono::steady_clock::now());
  return Open();
}

Result<ScanView::Verdict> ScanView::Look(bool any_shown) {
  watch_.Examined(std::exchange(examined_, 0));
  Status kept = watch_.Look(*view_);
  if (kept.ok()) return Verdict::kKeep;
  if (!gives_up_ || watch_.ran_long()) return std::move(kept).error();
  return any_shown ? Verdict::kEndPage : Verdict::kRenew;
}

uint64_t ScanView::AgeMicros() const {
  const auto age = std::chrono::steady_clock::now() - begun_;
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(age).count());
}

}  // namespace widerow
