#include "storage/row.h"

namespace widerow {

void RowView::ExpandUniform() {
  if (!uniform) return;
  uniform = false;
  cells.clear();
  UniformCells from = packed;
  CellView cell{.timestamp = times.timestamp, .ttl = times.ttl, .expires_at = times.expires_at};
  while (from.Next(cell.column, cell.value)) cells.push_back(cell);
}

}  // namespace widerow
