// system_traces.sessions and .events: what traced requests did (exec/session/tracing.h), in Cassandra's columns. Traces
// contain the values of statements. So a role sees its own requests only; to see those of others it needs SELECT on the
// table. (In Cassandra, every reader needs SELECT.)
#include "exec/access/user.h"
#include "exec/virtual/generators.h"

namespace widerow {

namespace {

const Bytes& LocalAddress(const TraceSession& session) {
  return session.connection == nullptr ? kLoopback : session.connection->local_address;
}

int32_t LocalPort(const TraceSession& session) {
  return session.connection == nullptr ? 0 : session.connection->local_port;
}

bool SeesAll(const VirtualContext& context, std::string_view table) {
  return context.actor.trusted() || context.actor.rights->HasOnTable(Permission::kSelect, "system_traces", table);
}

// True if the role that reads is the role that was traced. A later role of the same name is another one.
bool IsOwn(const VirtualContext& context, const TraceSession& session) {
  const UserPtr reader = context.connection == nullptr ? nullptr : context.connection->user;
  const UserPtr traced = session.connection == nullptr ? nullptr : session.connection->user;
  return reader != nullptr && traced != nullptr && reader->role_id() == traced->role_id();
}

// Returns the sessions that the reader may see and wants.
std::vector<std::shared_ptr<const TraceSession>> SessionsFor(const VirtualContext& context, std::string_view table) {
  std::vector<std::shared_ptr<const TraceSession>> sessions = context.traces.Sessions();
  const bool all = SeesAll(context, table);
  std::erase_if(sessions, [&](const auto& session) {
    return !context.Wants(session->id.view()) || !(all || IsOwn(context, *session));
  });
  return sessions;
}

}  // namespace

void TraceSessionsRows(const VirtualContext& context, VirtualRows& rows) {
  for (const auto& session : SessionsFor(context, "sessions")) {
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
  for (const auto& session : SessionsFor(context, "events")) {
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
