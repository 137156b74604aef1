// Tables that are not stored: their rows are made from the state of the process each time a SELECT opens them. They are part
// of the schema like any other, so the planner, paging and every front door treat them alike; only writes are refused.
//
// Made once at start, then read-only: any thread.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "exec/tracing.h"
#include "storage/engine.h"

namespace widerow {

// Storage ids of stored tables begin above this one.
inline constexpr StorageId kVirtualStorageId = 0;
inline bool IsVirtual(const TableSchema& table) { return table.storage_id == kVirtualStorageId; }

// One row: native bytes (or null) for every column, in the order of TableSchema::columns.
using VirtualRow = std::vector<Value>;

// Everything a generator may look at.
struct VirtualContext {
  const SchemaSnapshot& schema;
  StorageEngine& storage;
  const TraceStore& traces;
  const ConnectionFacts* connection;  // The asking client's; null from inside the process.
};
using VirtualGenerator = std::function<std::vector<VirtualRow>(const VirtualContext&)>;

class VirtualTables {
 public:
  VirtualTables();

  // The stored schema with the virtual keyspaces put in, and the other way round.
  SchemaPtr AddTo(const SchemaPtr& stored) const;
  SchemaPtr RemoveFrom(const SchemaPtr& schema) const;

  // The table's rows of this moment. WR_CHECKs that `table` is one of these.
  std::unique_ptr<ReadView> OpenView(const TableSchema& table, const VirtualContext& context) const;

 private:
  struct Entry {
    TablePtr table;
    VirtualGenerator rows;
  };
  std::vector<Entry> entries_;
  std::vector<KeyspacePtr> keyspaces_;
};

}  // namespace widerow
