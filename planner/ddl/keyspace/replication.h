// The replication map of a keyspace. The server always keeps one copy of the data. It checks, stores and shows the map
// as a Cassandra with one node in one datacenter does.
#pragma once

#include "planner/ddl/edit/properties.h"
#include "types/schema.h"

namespace widerow::ddl {

// Sets the given options in `keyspace`, which has those from before an ALTER KEYSPACE. The strategy becomes its full
// class name, as Cassandra stores it. Errors: Cassandra's, also for another datacenter than `datacenter`.
Status ReadKeyspaceOptions(const Properties& properties, const std::string& datacenter, KeyspaceSchema& keyspace,
                           std::vector<std::string>& warnings);

}  // namespace widerow::ddl
