// Shows the rows of a SELECT one by one to code in the same process. No answer is built, and stored values are not
// copied.
#pragma once

#include <span>

#include "exec/select/select.h"

namespace widerow {

class RowViewer {
 public:
  struct Mode {
    // True: if the view that the rows come from must be given up (ReadWatch), the call fails. False: the rows then end
    // early (EndEarly).
    bool of_one_moment = true;
    bool skips_alike = false;  // True if SkipsAlike is called after each row.
  };

  virtual ~RowViewer() = default;
  virtual Mode mode() const { return {}; }
  // Called before the first row.
  virtual void Begin(const ResultColumnsPtr& columns) = 0;
  // Called for each row with one value per column; null data() means null. The values are valid during the call. If the
  // result is false, no more rows are shown.
  virtual bool Show(std::span<const ByteView> values) = 0;
  // True if the viewer does not need the next rows in which only the last clustering column is different. They may be
  // shown nevertheless.
  virtual bool SkipsAlike() const { return false; }
  // Called after the last row if more rows may follow it, although the viewer has not stopped. It is called only if
  // of_one_moment is false.
  virtual void EndEarly() {}
};

// Shows all rows, or as many as the viewer wants. Returns their number. Ignores the request's page size and paging
// state. Fails if of_one_moment is true and the view must be given up before the viewer has all rows
// (exec/session/read_watch.h); some rows have then been shown.
Result<uint64_t> ShowRows(const Permit& permit, const SelectRequest& request, StorageEngine& storage,
                          const ViewOpener& open_view, RowViewer& viewer);
// Shows the rows of a page, or as many as the viewer wants. Does not call Begin.
void ShowPage(const RowsPage& page, RowViewer& viewer);

}  // namespace widerow
