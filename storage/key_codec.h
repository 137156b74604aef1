// Keys of the `data` database as pure bytes (docs/internals/storage-format.md, "Keys"):
//   storage id (4) | position (8) | partition key, self-delimiting | kind (1) | rest
// Unsigned byte order of keys is the order of tables, tokens, partition keys, kinds and rows. The eight bytes are the token in
// tables stored by token, and zeros in all others, whose partition keys order by themselves (planner/partition_key.h). What
// follows the storage id is called a position in the partition map and in extents (types/schema.h).
#pragma once

#include <cstdint>
#include <limits>

#include "base/delimited.h"
#include "types/position.h"

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

// The token as eight bytes whose unsigned order is the token's.
Bytes PositionOfToken(int64_t token);
int64_t TokenOfPosition(ByteView eight_bytes);

void AppendStorageId(StorageId id, Bytes& out);
// Everything before the kind. One partition's keys are exactly those that start with it.
void AppendPartitionPrefix(StorageId id, ByteView partition_key, Bytes& out);
// The same, by what the table says: without a token in tables that are not stored by it, and with the storage id of the extent.
void AppendPartitionPrefix(const TableSchema& table, ByteView partition_key, Bytes& out);
// The table of a key, or of a partition's prefix.
inline StorageId StorageIdOf(ByteView key) { return ReadBigEndian<StorageId>(key.data()); }
inline void AppendKind(RecordKind kind, Bytes& out) { out.push_back(static_cast<char>(kind)); }

// Length of the partition prefix `key` starts with; 0 if `key` is malformed or has no kind.
size_t PartitionPrefixSize(ByteView key);
// The partition key inside a prefix made by AppendPartitionPrefix. False if malformed.
bool PartitionKeyOfPrefix(ByteView prefix, Bytes& partition_key);

// The prefix of a column's spilled records: partition prefix, kind 5, clustering, column id.
void AppendSpillPrefix(ByteView partition_prefix, ByteView clustering, ColumnId column, Bytes& out);

// Whether the key belongs to the table as it is now, and not to a partition that has been truncated or dropped since.
inline bool IsLive(const TableSchema& table, ByteView key) {
  if (table.partitioning.extents.empty()) return true;
  return StorageIdAt(table, key.substr(sizeof(StorageId))) == ReadBigEndian<StorageId>(key.data());
}
// All that the table uses; its own first.
std::vector<StorageId> StorageIdsOf(const TableSchema& table);

// Positions from `begin` up to `end` (empty: to the last) under a storage id.
struct KeyExtent {
  StorageId storage_id = 0;
  Bytes begin, end;
  friend bool operator==(const KeyExtent&, const KeyExtent&) = default;
};
// What was the table's and is not any more, of storage ids that it still uses.
std::vector<KeyExtent> LostExtents(const TableSchema& was, const TableSchema& is);

// The smallest byte string above all that start with `prefix`; empty if there is none.
Bytes SuccessorOfPrefix(ByteView prefix);

}  // namespace widerow
