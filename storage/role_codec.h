// A role as bytes, versioned and sealed like every record (docs/internals/storage-format.md, "Catalog").
#pragma once

#include "base/bytes.h"
#include "types/access.h"

namespace widerow {

Bytes EncodeRole(const RoleSchema& role);
// False to bytes that no encoder made. `record` still has its seal.
bool DecodeRole(ByteView record, RoleSchema& role);

}  // namespace widerow
