// Encodes the keys of the `data` database (docs/internals/storage-format.md, "Keys"). Pure functions. A key is:
//     storage id (4) | token or zeros (8) | partition key, self-delimiting | kind (1) | rest
// The unsigned byte order of keys is the order of tables, tokens, partition keys, kinds and rows. In tables stored by
// token the eight bytes are the token. In all other tables they are zeros, and the encoding of the partition keys keeps
// their order (planner/access/partition_key.h). In the partition map and in extents (types/schema.h), a position is
// everything after the storage id.
#pragma once

#include <cstdint>
#include <limits>

#include "base/delimited.h"
#include "types/position.h"

namespace widerow {

enum class RecordKind : uint8_t {
  // The numbers are stored. A new kind gets a new number; no number ever changes. All are less than 0xFE (see
  // AppendDelimited).
  kHeader = 1,          // Deletion of the partition. No rest.
  kStatic = 2,          // Static row. No rest.
  kRangeTombstone = 3,  // rest = encoded clustering where the range begins.
  kRow = 4,             // rest = encoded clustering.
  kSpill = 5,           // rest = clustering (self-delimiting), column id (4), path (self-delimiting), chunk (4).
  kPiece = 6,           // rest = object (8), piece (4); a part of a large object.
};
inline constexpr RecordKind kLastKind = RecordKind::kPiece;

// Keys that are too long for LMDB have their rest stored under this id (long_keys.h). It is never the storage id of a
// table.
inline constexpr StorageId kChildSpaceId = 0xFFFF'FFFF;
inline constexpr StorageId kStorageIdMax = kChildSpaceId - 1;
inline constexpr size_t kKeyHeadBytes = 4 + 8;  // Storage id, and token or zeros.

// Returns the token as eight bytes whose unsigned order is the order of tokens.
Bytes PositionOfToken(int64_t token);
int64_t TokenOfPosition(ByteView eight_bytes);

void AppendStorageId(StorageId id, Bytes& out);
// Appends the partition prefix: the part of a key before the kind. The keys of a partition are exactly those that start
// with its prefix.
void AppendPartitionPrefix(StorageId id, ByteView partition_key, Bytes& out);
// Appends the partition prefix of a partition of `table`. The storage id is that of the extent that contains the
// partition. If the table is not stored by token, there are zeros in place of the token.
void AppendPartitionPrefix(const TableSchema& table, ByteView partition_key, Bytes& out);
// Returns the storage id of a key or of a partition prefix.
inline StorageId StorageIdOf(ByteView key) { return ReadBigEndian<StorageId>(key.data()); }
inline void AppendKind(RecordKind kind, Bytes& out) { out.push_back(static_cast<char>(kind)); }

// Returns the length of the partition prefix of `key`. Returns 0 if `key` is malformed or ends before the kind.
size_t PartitionPrefixSize(ByteView key);
// Returns the same, and reads the partition key. If the result is 0, `partition_key` may have any bytes.
size_t ReadPartitionPrefix(ByteView key, Bytes& partition_key);
// Reads the partition key out of a prefix made by AppendPartitionPrefix. False if malformed.
bool PartitionKeyOfPrefix(ByteView prefix, Bytes& partition_key);

// Appends the beginning that the keys of a column's spilled records share: partition prefix, kind 5, clustering, column
// id.
void AppendSpillPrefix(ByteView partition_prefix, ByteView clustering, ColumnId column, Bytes& out);

// Appends the beginning that the keys of an object's pieces share: partition prefix, kind 6, object.
void AppendPiecePrefix(ByteView partition_prefix, uint64_t object, Bytes& out);

// False if the key belongs to a truncated or dropped partition of the table. The key must have one of the table's
// storage ids.
inline bool IsLive(const TableSchema& table, ByteView key) {
  if (table.partitioning.extents.empty()) return true;
  return StorageIdAt(table, key.substr(sizeof(StorageId))) == ReadBigEndian<StorageId>(key.data());
}
// Returns all storage ids that the table uses; table.storage_id is the first.
std::vector<StorageId> StorageIdsOf(const TableSchema& table);

// The keys under one storage id whose positions are in [begin, end). If `end` is empty, the range goes to the last
// position.
struct KeyExtent {
  StorageId storage_id = 0;
  Bytes begin, end;
  friend bool operator==(const KeyExtent&, const KeyExtent&) = default;
};
// Compares a table before a schema change (`was`) and after it (`is`). Returns the extents that the change has removed.
// Extents whose whole storage id is unused after the change are left out.
std::vector<KeyExtent> LostExtents(const TableSchema& was, const TableSchema& is);

// Returns the smallest byte string that is greater than all strings that start with `prefix`. Returns an empty string
// if there is none.
Bytes SuccessorOfPrefix(ByteView prefix);

}  // namespace widerow
