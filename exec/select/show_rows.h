// Rows of a SELECT shown one by one to code of the same process, where they lie: no answer is put together, and what a row is
// stored as is not copied.
#pragma once

#include <span>

#include "exec/select/select.h"

namespace widerow {

class RowViewer {
 public:
  virtual ~RowViewer() = default;
  // Before the first row.
  virtual void Begin(const ResultColumnsPtr& columns) = 0;
  // One value a column, null data() for null; good during the call. False: no more are wanted.
  virtual bool Show(std::span<const ByteView> values) = 0;
};

// All rows, or as many as the viewer wants, of one moment; the request's page size and paging state do not count. Fails where the
// moment cannot be kept as long as the viewer takes (exec/session/read_watch.h); rows that have been shown stay shown.
Status ShowRows(const SelectPlan& plan, const SelectRequest& request, StorageEngine& storage, const ViewOpener& open_view,
                RowViewer& viewer);

}  // namespace widerow
