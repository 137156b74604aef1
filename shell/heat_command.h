// HEAT [KEYSPACE.]TABLE [BY KEY|TOKEN] [READS|WRITES|BYTES|TIME] [LAST n MINUTES]: prints the table's heat map, its
// shape in words, and the busiest partitions. All data comes from system_views, so the command works alike on a server
// and on a data directory.
#pragma once

#include <iosfwd>
#include <string>

#include "shell/session.h"

namespace widerow {

// `keyspace` is used for unqualified names. Errors: of the command's syntax, of the database.
Status RunHeat(const std::string& command, const std::string& keyspace, Session& session, std::ostream& out);

}  // namespace widerow
