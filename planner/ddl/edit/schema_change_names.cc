#include "planner/ddl/edit/schema_change_names.h"

namespace widerow {

const char* SchemaChangeKindName(SchemaChange::Kind kind) {
  switch (kind) {
    case SchemaChange::Kind::kCreated: return "CREATED";
    case SchemaChange::Kind::kUpdated: return "UPDATED";
    case SchemaChange::Kind::kDropped: return "DROPPED";
  }
  return "";
}

const char* SchemaChangeTargetName(SchemaChange::Target target) {
  switch (target) {
    case SchemaChange::Target::kKeyspace: return "KEYSPACE";
    case SchemaChange::Target::kTable: return "TABLE";
    case SchemaChange::Target::kType: return "TYPE";
    case SchemaChange::Target::kFunction: return "FUNCTION";
    case SchemaChange::Target::kAggregate: return "AGGREGATE";
  }
  return "";
}

}  // namespace widerow
