// The checksum of every record: XXH3, its low 32 bits, over all bytes before it.
#pragma once

#include "base/bytes.h"

namespace widerow {

inline constexpr size_t kChecksumBytes = 4;

uint32_t Checksum(ByteView bytes);
// XXH3 whole: for hash tables.
uint64_t Hash64(ByteView bytes);
// Appends the checksum of `record` to it.
void Seal(Bytes& record);
// Takes the checksum off the end of `record`. False if it is not the one of the bytes before it.
bool Unseal(ByteView& record);

}  // namespace widerow
