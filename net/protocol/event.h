// EVENT (v4 section 4.2.6), and the three strings of a schema change that RESULT shares with it.
#pragma once

#include "net/protocol/frame_writer.h"
#include "planner/schema_change.h"

namespace widerow {

void AppendSchemaChange(Bytes& out, const SchemaChange& change);
// The stream is -1, whatever `to` says.
Bytes EncodeSchemaChangeEvent(const AnswerTo& to, const SchemaChange& change);
// Version 3 clients know nothing of functions and aggregates: they are told that the keyspace changed.
SchemaChange ChangeFor(uint8_t version, const SchemaChange& change);

}  // namespace widerow
