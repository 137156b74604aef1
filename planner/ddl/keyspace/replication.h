// The replication map of a keyspace. The server always keeps one copy of the data. It checks, stores and shows the map
// as a Cassandra with one node in one datacenter does.
#pragma once

#include "planner/ddl/edit/properties.h"
#include "types/schema.h"

namespace widerow::ddl {

// Sets the given options in `keyspace`. In ALTER KEYSPACE, `keyspace` has the old options before the call. The name of
// the strategy becomes its full class name, as Cassandra stores it. Errors are Cassandra's; one of them is for a
// datacenter other than `datacenter`.
Status ReadKeyspaceOptions(const Properties& properties, const std::string& datacenter, KeyspaceSchema& keyspace,
                           std::vector<std::string>& warnings);

}  // namespace widerow::ddl
