// Tables that are not stored: their rows are made from the state of the process each time a SELECT opens them. They are part
// of the schema like any other (exec/virtual/definitions.h), so the planner, paging and every front door treat them alike;
// only writes are refused.
//
// Made once at start, then read-only: any thread.
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "exec/session/connection_registry.h"
#include "exec/rows/outcome.h"
#include "exec/session/tracing.h"
#include "exec/virtual/virtual_rows.h"
#include "storage/engine.h"

namespace widerow {

// Storage ids of stored tables begin above this one.
inline constexpr StorageId kVirtualStorageId = 0;
inline bool IsVirtual(const TableSchema& table) { return table.storage_id == kVirtualStorageId; }

class DerivedBuilder;
class HeatMap;
class StatementLoad;
class Throughput;
struct Guardrails;

// Everything a generator may look at.
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
  bool logins_required = false;
  const ConnectionFacts* connection = nullptr;  // The asking client's; null from inside the process.
  // Set if the SELECT asks for this partition alone: rows of others may be left out.
  std::optional<Bytes> partition_key = {};

  // Set if it asks for these clusterings alone: others may be left out.
  std::vector<ClusteringRange> clustering = {};

  // Whether rows of the partition whose key is the one text (or uuid) `key` are asked for.
  bool Wants(std::string_view key) const { return !partition_key || *partition_key == key; }
  // The same of a partition key of keyspace and table.
  bool WantsTable(const TableSchema& table) const;
  // Whether rows whose first clustering column is the text `name`, ascending, are asked for.
  bool WantsClustering(std::string_view name) const;
};
using VirtualGenerator = std::function<void(const VirtualContext& context, VirtualRows& rows)>;

class VirtualTables {
 public:
  VirtualTables();

  // The stored schema with the server's own keyspaces put in, and the other way round.
  static SchemaPtr AddTo(const SchemaPtr& stored);
  static SchemaPtr RemoveFrom(const SchemaPtr& schema);

  // The table's rows of this moment; a table without a generator has none. The view borrows what `context` refers to.
  std::unique_ptr<ReadView> OpenView(const TableSchema& table, const VirtualContext& context) const;

 private:
  void Fill(const char* keyspace, const char* table, VirtualGenerator rows);
  std::map<const TableSchema*, VirtualGenerator> generators_;
};

}  // namespace widerow
