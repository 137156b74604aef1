// The key of a partition as storage has it (storage/mutation.h), made of the values of its columns and taken apart again. The one
// place that knows:
//   stored by token      Cassandra's serialized bytes
//   KEY, HASH, LIST      partition number (4), then as RANGE
//   RANGE                the columns' order encodings, one after the other (types/order_codec.h); then, for each column whose
//                        encoding forgets some of its bytes (decimal, varint), the original, encoded as a blob
// So in all but the first the order of stored bytes is the order of the key, within a partition, and leading columns are a prefix.
// Pure functions, any thread.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "types/schema.h"

namespace widerow {

struct GeneratedColumn;  // planner/generated/generated_columns.h

// What stored keys begin with if no partition takes their rows: a value that no LIST partition has.
inline constexpr uint32_t kNoPartitionNumber = 0xFFFF'FFFF;

// Appends the key of the partition with these values, one a partition key column. Fails only where a generated column does.
Status AppendStoredKey(const TableSchema& table, std::span<const ByteView> components, Bytes& key);
// The inverse. False if `key` is malformed.
bool SplitStoredKey(const TableSchema& table, ByteView key, std::vector<Bytes>& components);
// What to answer then.
Error DamagedKey(const TableSchema& table, ByteView key);
// Cassandra's bytes of a stored key: what tokens are computed from. Empty if `key` is malformed.
Bytes SerializedKey(const TableSchema& table, ByteView key);
int64_t TokenOfStoredKey(const TableSchema& table, ByteView key);

// KEY, HASH, LIST: the number of the partition that these values belong to, or kNoPartitionNumber.
Result<uint32_t> PartitionNumber(const TableSchema& table, std::span<const ByteView> components);
// The same where only some columns of the partition key are known: nullopt if that does not tell.
Result<std::optional<uint32_t>> NumberOfSome(const TableSchema& table, const std::vector<ValueView>& components);
void AppendPartitionNumber(uint32_t number, Bytes& key);

// "Table has no partition for value …", if no partition takes rows with this key.
Status CheckHasPartition(const TableSchema& table, ByteView key);

// The leading columns' values of a RANGE partition's first key as CQL literals: "20, 'a'". Empty for the very first.
std::string BoundText(const TableSchema& table, ByteView first_position);
// The values of a RANGE partition's bound, decoded. Empty for the very first.
std::vector<Bytes> BoundValuesOf(const TableSchema& table, ByteView bound_key);

// The generated column at this place of TableSchema::columns; null if it is an ordinary one.
const GeneratedColumn* GeneratedOf(const TableSchema& table, uint32_t column);

// "RANGE", "KEY", …; "TOKEN".
const char* PartitionKindName(PartitionKind kind);

}  // namespace widerow
