// From a plan and a request's values to bytes: markers, key values, limits. What is read between keys: exec/bind/bind_ranges.h.
#pragma once

#include <span>
#include <vector>

#include "exec/rows/outcome.h"
#include "planner/plan.h"

namespace widerow {

// How the values came: Cassandra words a wrong number of them differently.
enum class SentAs : uint8_t { kQuery, kPrepared, kBatchPart };

// Checks the request's values against the plan's markers: count, names, well-formedness. The result has one entry a
// marker, in marker order: the request's own values, or, if they came by name, `named`, which this fills.
Result<std::span<const BoundValue>> BindMarkers(const std::vector<MarkerSpec>& markers,
                                                const std::vector<BoundValue>& given,
                                                const std::vector<std::string>& names, SentAs sent_as,
                                                std::vector<BoundValue>& named);

// A key value: present, or Cassandra's refusal. Borrows as EvaluateView does.
Result<ByteView> RequireValue(const Expression& expression, const ColumnSchema& column, const EvaluationContext& context,
                              Bytes& scratch);

// column = value: the usual restriction.
inline bool IsOneValue(const KeyValues& values) { return values.values.size() == 1 && !values.list_valued; }

// The elements of an IN given as one list value, for the column or columns `what`.
Result<std::vector<Value>> ListElements(const Expression& list, const EvaluationContext& context, const std::string& what);

// Values for one key column; IN lists sorted in the column's order and without repeats. kInvalid for null and unset.
Result<std::vector<Bytes>> BindKeyValues(const KeyValues& values, const ColumnSchema& column,
                                         const EvaluationContext& context);

// All partition keys (serialized) that the values name, in key order. Checks their length.
Result<std::vector<Bytes>> BindPartitionKeys(const TableSchema& table, const std::vector<KeyValues>& values,
                                             const EvaluationContext& context);

// The key of one row: every key column = one value. Fills `partition_key` and, encoded, `clustering`, both empty before; the
// errors are those of BindPartitionKeys, BindClustering and RefuseEmptyKeys, in this order.
Status BindRowKey(const TableSchema& table, const std::vector<KeyValues>& partition_values,
                  const ClusteringSelection& clustering_values, const EvaluationContext& context, Bytes& partition_key,
                  Bytes& clustering);

// Cassandra's refusal of a key of one empty value. Apart, because a SELECT that can match nothing is answered before it.
Status RefuseEmptyKeys(const std::vector<Bytes>& keys);

// Encoded whole clustering of the given values, one a clustering column.
Bytes EncodeClustering(const TableSchema& table, const std::vector<Bytes>& values);

// LIMIT and PER PARTITION LIMIT: positive, or kInvalid with Cassandra's sentence. nullopt if absent or unset.
Result<std::optional<uint32_t>> BindLimit(const std::optional<Expression>& limit, const EvaluationContext& context);

}  // namespace widerow
