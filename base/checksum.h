// The checksum at the end of a stored record: the low 32 bits of the XXH3 hash of all bytes before it. Pure functions.
#pragma once

#include "base/bytes.h"

namespace widerow {

inline constexpr size_t kChecksumBytes = 4;

uint32_t Checksum(ByteView bytes);
// Returns all 64 bits of XXH3, for hash tables.
uint64_t Hash64(ByteView bytes);
// Appends the checksum of `record` to it.
void Seal(Bytes& record);
// Removes the checksum from the end of `record`. False if it does not match the bytes before it.
bool Unseal(ByteView& record);

}  // namespace widerow
