// `widerow dump`: writes keyspaces as CQL statements that a shell can read back. First come the statements of DESCRIBE,
// then the rows, with timestamps and TTLs as far as CQL can express them (docs/operate/backup.md).
#pragma once

#include <functional>
#include <ostream>
#include <string>

#include "shell/session.h"

namespace widerow {

struct DumpSelection {
  std::string keyspace, table;  // Both empty: all keyspaces except the system's. No table: the whole keyspace.
};

struct DumpFigures {
  uint64_t tables = 0, rows = 0, statements = 0;
};

// Writes the dump to `out`. `progress` receives the name of the table and the number of its rows so far. Errors: those
// of statements; there is no such keyspace or table; `out` fails.
Result<DumpFigures> Dump(Session& session, const DumpSelection& selection, std::ostream& out,
                         const std::function<void(const std::string& table, uint64_t rows)>& progress);

}  // namespace widerow
