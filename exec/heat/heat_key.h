// The position of a row on the two vertical axes of a heat map: one is in the order of the key's values, partition key
// first; the other is in the order of tokens.
#pragma once

#include <string>

#include "types/schema.h"

namespace widerow {

inline constexpr size_t kHeatKeyBytesMax = 128;

// Returns the row's position on the key axis: bytes whose order is the order of the values, with DESC columns
// descending, cut to kHeatKeyBytesMax.
Bytes OrderedKey(const TableSchema& table, ByteView partition_key, ByteView clustering);

// Appends the part of the position on the key axis that all rows of a partition have. It is not cut.
void AppendOrderedPartition(const TableSchema& table, ByteView partition_key, Bytes& out);
// Returns the partition's range on the token axis (TokenAxis).
uint8_t TokenBucketOf(const TableSchema& table, ByteView partition_key);

// Returns the key as text for people, such as "ann, 2024-01-01". A cut key shows its complete values, then "…".
std::string OrderedKeyText(const TableSchema& table, ByteView ordered_key);
// Returns a stored partition key as text for people, such as "ann".
std::string PartitionKeyText(const TableSchema& table, ByteView partition_key);

}  // namespace widerow
