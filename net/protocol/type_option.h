// A type as the protocol describes it in metadata (v4 section 4.2.5.2). What a version has no code for goes as a custom type
// with the name of Cassandra's class: duration before v5; date, time, smallint, tinyint before v4; vectors always. Types
// beyond CQL's (varbinary, longblob) are plain blob: drivers never meet a code they do not know.
#pragma once

#include "types/type.h"

namespace widerow {

void AppendTypeOption(Bytes& out, const Type& type, uint8_t version);

// "org.apache.cassandra.db.marshal.VectorType(org.apache.cassandra.db.marshal.FloatType , 3)": as Cassandra prints it.
std::string MarshalClassName(const Type& type);

}  // namespace widerow
