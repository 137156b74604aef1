// Encodes keyspaces, tables and types as bytes, with a version and a checksum like every record
// (docs/internals/storage-format.md, "Catalog"). Pure functions.
#pragma once

#include "base/result.h"
#include "types/schema.h"

namespace widerow {

Bytes EncodeKeyspace(const KeyspaceSchema& keyspace);  // Without its tables.
Bytes EncodeTable(const TableSchema& table);

// Return false for bytes that no encoder made.
bool DecodeKeyspace(ByteView record, KeyspaceSchema& keyspace);
bool DecodeTable(ByteView record, TableSchema& table);

}  // namespace widerow
