// The replication map of a keyspace. There is one copy of the data whatever it says; it is checked, kept and shown so
// that schemas written for a cluster run unchanged.
#pragma once

#include "planner/ddl/edit/properties.h"
#include "types/schema.h"

namespace widerow::ddl {

// Sets what `properties` gives; replication with the strategy's full class name, as Cassandra stores it. Any data
// centre's name is taken: which ones there are is the cluster's business that the schema was written for.
Status ReadKeyspaceOptions(const Properties& properties, KeyspaceSchema& keyspace, std::vector<std::string>& warnings);

}  // namespace widerow::ddl
