// HEAT [KEYSPACE.]TABLE [BY KEY|TOKEN] [READS|WRITES|BYTES|TIME] [LAST n MINUTES]: the table's heat map as text, its shape in
// words, and the partitions that most of it fell on. All of it comes from system_views, so that it is the same on a server and
// on a data directory.
#pragma once

#include <iosfwd>
#include <string>

#include "shell/session.h"

namespace widerow {

// `keyspace` is that of unqualified names.
Status RunHeat(const std::string& command, const std::string& keyspace, Session& session, std::ostream& out);

}  // namespace widerow
