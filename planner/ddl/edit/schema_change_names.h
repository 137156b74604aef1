// The names of schema changes and of their targets, for events of the native protocol and for HTTP answers.
#pragma once

#include "planner/schema_change.h"

namespace widerow {

const char* SchemaChangeKindName(SchemaChange::Kind kind);        // "CREATED", "UPDATED", "DROPPED".
const char* SchemaChangeTargetName(SchemaChange::Target target);  // "KEYSPACE", "TABLE", ….

}  // namespace widerow
