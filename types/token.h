// Murmur3Partitioner's token: drivers route by it and CQL's token() returns it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "types/type.h"

namespace widerow {

// First half of MurmurHash3_x64_128, seed 0, with Cassandra's signed-byte tail; INT64_MIN becomes INT64_MAX.
// The empty key has token INT64_MIN.
int64_t Murmur3Token(ByteView serialized_partition_key);

// Cassandra's bytes of a partition key: one component as it is; several as (u16 length, bytes, 0) each.
// kInvalid checks (length ≤ 65,535, empty single key) are the caller's.
Bytes SerializePartitionKey(const std::vector<ByteView>& components);
// The same, appended to `out`.
void SerializePartitionKey(std::span<const ByteView> components, Bytes& out);
// The inverse. False if `key` is malformed.
bool SplitPartitionKey(ByteView key, size_t component_count, std::vector<ByteView>& components);

}  // namespace widerow
