// Keys of the `data` database as pure bytes (docs/storage-format.md, "Keys"):
//   storage id (4) | position (8) | partition key, self-delimiting | kind (1) | rest
// Unsigned byte order of keys is the order of tables, tokens, partition keys, kinds and rows.
#pragma once

#include <cstdint>
#include <limits>

#include "base/bytes.h"
#include "types/schema.h"

namespace widerow {

enum class RecordKind : uint8_t {
  // The numbers are stored: append, never renumber. All are below 0xFE, see AppendDelimited.
  kHeader = 1,          // Partition deletion. No rest.
  kStatic = 2,          // Static row. No rest.
  kRangeTombstone = 3,  // rest = encoded clustering where it begins.
  kRow = 4,             // rest = encoded clustering.
  kSpill = 5,           // rest = clustering (self-delimiting), column id (4), path (self-delimiting), chunk (4).
};

// The space of keys too long for LMDB (long_keys.h). Never a table's storage id.
inline constexpr StorageId kChildSpaceId = 0xFFFF'FFFF;
inline constexpr StorageId kStorageIdMax = kChildSpaceId - 1;
inline constexpr size_t kKeyHeadBytes = 4 + 8;  // Storage id and position.

// Appends `bytes` so that it ends itself and order is kept: a run of n zero bytes becomes 00 FE…FE FF (n - 1 times FE)
// before another byte and 00 FE…FE (n times) at the end; then a terminating 00. What follows must be below 0xFE.
void AppendDelimited(ByteView bytes, Bytes& out);
// The inverse: takes it and its terminator off the front of `in`, appending to `out`. False if malformed.
bool TakeDelimited(ByteView& in, Bytes& out);
// Moves `in` past it. False if malformed.
bool SkipDelimited(ByteView& in);

// The token as eight bytes whose unsigned order is the token's.
Bytes PositionOfToken(int64_t token);
int64_t TokenOfPosition(ByteView eight_bytes);

void AppendStorageId(StorageId id, Bytes& out);
// Everything before the kind. One partition's keys are exactly those that start with it.
void AppendPartitionPrefix(StorageId id, ByteView partition_key, Bytes& out);
inline void AppendKind(RecordKind kind, Bytes& out) { out.push_back(static_cast<char>(kind)); }

// Length of the partition prefix `key` starts with; 0 if `key` is malformed or has no kind.
size_t PartitionPrefixSize(ByteView key);
// The partition key inside a prefix made by AppendPartitionPrefix. False if malformed.
bool PartitionKeyOfPrefix(ByteView prefix, Bytes& partition_key);

// The prefix of a column's spilled records: partition prefix, kind 5, clustering, column id.
void AppendSpillPrefix(ByteView partition_prefix, ByteView clustering, ColumnId column, Bytes& out);

// The smallest byte string above all that start with `prefix`; empty if there is none.
Bytes SuccessorOfPrefix(ByteView prefix);

}  // namespace widerow
