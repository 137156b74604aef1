// Makes the error for bytes on disk that Widerow has not written.
#pragma once

#include "base/result.h"
#include "types/schema.h"

namespace widerow {

// Returns "DOING of KEYSPACE.TABLE", for messages about a read that has failed.
std::string OfTable(std::string_view doing, const TableSchema& table);

// Makes the error. `what` is the kind of the record, such as "row". `key` is the key under which it is stored.
Error DamagedRecord(const TableSchema& table, ByteView key, std::string_view what);

}  // namespace widerow
