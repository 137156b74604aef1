// What the files of Engine share.
#pragma once

#include "exec/bind/bind.h"
#include "exec/engine/engine.h"

namespace widerow {

// A text that is run at once has no id.
inline SentAs HowSent(const PreparedStatement& statement) {
  return statement.id.empty() ? SentAs::kQuery : SentAs::kPrepared;
}

inline Error ReadOnly(const TableSchema& table) {
  return InvalidError("table " + table.keyspace + "." + table.name + " is read-only",
                      "it shows the state of the server");
}

}  // namespace widerow
