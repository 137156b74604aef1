// The short way of the commonest SELECT: one row by its whole key, regular columns of one cell. What RowScan would do, without
// what only longer reads need.
#pragma once

#include "exec/select.h"

namespace widerow {

// nullopt: the statement is of another kind, or the row too large, and nothing has been counted yet. Errors are those that
// the long way gives, in its order.
Result<std::optional<RowsPage>> RunPointRead(const SelectPlan& plan, const SelectRequest& request, StorageEngine& storage,
                                             const ViewOpener& open_view);

}  // namespace widerow
