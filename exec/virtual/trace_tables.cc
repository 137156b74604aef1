// system_traces.sessions and .events: what traced requests did (exec/session/tracing.h), in Cassandra's columns.
#include "exec/virtual/generators.h"

namespace widerow {

namespace {

const Bytes kLoopback("\x7f\0\0\1", 4);

const Bytes& LocalAddress(const TraceSession& session) {
  return session.connection == nullptr ? kLoopback : session.connection->local_address;
}

int32_t LocalPort(const TraceSession& session) {
  return session.connection == nullptr ? 0 : session.connection->local_port;
}

}  // namespace

void TraceSessionsRows(const VirtualContext& context, VirtualRows& rows) {
  for (const auto& session : context.traces.Sessions()) {
    if (!context.Wants(session->id.view())) continue;
    const ConnectionFacts* const connection = session->connection.get();
    rows.Add()
        .Id("session_id", session->id)
        .Native("client", connection == nullptr ? kLoopback : connection->client_address)
        .Text("command", "QUERY")
        .Native("coordinator", LocalAddress(*session))
        .Integer("coordinator_port", LocalPort(*session))
        .Integer("duration", session->duration_micros)
        .TextMap("parameters", session->parameters)
        .Text("request", session->request)
        .Integer("started_at", session->started_at_micros / 1'000);
  }
}

void TraceEventsRows(const VirtualContext& context, VirtualRows& rows) {
  for (const auto& session : context.traces.Sessions()) {
    if (!context.Wants(session->id.view())) continue;
    for (const TraceEvent& event : session->events) {
      rows.Add()
          .Id("session_id", session->id)
          .Id("event_id", event.id)
          .Text("activity", event.activity)
          .Native("source", LocalAddress(*session))
          .Integer("source_elapsed", event.elapsed_micros)
          .Integer("source_port", LocalPort(*session))
          .Text("thread", "request");
    }
  }
}

}  // namespace widerow
