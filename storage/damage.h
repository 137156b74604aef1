// The error for bytes on disk that no Widerow has written.
#pragma once

#include "base/result.h"
#include "types/schema.h"

namespace widerow {

// `what` the record is ("row"), and `key` it was found under.
Error DamagedRecord(const TableSchema& table, ByteView key, std::string_view what);

}  // namespace widerow
