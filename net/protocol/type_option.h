// A type as metadata describes it (v4 section 4.2.5.2). If a version has no code for a type, the type becomes a custom
// type with the name of Cassandra's class: duration before v5; date, time, smallint, tinyint before v4; vectors always.
// Types beyond CQL (varbinary, longblob) are sent as blob, so drivers never meet an unknown code.
#pragma once

#include "types/type.h"

namespace widerow {

void AppendTypeOption(Bytes& out, const Type& type, uint8_t version);

// Returns a name such as "org.apache.cassandra.db.marshal.VectorType(org.apache.cassandra.db.marshal.FloatType , 3)",
// in Cassandra's spelling.
std::string MarshalClassName(const Type& type);

}  // namespace widerow
