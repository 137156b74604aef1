#include "exec/virtual/trace_tables.h"

#include "exec/virtual/table_builder.h"
#include "types/value_bytes.h"

namespace widerow {

namespace {

constexpr const char* kKeyspace = "system_traces";
const Bytes kLoopback("\x7f\0\0\1", 4);

Value Int(int64_t number) { return EncodeInteger(TypeKind::kInt, number); }

TypePtr ParametersType() { return MapType(ScalarType(TypeKind::kText), ScalarType(TypeKind::kText)); }

Value ParametersValue(const std::map<std::string, std::string>& parameters) {
  std::vector<ValueView> parts;
  for (const auto& [name, value] : parameters) {
    parts.emplace_back(name);
    parts.emplace_back(value);
  }
  return JoinCollection(*MapType(ScalarType(TypeKind::kText), ScalarType(TypeKind::kText), true), parts);
}

const Bytes& LocalAddress(const TraceSession& session) {
  return session.connection == nullptr ? kLoopback : session.connection->local_address;
}

}  // namespace

TablePtr TraceSessionsTable() {
  using enum TypeKind;
  return VirtualTableBuilder(kKeyspace, "sessions", "tracing sessions")
      .PartitionKey("session_id", kUuid)
      .Regular("client", kInet)
      .Regular("command", kText)
      .Regular("coordinator", kInet)
      .Regular("coordinator_port", kInt)
      .Regular("duration", kInt)
      .Regular("parameters", ParametersType())
      .Regular("request", kText)
      .Regular("started_at", kTimestamp)
      .Build();
}

std::vector<VirtualRow> TraceSessionsRows(const VirtualContext& context) {
  std::vector<VirtualRow> rows;
  for (const auto& session : context.traces.Sessions()) {
    const ConnectionFacts* connection = session->connection.get();
    rows.push_back({Value(Bytes(session->id.view())), Value(connection == nullptr ? kLoopback : connection->client_address),
                    Value("QUERY"), Value(LocalAddress(*session)), Int(connection == nullptr ? 0 : connection->local_port),
                    Int(session->duration_micros), ParametersValue(session->parameters), Value(session->request),
                    EncodeInteger(TypeKind::kTimestamp, session->started_at_micros / 1'000)});
  }
  return rows;
}

TablePtr TraceEventsTable() {
  using enum TypeKind;
  return VirtualTableBuilder(kKeyspace, "events", "tracing events")
      .PartitionKey("session_id", kUuid)
      .Clustering("event_id", kTimeuuid)
      .Regular("activity", kText)
      .Regular("source", kInet)
      .Regular("source_elapsed", kInt)
      .Regular("source_port", kInt)
      .Regular("thread", kText)
      .Build();
}

std::vector<VirtualRow> TraceEventsRows(const VirtualContext& context) {
  std::vector<VirtualRow> rows;
  for (const auto& session : context.traces.Sessions()) {
    const int32_t port = session->connection == nullptr ? 0 : session->connection->local_port;
    for (const TraceEvent& event : session->events) {
      rows.push_back({Value(Bytes(session->id.view())), Value(Bytes(event.id.view())), Value(event.activity),
                      Value(LocalAddress(*session)), Int(event.elapsed_micros), Int(port), Value("request")});
    }
  }
  return rows;
}

}  // namespace widerow
