// Finds tables by their HBase names, and keeps what HBase's clients set beside the schema: the attributes of tables and
// families, and whether a table is disabled. These facts are rows of tables in the keyspace `hbase`, which is created
// when it is first needed:
//
//   hbase.tables    (space, name → disabled, attributes)
//   hbase.families  (id → attributes)            id: the CQL table's id
//   hbase.markers   (family, k, kind, q, t)      delete markers (store/markers.h)
//
// Thread-safe.
#pragma once

#include "base/mutex.h"
#include "net/hbase/store/database.h"
#include "net/hbase/store/htable.h"

namespace widerow::hbase {

// The statements on the tables of the keyspace `hbase`.
struct SystemStatements {
  PreparedPtr read_markers, newest_marker, add_marker, remove_marker, remove_markers;
  PreparedPtr read_family, write_family, read_table, write_table, delete_table;
};

class Catalog {
 public:
  // Borrows the engine.
  explicit Catalog(Engine& engine) : database_(engine, engine.logins() == nullptr ? Caller() : Caller::Server()) {}

  Engine& engine() const { return database_.engine(); }
  // Returns the database for the server's own statements.
  const Database& own() const { return database_; }
  // Returns the database for the requests of a client.
  Database For(Caller caller) const { return Database(database_.engine(), std::move(caller)); }

  // Fails with TableNotFoundException if there is no such table.
  Result<HTablePtr> Find(const TableId& id) WR_EXCLUDES(mutex_);
  // Returns all tables, or those of one namespace; without the system tables.
  Result<std::vector<HTablePtr>> All(std::string_view space = {}) WR_EXCLUDES(mutex_);
  // Returns the namespaces: `default`, `hbase`, and all other keyspaces except CQL's system keyspaces.
  std::vector<std::string> Namespaces() const;

  // Creates the keyspace `hbase` with its tables, if it does not exist.
  Result<std::shared_ptr<const SystemStatements>> System() WR_EXCLUDES(mutex_);
  // Returns null if the keyspace `hbase` does not exist.
  Result<std::shared_ptr<const SystemStatements>> SystemIfExists() WR_EXCLUDES(mutex_);

  Status SetTable(const TableId& id, bool disabled, const Attributes& attributes);
  Status ForgetTable(const TableId& id);
  Status SetFamily(const TableSchema& table, const Attributes& attributes);

 private:
  Result<HTablePtr> Load(const SchemaSnapshot& schema, const TableId& id);
  Result<HFamily> LoadFamily(const TablePtr& table, ByteView name) WR_EXCLUDES(mutex_);
  // Reads the greatest timestamp of the family's delete markers, if it is unknown.
  Status LoadNewestMarker(FamilyState& state) WR_EXCLUDES(mutex_);
  Result<FamilyStatements> PrepareFamily(const TableSchema& table) const;
  Result<std::shared_ptr<const SystemStatements>> PrepareSystem() WR_EXCLUDES(mutex_);
  std::shared_ptr<FamilyState> StateOf(const TableSchema& table) WR_EXCLUDES(mutex_);
  void Forget() WR_EXCLUDES(mutex_);

  const Database database_;
  Mutex creating_;  // Held while the keyspace is created.
  Mutex loading_;   // Held while the greatest timestamp of a family's markers is read.
  mutable Mutex mutex_;
  SchemaPtr schema_ WR_GUARDED_BY(mutex_);  // The schema for which tables_ and system_ were made.
  std::map<TableId, HTablePtr> tables_ WR_GUARDED_BY(mutex_);
  uint64_t forgotten_ WR_GUARDED_BY(mutex_) = 0;  // Counts the calls of Forget.
  std::shared_ptr<const SystemStatements> system_ WR_GUARDED_BY(mutex_);
  std::map<Bytes, std::shared_ptr<FamilyState>> states_ WR_GUARDED_BY(mutex_);
};

}  // namespace widerow::hbase
