// Encodes keyspaces, tables and types as bytes (docs/internals/storage-format.md, "Catalog"). Like every record, the
// bytes have a version and a checksum. Pure functions.
#pragma once

#include "base/result.h"
#include "types/schema.h"

namespace widerow {

Bytes EncodeKeyspace(const KeyspaceSchema& keyspace);  // Without its tables.
Bytes EncodeTable(const TableSchema& table);

// Return false for bytes that the Encode… functions have not made.
bool DecodeKeyspace(ByteView record, KeyspaceSchema& keyspace);
bool DecodeTable(ByteView record, TableSchema& table);

}  // namespace widerow
