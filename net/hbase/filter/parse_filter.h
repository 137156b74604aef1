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

// The bounds for the number of filters and comparators in one request, and for the depth of nested filters.
inline constexpr size_t kFiltersMax = 4'096, kFilterDepthMax = 32;
// The bound for the sum of the sizes of all serialized filters of a request. A filter inside another one counts by
// itself and as a part of the outer one.
inline constexpr size_t kFilterBytesMax = 32u << 20;

// Fails with DoNotRetryIOException if the bytes are malformed or the class is unknown. The message names the class.
Result<FilterPtr> ParseFilter(const ::hbase::pb::Filter& filter);
Result<ComparatorPtr> ParseComparator(const ::hbase::pb::Comparator& comparator);
// Returns the operator that has this number in the protocol. Fails if no operator has it.
Result<CompareOp> ParseCompareOp(int number);

}  // namespace widerow::hbase
