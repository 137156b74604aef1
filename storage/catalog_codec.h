// Keyspaces, tables and types as bytes, versioned and sealed like every record (docs/internals/storage-format.md, "Catalog").
#pragma once

#include "base/result.h"
#include "types/schema.h"

namespace widerow {

Bytes EncodeKeyspace(const KeyspaceSchema& keyspace);  // Without its tables.
Bytes EncodeTable(const TableSchema& table);

// False to bytes that no encoder made.
bool DecodeKeyspace(ByteView record, KeyspaceSchema& keyspace);
bool DecodeTable(ByteView record, TableSchema& table);

}  // namespace widerow
