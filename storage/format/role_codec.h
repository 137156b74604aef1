// Encodes a role as bytes, with a version and a checksum like every record (docs/internals/storage-format.md,
// "Catalog"). Pure functions.
#pragma once

#include "base/bytes.h"
#include "types/access.h"

namespace widerow {

Bytes EncodeRole(const RoleSchema& role);
// Returns false for bytes that no encoder made. `record` includes its checksum.
bool DecodeRole(ByteView record, RoleSchema& role);

}  // namespace widerow
