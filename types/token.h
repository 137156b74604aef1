// Murmur3Partitioner's token, by which drivers route requests and which CQL's token() returns.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "types/type.h"

namespace widerow {

// Returns the first half of MurmurHash3_x64_128 with seed 0 and Cassandra's signed tail bytes; INT64_MIN is replaced by
// INT64_MAX. So only the empty key has the token INT64_MIN, which it gets without hashing.
int64_t Murmur3Token(ByteView serialized_partition_key);

// Returns Cassandra's bytes of a partition key: one component unchanged; several components as (u16 length, bytes, 0)
// each. The caller checks that lengths are at most 65,535 and that a single component is not empty.
Bytes SerializePartitionKey(const std::vector<ByteView>& components);
// Appends Cassandra's bytes of a partition key to `out`.
void SerializePartitionKey(std::span<const ByteView> components, Bytes& out);
// Does the inverse of SerializePartitionKey. False if `key` is malformed.
bool SplitPartitionKey(ByteView key, size_t component_count, std::vector<ByteView>& components);

}  // namespace widerow
