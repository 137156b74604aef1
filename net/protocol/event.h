// EVENT (v4 section 4.2.6), and the description of a schema change that RESULT contains too.
#pragma once

#include "net/protocol/frame_writer.h"
#include "planner/schema_change.h"

namespace widerow {

void AppendSchemaChange(Bytes& out, const SchemaChange& change);
// Encodes the event, which has stream -1; to.stream is ignored.
Bytes EncodeSchemaChangeEvent(const AnswerTo& to, const SchemaChange& change);
// Returns the change that clients of this version are told of. Version 3 has no events for functions and aggregates.
// Its clients are told that the keyspace has changed.
SchemaChange ChangeFor(uint8_t version, const SchemaChange& change);

}  // namespace widerow
