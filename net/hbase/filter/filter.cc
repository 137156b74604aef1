#include "net/hbase/filter/filter.h"

namespace widerow::hbase {

int CompareHint(const FilterHint& hint, const Bytes& row, const Cell& cell) {
  return CompareHints(
      hint,
      {.row = row, .in_row = true, .family = cell.family, .qualifier = cell.qualifier, .timestamp = cell.timestamp});
}

int CompareHints(const FilterHint& a, const FilterHint& b) {
  if (const int order = CompareBytes(a.row, b.row); order != 0) return order;
  if (a.in_row != b.in_row) return a.in_row ? 1 : -1;
  if (const int order = CompareBytes(a.family, b.family); order != 0) return order;
  if (const int order = CompareBytes(a.qualifier, b.qualifier); order != 0) return order;
  return a.timestamp > b.timestamp ? -1 : a.timestamp < b.timestamp ? 1 : 0;
}

FilterHint HintAt(const Bytes& row, const Cell& cell, const Bytes& qualifier) {
  return {.row = row, .in_row = true, .family = cell.family, .qualifier = qualifier};
}

}  // namespace widerow::hbase
