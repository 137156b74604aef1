// Positions in tables that are not stored by token. A position is the part of a stored key after the storage id
// (storage/format/key_codec.h): eight zero bytes, and the partition key in a form that shows its end. The bounds of
// partitions and extents are positions, and they sort as the keys do.
#pragma once

#include "types/schema.h"

namespace widerow {

// The first eight bytes of each position. In a table that is stored by token, the token is in this place.
inline constexpr ByteView kNoToken("\0\0\0\0\0\0\0\0", sizeof(uint64_t));

// Returns the first position at which a partition key can be that is equal to or greater than `partition_key`.
// `partition_key` may be only the beginning of a partition key.
Bytes PositionOfKey(ByteView partition_key);
// Does the inverse of PositionOfKey. Returns an empty key for the first position, and if `position` is malformed.
Bytes KeyOfPosition(ByteView position);

// Returns the index of the partition map's entry that contains `position`, which may be followed by any bytes. Works
// for tables stored by token too.
size_t PartitionIndexAt(const TableSchema& table, ByteView position);
// Returns the storage id of a position, which may be followed by any bytes; 0 if nothing can be stored there.
StorageId StorageIdAt(const TableSchema& table, ByteView position);

// Returns the id of the partition-map entry that contains `position` (types/schema.h). More bytes may follow the
// position.
uint32_t PartitionIdOf(const TableSchema& table, ByteView position);

}  // namespace widerow
