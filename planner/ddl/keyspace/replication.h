// The replication map of a keyspace. The server always keeps one copy of the data. It checks, stores and shows the map
// so that schemas written for a cluster run unchanged.
#pragma once

#include "planner/ddl/edit/properties.h"
#include "types/schema.h"

namespace widerow::ddl {

// Sets the given options in `keyspace`. The strategy becomes its full class name, as Cassandra stores it. Every data
// centre name is accepted, because only the cluster that the schema was written for knows its data centres.
Status ReadKeyspaceOptions(const Properties& properties, KeyspaceSchema& keyspace, std::vector<std::string>& warnings);

}  // namespace widerow::ddl
