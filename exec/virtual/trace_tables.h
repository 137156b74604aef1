// system_traces.sessions and .events: what traced requests did (exec/tracing.h), in Cassandra's columns.
#pragma once

#include "exec/virtual/virtual_tables.h"

namespace widerow {

TablePtr TraceSessionsTable();
std::vector<VirtualRow> TraceSessionsRows(const VirtualContext& context);

TablePtr TraceEventsTable();
std::vector<VirtualRow> TraceEventsRows(const VirtualContext& context);

}  // namespace widerow
