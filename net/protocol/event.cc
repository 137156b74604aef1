#include "net/protocol/event.h"

#include "net/protocol/body_writer.h"
#include "planner/ddl/edit/schema_change_names.h"

namespace widerow {

namespace {

bool HasArguments(const SchemaChange& change) {
  return change.target == SchemaChange::Target::kFunction || change.target == SchemaChange::Target::kAggregate;
}

}  // namespace

SchemaChange ChangeFor(uint8_t version, const SchemaChange& change) {
  if (version >= 4 || !HasArguments(change)) return change;
  return {.kind = SchemaChange::Kind::kUpdated, .target = SchemaChange::Target::kKeyspace, .keyspace = change.keyspace};
}

void AppendSchemaChange(Bytes& out, const SchemaChange& change) {
  AppendString(out, SchemaChangeKindName(change.kind));
  AppendString(out, SchemaChangeTargetName(change.target));
  AppendString(out, change.keyspace);
  if (change.target != SchemaChange::Target::kKeyspace) AppendString(out, change.name);
  if (HasArguments(change)) AppendStringList(out, {});
}

Bytes EncodeSchemaChangeEvent(const AnswerTo& to, const SchemaChange& change) {
  AnswerTo pushed = to;
  pushed.stream = -1;
  FrameWriter frame(pushed, Opcode::kEvent);
  AppendString(frame.body(), "SCHEMA_CHANGE");
  AppendSchemaChange(frame.body(), ChangeFor(to.version, change));
  return frame.Finish();
}

}  // namespace widerow
