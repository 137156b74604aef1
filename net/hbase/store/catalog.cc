#include "net/hbase/store/catalog.h"

#include <algorithm>

#include "base/text.h"
#include "net/hbase/cells/java_error.h"
#include "net/hbase/store/attribute_map.h"
#include "planner/system_keyspaces.h"

namespace widerow::hbase {

namespace {

constexpr const char* kSystemTables[] = {
    "CREATE KEYSPACE IF NOT EXISTS hbase WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
    "CREATE TABLE IF NOT EXISTS hbase.tables (space text, name text, disabled boolean, "
    "attributes frozen<map<text, text>>, PRIMARY KEY (space, name))",
    "CREATE TABLE IF NOT EXISTS hbase.families (id uuid PRIMARY KEY, attributes frozen<map<text, text>>)",
    "CREATE TABLE IF NOT EXISTS hbase.markers (family blob, k blob, kind tinyint, q blob, t bigint, "
    "PRIMARY KEY (family, k, kind, q, t))",
};

Error NotFound(const TableId& id) { return MakeJavaError(kTableNotFound, id.Text()); }

size_t PrefixBytes(const TableSchema& table) {
  const Partitioning& partitioning = table.partitioning;
  if (partitioning.kind != PartitionKind::kKey || partitioning.columns.size() != 1) return 0;
  const ColumnSchema* column = table.FindId(partitioning.columns[0]);
  if (column == nullptr || !column->is_generated()) return 0;
  // If the partitions are prefixes of the row keys, the text is substring(k, 1, n) or substr(k, 1, n).
  const std::string& text = column->generated_as;
  const size_t comma = text.rfind(',');
  if (!text.starts_with("substr") || comma == std::string::npos) return 0;
  if (text.find("(k, 1,") == std::string::npos) return 0;
  return static_cast<size_t>(std::strtoul(text.c_str() + comma + 1, nullptr, 10));
}

}  // namespace

Result<HTablePtr> Catalog::Find(const TableId& id) {
  const SchemaPtr now = database_.engine().schema();
  uint64_t forgotten = 0;
  {
    MutexLock lock(mutex_);
    forgotten = forgotten_;
    if (schema_ == now) {
      if (const auto found = tables_.find(id); found != tables_.end()) return found->second;
    } else {
      schema_ = now;
      tables_.clear();
      system_.reset();
    }
  }
  WR_ASSIGN_OR_RETURN(HTablePtr table, Load(*now, id));
  MutexLock lock(mutex_);
  // If a table's attributes were changed meanwhile, the loaded attributes may be old. So the table is not kept.
  if (schema_ == now && forgotten_ == forgotten) tables_[id] = table;
  return table;
}

Result<HTablePtr> Catalog::Load(const SchemaSnapshot& schema, const TableId& id) {
  const KeyspaceSchema* keyspace = schema.FindKeyspace(id.space);
  if (keyspace == nullptr || IsSystemKeyspace(id.space) || id.space == kSystemNamespace) return NotFound(id);
  auto table = std::make_shared<HTable>();
  table->id = id;
  const std::string prefix = id.name + '$';
  for (auto at = keyspace->tables.lower_bound(prefix); at != keyspace->tables.end(); ++at) {
    const auto& [name, family] = *at;
    if (!name.starts_with(prefix)) break;
    if (name.size() == prefix.size() || !IsFamilyTable(*family)) continue;
    WR_ASSIGN_OR_RETURN(HFamily loaded, LoadFamily(family, ByteView(name).substr(prefix.size())));
    table->families.push_back(std::move(loaded));
  }
  if (table->families.empty()) return NotFound(id);
  std::ranges::sort(table->families, {}, &HFamily::name);
  WR_ASSIGN_OR_RETURN(const auto system, SystemIfExists());
  if (system != nullptr) {
    const RowSink sink = [&](const std::vector<ValueView>& row) {
      table->disabled = row[0] && !row[0]->empty() && row[0]->front() != 0;
      if (row[1]) table->attributes = DecodeTextMap(*row[1]);
      return true;
    };
    WR_RETURN_IF_ERROR(database_.Read(system->read_table, {TextValue(id.space), TextValue(id.name)}, sink));
  }
  return HTablePtr(std::move(table));
}

Result<HFamily> Catalog::LoadFamily(const TablePtr& table, ByteView name) {
  HFamily family;
  family.name = name;
  family.table = table;
  family.state = StateOf(*table);
  family.newest_first = table->clustering(1).descending;
  family.prefix_bytes = PrefixBytes(*table);
  WR_ASSIGN_OR_RETURN(family.statements, PrepareFamily(*table));
  WR_RETURN_IF_ERROR(LoadNewestMarker(*family.state));
  WR_ASSIGN_OR_RETURN(const auto system, SystemIfExists());
  if (system == nullptr) return family;
  const RowSink sink = [&](const std::vector<ValueView>& row) {
    if (row[0]) family.attributes = DecodeTextMap(*row[0]);
    return true;
  };
  WR_RETURN_IF_ERROR(database_.Read(system->read_family, {BytesValue(table->id.view())}, sink));
  family.options = FamilyOptions::Of(family.attributes);
  return family;
}

Status Catalog::LoadNewestMarker(FamilyState& state) {
  MutexLock loading(loading_);
  if (state.markers_known) return OkStatus();
  int64_t newest = std::numeric_limits<int64_t>::min();
  WR_ASSIGN_OR_RETURN(const auto system, SystemIfExists());
  if (system != nullptr) {
    const RowSink sink = [&](const std::vector<ValueView>& row) {
      if (row[0] && row[0]->size() == 8) newest = ReadBigEndian<int64_t>(row[0]->data());
      return true;
    };
    WR_RETURN_IF_ERROR(database_.Read(system->newest_marker, {BytesValue(state.id)}, sink));
  }
  state.newest_marker = newest;
  state.markers_known = true;
  return OkStatus();
}

Result<FamilyStatements> Catalog::PrepareFamily(const TableSchema& table) const {
  const std::string name = StrCat(Quoted(table.keyspace), ".", Quoted(table.name));
  FamilyStatements made;
  const std::string insert = StrCat("INSERT INTO ", name, " (k, q, t, v) VALUES (?, ?, ?, ?)");
  const std::string select = StrCat("SELECT q, t, v FROM ", name, " WHERE k = ?");
  const std::string remove = StrCat("DELETE FROM ", name, " WHERE k = ?");
  const std::pair<PreparedPtr*, std::string> all[] = {
      {&made.insert, insert},
      {&made.insert_ttl, insert + " USING TTL ?"},
      {&made.read_row, select},
      {&made.read_column, select + " AND q = ?"},
      {&made.read_columns, select + " AND q IN ?"},
      {&made.delete_row, remove},
      {&made.delete_column, remove + " AND q = ?"},
      {&made.delete_cell, remove + " AND q = ? AND t = ?"},
      {&made.delete_older, remove + " AND q = ? AND t < ?"},
      {&made.read_life, StrCat("SELECT ttl(v) FROM ", name, " WHERE k = ? AND q = ? AND t = ?")},
  };
  for (const auto& [statement, text] : all) { WR_ASSIGN_OR_RETURN(*statement, database_.Prepare(text)); }
  return made;
}

std::shared_ptr<FamilyState> Catalog::StateOf(const TableSchema& table) {
  Bytes id(table.id.view());
  AppendBigEndian(id, table.storage_id);
  MutexLock lock(mutex_);
  std::shared_ptr<FamilyState>& state = states_[id];
  if (state == nullptr) state = std::make_shared<FamilyState>(id);
  return state;
}

Result<std::vector<HTablePtr>> Catalog::All(std::string_view space) {
  const SchemaPtr schema = database_.engine().schema();
  std::vector<HTablePtr> tables;
  for (const auto& [name, keyspace] : schema->keyspaces) {
    if (IsSystemKeyspace(name) || name == kSystemNamespace || (!space.empty() && space != name)) continue;
    std::string last;
    for (const auto& [table_name, table] : keyspace->tables) {
      const size_t dollar = table_name.find('$');
      if (dollar == 0 || dollar == std::string::npos || !IsFamilyTable(*table)) continue;
      if (std::string group = table_name.substr(0, dollar); group != last) {
        last = group;
        Result<HTablePtr> found = Find({.space = name, .name = group});
        if (found.ok()) tables.push_back(std::move(*found));
      }
    }
  }
  return tables;
}

std::vector<std::string> Catalog::Namespaces() const {
  std::vector<std::string> names = {std::string(kDefaultNamespace), std::string(kSystemNamespace)};
  for (const auto& [name, keyspace] : database_.engine().schema()->keyspaces) {
    if (!IsSystemKeyspace(name) && name != kDefaultNamespace && name != kSystemNamespace) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

Result<std::shared_ptr<const SystemStatements>> Catalog::SystemIfExists() {
  const SchemaPtr now = database_.engine().schema();
  if (now->FindTable(kSystemNamespace, "markers") == nullptr) return std::shared_ptr<const SystemStatements>();
  {
    MutexLock lock(mutex_);
    if (system_ != nullptr && schema_ == now) return system_;
  }
  return PrepareSystem();
}

Result<std::shared_ptr<const SystemStatements>> Catalog::System() {
  MutexLock creating(creating_);
  WR_ASSIGN_OR_RETURN(auto system, SystemIfExists());
  if (system != nullptr) return system;
  for (const char* statement : kSystemTables) WR_RETURN_IF_ERROR(database_.Run(statement));
  return PrepareSystem();
}

Result<std::shared_ptr<const SystemStatements>> Catalog::PrepareSystem() {
  auto made = std::make_shared<SystemStatements>();
  const std::pair<PreparedPtr*, const char*> all[] = {
      {&made->read_markers, "SELECT kind, q, t FROM hbase.markers WHERE family = ? AND k = ?"},
      {&made->newest_marker, "SELECT max(t) FROM hbase.markers WHERE family = ?"},
      {&made->add_marker, "INSERT INTO hbase.markers (family, k, kind, q, t) VALUES (?, ?, ?, ?, ?) USING TTL ?"},
      {&made->remove_marker, "DELETE FROM hbase.markers WHERE family = ? AND k = ? AND kind = ? AND q = ? AND t = ?"},
      {&made->remove_markers, "DELETE FROM hbase.markers WHERE family = ?"},
      {&made->read_family, "SELECT attributes FROM hbase.families WHERE id = ?"},
      {&made->write_family, "INSERT INTO hbase.families (id, attributes) VALUES (?, ?)"},
      {&made->read_table, "SELECT disabled, attributes FROM hbase.tables WHERE space = ? AND name = ?"},
      {&made->write_table, "INSERT INTO hbase.tables (space, name, disabled, attributes) VALUES (?, ?, ?, ?)"},
      {&made->delete_table, "DELETE FROM hbase.tables WHERE space = ? AND name = ?"},
  };
  for (const auto& [statement, text] : all) { WR_ASSIGN_OR_RETURN(*statement, database_.Prepare(text)); }
  MutexLock lock(mutex_);
  if (schema_ == database_.engine().schema()) system_ = made;
  return std::shared_ptr<const SystemStatements>(std::move(made));
}

Status Catalog::SetTable(const TableId& id, bool disabled, const Attributes& attributes) {
  WR_ASSIGN_OR_RETURN(const auto system, System());
  const BatchEntry entry{.statement = system->write_table,
                         .values = {TextValue(id.space), TextValue(id.name), TinyintValue(disabled ? 1 : 0),
                                    BytesValue(EncodeTextMap(attributes))},
                         .names = {}};
  WR_RETURN_IF_ERROR(StatusOf(database_.Write({&entry, 1})));
  Forget();
  return OkStatus();
}

Status Catalog::ForgetTable(const TableId& id) {
  WR_ASSIGN_OR_RETURN(const auto system, SystemIfExists());
  if (system != nullptr) {
    const BatchEntry entry{
        .statement = system->delete_table, .values = {TextValue(id.space), TextValue(id.name)}, .names = {}};
    WR_RETURN_IF_ERROR(StatusOf(database_.Write({&entry, 1})));
  }
  Forget();
  return OkStatus();
}

Status Catalog::SetFamily(const TableSchema& table, const Attributes& attributes) {
  WR_ASSIGN_OR_RETURN(const auto system, System());
  const BatchEntry entry{.statement = system->write_family,
                         .values = {BytesValue(table.id.view()), BytesValue(EncodeTextMap(attributes))},
                         .names = {}};
  WR_RETURN_IF_ERROR(StatusOf(database_.Write({&entry, 1})));
  Forget();
  return OkStatus();
}

void Catalog::Forget() {
  MutexLock lock(mutex_);
  ++forgotten_;
  tables_.clear();
}

}  // namespace widerow::hbase
