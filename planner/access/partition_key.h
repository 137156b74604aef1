// Makes the stored key of a partition (storage/mutation.h) from column values, and takes it apart. No other file knows
// its form, which depends on the table:
//   stored by token      Cassandra's serialized bytes
//   KEY, HASH, LIST      partition number (4 bytes), then the same as for RANGE
//   RANGE                the order encoding of each column (types/order_codec.h); then, for each column whose encoding
//                        does not keep all bytes (decimal, varint), the original value, encoded as a blob
// Except for tables stored by token, the order of stored bytes within a partition is the order of the key, and leading
// columns are a prefix of the stored key. Pure functions, any thread.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "types/schema.h"

namespace widerow {

struct GeneratedColumn;  // planner/generated/generated_columns.h

// The number at the start of stored keys that belong to no partition. No LIST partition has this number.
inline constexpr uint32_t kNoPartitionNumber = 0xFFFF'FFFF;

// Appends the stored key of the partition with these values, one per partition key column. Fails only if a generated
// column cannot be computed.
Status AppendStoredKey(const TableSchema& table, std::span<const ByteView> components, Bytes& key);
// Splits a stored key into the values of its columns. False if `key` is malformed.
bool SplitStoredKey(const TableSchema& table, ByteView key, std::vector<Bytes>& components);
// Returns the error for a malformed stored key.
Error DamagedKey(const TableSchema& table, ByteView key);
// Returns Cassandra's bytes of a stored key, from which tokens are computed. Empty if `key` is malformed.
Bytes SerializedKey(const TableSchema& table, ByteView key);
int64_t TokenOfStoredKey(const TableSchema& table, ByteView key);

// For KEY, HASH and LIST tables. Returns the number of the partition for these key values, or kNoPartitionNumber.
Result<uint32_t> PartitionNumber(const TableSchema& table, std::span<const ByteView> components);
// Like PartitionNumber, but some components may be null, which means unknown. nullopt if the others do not determine
// the number.
Result<std::optional<uint32_t>> NumberOfSome(const TableSchema& table, const std::vector<ValueView>& components);
void AppendPartitionNumber(uint32_t number, Bytes& key);

// Fails with "Table has no partition for value …" if no partition takes rows with this key.
Status CheckHasPartition(const TableSchema& table, ByteView key);

// Returns the values of the RANGE bound at a position (types/position.h) as CQL literals: "20, 'a'". Empty for the
// first position of the table.
std::string BoundText(const TableSchema& table, ByteView first_position);
// Returns the decoded values of a RANGE partition's bound. Empty for the very first partition.
std::vector<Bytes> BoundValuesOf(const TableSchema& table, ByteView bound_key);

// Returns the generated column with this index in TableSchema::columns; null if it is an ordinary column.
const GeneratedColumn* GeneratedOf(const TableSchema& table, uint32_t column);

// Returns "RANGE", "KEY", … or "TOKEN".
const char* PartitionKindName(PartitionKind kind);

}  // namespace widerow
