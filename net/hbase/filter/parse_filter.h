// Makes filters and comparators from their serialized form, which names the Java class.
#pragma once

#include "base/result.h"
#include "net/hbase/filter/comparator.h"
#include "net/hbase/filter/filter.h"

namespace hbase::pb {
class Filter;
class Comparator;
}  // namespace hbase::pb

namespace widerow::hbase {

// Filters and comparators of one request, and how deep filters may be nested.
inline constexpr size_t kFiltersMax = 4'096, kFilterDepthMax = 32;

// Fails with DoNotRetryIOException if the class is unknown, which the message names, or its bytes are malformed.
Result<FilterPtr> ParseFilter(const ::hbase::pb::Filter& filter);
Result<ComparatorPtr> ParseComparator(const ::hbase::pb::Comparator& comparator);
// The operator with the number that the protocol gives it. Fails for another number.
Result<CompareOp> ParseCompareOp(int number);

}  // namespace widerow::hbase
