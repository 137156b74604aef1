// The state that the parts of an engine share: the storage, the schema and everything that is recorded about requests.
// Engine owns it. Thread-safe. The order of the members is the order of construction.
#pragma once

#include "base/published.h"
#include "exec/access/access_control.h"
#include "exec/access/permit.h"
#include "exec/engine/engine_options.h"
#include "exec/load/load_recorder.h"
#include "exec/session/backup_registry.h"
#include "exec/session/connection_registry.h"
#include "exec/session/request_counts.h"
#include "exec/session/snapshot.h"
#include "exec/session/tracing.h"
#include "exec/virtual/virtual_tables.h"
#include "exec/watch/statement_watch.h"
#include "storage/storage_engine.h"

namespace widerow {

struct EngineState {
  EngineState(std::unique_ptr<StorageEngine> opened, LanguageOptions language, const EngineOptions& options);

  SchemaPtr Schema() const { return schema.Load(); }
  bool logins_required() const { return access != nullptr && access->logins_required(); }

  const std::unique_ptr<StorageEngine> storage;
  const LanguageOptions language;
  const Guardrails guardrails;
  const ReadLimits read_limits;
  const std::string datacenter;
  Throughput throughput;
  const std::shared_ptr<StatementLog> statements;
  LoadRecorder load;
  const VirtualTables virtual_tables;
  ConnectionRegistry connections;
  RequestCounts request_counts;
  Published<SchemaSnapshot> schema;
  TraceStore traces;
  SnapshotRegistry snapshots;
  BackupRegistry backups;
  const std::unique_ptr<AccessControl> access;  // Null: nobody has to log in.
  const Gate gate;
};

inline Error ReadOnly(const TableSchema& table) {
  return InvalidError("table " + table.keyspace + "." + table.name + " is read-only",
                      "it shows the state of the server");
}

}  // namespace widerow
