// Shows the rows of a SELECT one by one to code in the same process. No answer is built, and stored values are not
// copied.
#pragma once

#include <span>

#include "exec/select/select.h"

namespace widerow {

class RowViewer {
 public:
  virtual ~RowViewer() = default;
  // Called before the first row.
  virtual void Begin(const ResultColumnsPtr& columns) = 0;
  // Called for each row with one value per column; null data() means null. The values are valid during the call. If the
  // result is false, no more rows are shown.
  virtual bool Show(std::span<const ByteView> values) = 0;
};

// Shows all rows, or as many as the viewer wants, of one moment. Ignores the request's page size and paging state.
// Fails if the moment cannot be kept for as long as the viewer takes (exec/session/read_watch.h); some rows have then
// been shown.
Status ShowRows(const Permit& permit, const SelectRequest& request, StorageEngine& storage, const ViewOpener& open_view,
                RowViewer& viewer);

}  // namespace widerow
