// Encodes a role as bytes (docs/internals/storage-format.md, "Catalog"). Like every record, the bytes have a version
// and a checksum. Pure functions.
#pragma once

#include "base/bytes.h"
#include "types/access.h"

namespace widerow {

Bytes EncodeRole(const RoleSchema& role);
// `record` includes its checksum. Returns false for bytes that EncodeRole has not made.
bool DecodeRole(ByteView record, RoleSchema& role);

}  // namespace widerow
