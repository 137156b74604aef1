// Finds the base row from which a row of an index or view was computed.
#pragma once

#include "exec/derived/derivation.h"
#include "storage/storage_engine.h"

namespace widerow {

// The key of a base row.
struct BasePlace {
  Bytes partition_key, clustering;
  bool is_static = false;
};

// Reads the key of the base row out of a derived row. kServerError if the derived row does not have such a key.
Result<BasePlace> BasePlaceOf(const TableSchema& base, const TableDerivation& derivation, const RowView& derived);

// True if the base row exists and the derived row follows from it (derivation.h). `room` receives the base row.
Result<bool> FollowsFrom(ReadView& view, Arena& room, const TableSchema& base, const TableDerivation& derivation,
                         const BasePlace& place, const RowView& derived);

}  // namespace widerow
