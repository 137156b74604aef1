#include "storage/row.h"

namespace widerow {

void RowView::ExpandUniform() {
  if (!uniform) return;
  uniform = false;
  cells.clear();
  for (ColumnId column = 0; column < values.size(); ++column) {
    if (values[column].data() == nullptr) continue;
    cells.push_back({.column = column,
                     .path = {},
                     .timestamp = times.timestamp,
                     .ttl = times.ttl,
                     .expires_at = times.expires_at,
                     .tombstone = false,
                     .value = values[column]});
  }
}

}  // namespace widerow
