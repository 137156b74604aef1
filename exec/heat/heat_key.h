// Where a row stands on the two vertical axes of a heat map: in the order of its key's values, partition key first, and in that
// of the tokens.
#pragma once

#include <string>

#include "types/schema.h"

namespace widerow {

inline constexpr size_t kHeatKeyBytesMax = 128;

// Byte order is the order of the values, with DESC columns descending. Cut to kHeatKeyBytesMax.
Bytes OrderedKey(const TableSchema& table, ByteView partition_key, ByteView clustering);

// For people: "ann, 2024-01-01": as many values as the key, which may be cut, has whole, "…" for what is left.
std::string OrderedKeyText(const TableSchema& table, ByteView ordered_key);
// The same of a partition key as storage has it.
std::string PartitionKeyText(const TableSchema& table, ByteView partition_key);

}  // namespace widerow
