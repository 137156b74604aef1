// Evaluates the parts of a plan that depend on the values of a request: markers, keys, limits. Ranges between keys are
// in exec/bind/bind_ranges.h.
#pragma once

#include <span>
#include <vector>

#include "exec/rows/outcome.h"
#include "planner/plan.h"

namespace widerow {

// The way in which the values were sent. Cassandra's message for a wrong number of values depends on it.
enum class SentAs : uint8_t { kQuery, kPrepared, kBatchPart };

// Checks the request's values against the plan's markers: count, names, well-formedness. The result has one entry per
// marker, in marker order. It refers to `given` or, if the values came by name, to `named`, which this function fills.
Result<std::span<const BoundValue>> BindMarkers(const std::vector<MarkerSpec>& markers,
                                                const std::vector<BoundValue>& given,
                                                const std::vector<std::string>& names, SentAs sent_as,
                                                std::vector<BoundValue>& named);

// The form in which the value of a key column was written. Cassandra's sentences about missing values depend on it.
struct ValueForm {
  enum class Kind : uint8_t { kColumn, kTupleEqual, kTupleIn, kTupleBound };
  Kind kind = Kind::kColumn;
  uint32_t field = 0;  // The position in the tuple.
};
inline ValueForm FormOf(const KeyValues& values) {
  if (!values.tuple_field) return {};
  return {values.is_in ? ValueForm::Kind::kTupleIn : ValueForm::Kind::kTupleEqual, *values.tuple_field};
}

// Returns the value of a key column, or Cassandra's error if it is missing. The result refers to the expression, the
// context or `scratch`.
Result<ByteView> RequireValue(const Expression& expression, const ColumnSchema& column,
                              const EvaluationContext& context, Bytes& scratch, ValueForm form = {});

// True for the usual restriction, column = value.
inline bool IsOneValue(const KeyValues& values) { return values.values.size() == 1 && !values.list_valued; }

// Returns the elements of an IN list that was given as one value of a list type. `what` names the column or columns in
// errors.
Result<std::vector<Value>> ListElements(const Expression& list, const EvaluationContext& context,
                                        const std::string& what);

// Returns the values for one key column. The values of an IN list are in ascending order, also for a DESC column,
// without duplicates. kInvalid for null and unset.
Result<std::vector<Bytes>> BindKeyValues(const KeyValues& values, const ColumnSchema& column,
                                         const EvaluationContext& context);

// Returns Cassandra's error for a partition key or a clustering of more than limits::kKeyBytesMax bytes.
Error KeyTooLong(size_t bytes);

// Fails with kInvalid if IN lists select more than limits::kInProductMax `things` ("partitions", …) or
// limits::kInBytesMax bytes.
Status CheckInProduct(size_t count, size_t bytes, const char* things);

// Returns all partition keys (serialized) that the values select, in key order. kInvalid for a key that is too long and
// for too many keys.
Result<std::vector<Bytes>> BindPartitionKeys(const TableSchema& table, const std::vector<KeyValues>& values,
                                             const EvaluationContext& context);

// Binds the key of one row, in which every key column has one value. `partition_key` and `clustering` are empty on
// entry; `clustering` becomes the encoded clustering. The errors are those of BindPartitionKeys, BindClustering and
// RefuseEmptyKeys, in this order.
Status BindRowKey(const TableSchema& table, const std::vector<KeyValues>& partition_values,
                  const ClusteringSelection& clustering_values, const EvaluationContext& context, Bytes& partition_key,
                  Bytes& clustering);

// Fails with Cassandra's error if a key is one empty value. It is a separate function because a SELECT that can match
// nothing gets its answer before this check.
Status RefuseEmptyKeys(const std::vector<Bytes>& keys);

// Encodes a whole clustering; `values` has one entry per clustering column.
Bytes EncodeClustering(const TableSchema& table, std::span<const Bytes> values);

// Returns LIMIT or PER PARTITION LIMIT; nullopt if it is absent or unset. kInvalid with Cassandra's sentence if it is
// not positive.
Result<std::optional<uint32_t>> BindLimit(const std::optional<Expression>& limit, const EvaluationContext& context);

}  // namespace widerow
