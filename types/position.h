// Positions in tables that are not stored by token: what stored keys have behind the storage id (storage/key_codec.h), eight
// zero bytes and the partition key, self-delimiting. Bounds of partitions and extents are positions, and order as the keys do.
#pragma once

#include "types/schema.h"

namespace widerow {

// The eight bytes where others have the token.
inline constexpr ByteView kNoToken("\0\0\0\0\0\0\0\0", sizeof(uint64_t));

// Where the keys that are not below `partition_key`, which may be a prefix of one, begin.
Bytes PositionOfKey(ByteView partition_key);
// The inverse. Empty for the first position, and for what is none.
Bytes KeyOfPosition(ByteView position);

// The entry of the partition map that holds a position, behind which anything may follow. Tables stored by token, too.
size_t PartitionIndexAt(const TableSchema& table, ByteView position);
// The storage id that a position is under; 0 if nothing can be there. Anything may follow it.
StorageId StorageIdAt(const TableSchema& table, ByteView position);

}  // namespace widerow
