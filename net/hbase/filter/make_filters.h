// One function for each kind of filter, with the parameters of the Java class of its name.
#pragma once

#include "net/hbase/filter/comparator.h"
#include "net/hbase/filter/filter.h"

namespace widerow::hbase {

// Filters by the row's key (row_filters.cc, fuzzy_row_filter.cc, multi_row_range_filter.cc).
FilterPtr MakePrefixFilter(Bytes prefix);
FilterPtr MakeInclusiveStopFilter(Bytes stop_row);
FilterPtr MakePageFilter(int64_t rows);
FilterPtr MakeRandomRowFilter(float chance);
FilterPtr MakeRowFilter(CompareOp op, ComparatorPtr comparator);

struct FuzzyKey {
  Bytes key, mask;  // They have equal lengths. The mask says which bytes of the key must match (MakePattern).
};
FilterPtr MakeFuzzyRowFilter(std::vector<FuzzyKey> keys, bool mask_v2);

struct RowRange {
  Bytes start, stop;  // Empty: no bound.
  bool start_inclusive = true, stop_inclusive = false;
};
// Fails if there is no range, or one that can contain no row.
Result<FilterPtr> MakeMultiRowRangeFilter(std::vector<RowRange> ranges);

// Filters by family, column, value or timestamp (compare_filters.cc, column_filters.cc, key_filters.cc).
FilterPtr MakeFamilyFilter(CompareOp op, ComparatorPtr comparator);
FilterPtr MakeQualifierFilter(CompareOp op, ComparatorPtr comparator);
FilterPtr MakeValueFilter(CompareOp op, ComparatorPtr comparator);
FilterPtr MakeColumnValueFilter(Bytes family, Bytes qualifier, CompareOp op, ComparatorPtr comparator);
FilterPtr MakeDependentColumnFilter(Bytes family, Bytes qualifier, bool drop, CompareOp op, ComparatorPtr comparator);
FilterPtr MakeColumnPrefixFilter(Bytes prefix);
FilterPtr MakeMultipleColumnPrefixFilter(std::vector<Bytes> prefixes);
struct ColumnRange {
  std::optional<Bytes> min, max;
  bool min_inclusive = true, max_inclusive = false;
};
FilterPtr MakeColumnRangeFilter(ColumnRange range);
// If `first` is set, the page begins at this column, and `offset` has no effect.
FilterPtr MakeColumnPaginationFilter(int32_t limit, int32_t offset, std::optional<Bytes> first);
FilterPtr MakeColumnCountGetFilter(int32_t limit);
FilterPtr MakeFirstKeyOnlyFilter();
FilterPtr MakeFirstKeyValueMatchingQualifiersFilter(std::vector<Bytes> qualifiers);
FilterPtr MakeKeyOnlyFilter(bool length_as_value);
FilterPtr MakeTimestampsFilter(std::vector<int64_t> timestamps, bool can_hint);

struct SingleColumn {
  Bytes family, qualifier;
  CompareOp op = CompareOp::kEqual;
  ComparatorPtr comparator;
  bool filter_if_missing = false, latest_version_only = true;
};
FilterPtr MakeSingleColumnValueFilter(SingleColumn column);
FilterPtr MakeSingleColumnValueExcludeFilter(SingleColumn column);

// Filters that contain other filters (wrapping_filters.cc, filter_list.cc).
FilterPtr MakeSkipFilter(FilterPtr filter);
FilterPtr MakeWhileMatchFilter(FilterPtr filter);
FilterPtr MakeAndList(std::vector<FilterPtr> filters);
FilterPtr MakeOrList(std::vector<FilterPtr> filters);

}  // namespace widerow::hbase
