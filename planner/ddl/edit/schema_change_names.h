// What kinds of schema changes and their targets are called: in events of the native protocol and in HTTP's answers.
#pragma once

#include "planner/schema_change.h"

namespace widerow {

const char* SchemaChangeKindName(SchemaChange::Kind kind);        // "CREATED", "UPDATED", "DROPPED".
const char* SchemaChangeTargetName(SchemaChange::Target target);  // "KEYSPACE", "TABLE", ….

}  // namespace widerow
