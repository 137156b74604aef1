// Tables that are not stored: their rows are made from the state of the process each time a SELECT opens them. They are
// in the schema like all other tables (exec/virtual/definitions.h), so the planner, paging and all protocols treat them
// alike; only writes are refused.
//
// Built at start, then immutable: any thread.
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "exec/access/actor.h"
#include "exec/rows/outcome.h"
#include "exec/session/connection_registry.h"
#include "exec/session/tracing.h"
#include "exec/virtual/virtual_rows.h"
#include "storage/storage_engine.h"

namespace widerow {

// Storage ids of stored tables begin above this one.
inline constexpr StorageId kVirtualStorageId = 0;
inline bool IsVirtual(const TableSchema& table) { return table.storage_id == kVirtualStorageId; }

class BackupRegistry;
class DerivedBuilder;
class HeatMap;
class StatementLoad;
class Throughput;
struct Guardrails;

// The state that generators may read.
struct VirtualContext {
  SchemaPtr schema;
  StorageEngine& storage;
  const StatementLoad& statements;
  HeatMap& heat;
  const Throughput& throughput;
  const Guardrails& guardrails;
  const TraceStore& traces;
  const ConnectionRegistry& connections;
  const DerivedBuilder& builds;
  const BackupRegistry& backups;
  std::string_view datacenter;
  bool logins_required = false;
  const ConnectionFacts* connection = nullptr;  // The client's; null: a request from inside the process.
  Actor actor = {};                             // The originator of the SELECT; trusted if nobody has to log in.
  // Set if the SELECT reads this partition only: a generator may leave out other rows.
  std::optional<Bytes> partition_key = {};

  // Set if the SELECT reads these clusterings only: a generator may leave out other rows.
  std::vector<ClusteringRange> clustering = {};

  // True if rows of the partition with the single key value `key` (a text or uuid) are wanted.
  bool Wants(std::string_view key) const { return !partition_key || *partition_key == key; }
  // Does what Wants does, for a partition key that consists of keyspace and table name.
  bool WantsTable(const TableSchema& table) const;
  // True if rows whose first clustering column has the text `name` are wanted. The column must have the order ASC.
  bool WantsClustering(std::string_view name) const;
};
using VirtualGenerator = std::function<void(const VirtualContext& context, VirtualRows& rows)>;

class VirtualTables {
 public:
  VirtualTables();

  // AddTo returns the stored schema with the server's own keyspaces; RemoveFrom is the inverse.
  static SchemaPtr AddTo(const SchemaPtr& stored);
  static SchemaPtr RemoveFrom(const SchemaPtr& schema);

  // Returns a view of the table's current rows; a table without a generator has no rows. The view borrows what
  // `context` refers to.
  std::unique_ptr<ReadView> OpenView(const TableSchema& table, const VirtualContext& context) const;

 private:
  void Fill(const char* keyspace, const char* table, VirtualGenerator rows);
  std::map<const TableSchema*, VirtualGenerator> generators_;
};

}  // namespace widerow
