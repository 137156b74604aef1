#include "net/hbase/store/admin.h"

#include <algorithm>

#include "base/text.h"
#include "net/hbase/cells/java_error.h"
#include "planner/ddl/partition/partition_by.h"
#include "planner/system_keyspaces.h"

namespace widerow::hbase {

namespace {

constexpr std::string_view kHBase = "org.apache.hadoop.hbase.";

std::string Qualified(const TableId& id, ByteView family) {
  return StrCat(Quoted(id.space), ".", Quoted(StrCat(id.name, "$", family)));
}

bool IsWord(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

Status CheckNames(const TableDescriptor& table) {
  if (!IsWord(table.id.name)) {
    return MakeJavaError(kDoNotRetry, StrCat("The name of the table ", table.id.Text(),
                                             " must consist of letters, digits and _, as names in CQL"));
  }
  if (table.families.empty()) { return MakeJavaError(kDoNotRetry, "Table should have at least one column family"); }
  for (const FamilyDescriptor& family : table.families) {
    if (!IsWord(family.name)) {
      return MakeJavaError(kDoNotRetry, StrCat("The name of the family ", family.name,
                                               " must consist of letters, digits and _, as names in CQL"));
    }
  }
  return OkStatus();
}

// Refuses attributes that the server does not support and that would change answers.
Status CheckFamily(const FamilyDescriptor& family) {
  const auto is = [&](const char* name, std::string_view value) {
    const auto found = family.attributes.find(name);
    if (found == family.attributes.end()) return false;
    std::string text = found->second;
    std::ranges::transform(text, text.begin(), [](char c) { return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c; });
    return text == value;
  };
  if (is("KEEP_DELETED_CELLS", "TRUE") || is("KEEP_DELETED_CELLS", "TTL")) return NotSupported("KEEP_DELETED_CELLS");
  if (is("NEW_VERSION_BEHAVIOR", "TRUE")) return NotSupported("NEW_VERSION_BEHAVIOR");
  if (is("IS_MOB", "TRUE")) return NotSupported("IS_MOB");
  return OkStatus();
}

std::string PartitionBy(std::vector<Bytes> split_keys) {
  std::ranges::sort(split_keys);
  if (split_keys.empty()) return "PARTITION BY RANGE (k)";
  std::string text = "PARTITION BY RANGE (k) (";
  for (size_t i = 0; i < split_keys.size(); ++i) {
    text += StrCat("PARTITION p", i, " VALUES LESS THAN (0x", ToHex(split_keys[i]), "), ");
  }
  return text + StrCat("PARTITION p", split_keys.size(), " VALUES LESS THAN MAXVALUE)");
}

std::string GeneratedColumns(const TableSchema& table) {
  std::string text;
  for (const ColumnSchema& column : table.columns) {
    if (!column.is_generated()) continue;
    text += StrCat(", ", Quoted(column.name), " ", TypeText(*column.type), " GENERATED ALWAYS AS (",
                   column.generated_as, ")");
  }
  return text;
}

}  // namespace

Status Admin::CheckAlter(const Caller& caller, const HTable& table, const HFamily& family) const {
  return catalog_.For(caller).CheckPermission(
      StrCat("ALTER TABLE ", Qualified(table.id, family.name), " WITH comment = ''"));
}

Status Admin::CheckAlterAll(const Caller& caller, const HTable& table) const {
  for (const HFamily& family : table.families) WR_RETURN_IF_ERROR(CheckAlter(caller, table, family));
  return OkStatus();
}

Status Admin::CheckDrop(const Caller& caller, const HTable& table, const HFamily& family) const {
  return catalog_.For(caller).CheckPermission(StrCat("DROP TABLE ", Qualified(table.id, family.name)));
}

Status Admin::CreateFamily(const Caller& caller, const TableId& id, const FamilyDescriptor& family,
                           const std::string& partition_by) {
  const Database database = catalog_.For(caller);
  std::string generated;
  if (const Result<HTablePtr> others = catalog_.Find(id); others.ok()) {
    generated = GeneratedColumns(*(*others)->families[0].table);
  }
  WR_RETURN_IF_ERROR(
      database.Run(StrCat("CREATE TABLE ", Qualified(id, family.name), " (k blob, q blob, t bigint, v blob", generated,
                          ", PRIMARY KEY (k, q, t)) WITH CLUSTERING ORDER BY (q ASC, t DESC) "
                          "TABLEGROUP = ",
                          Quoted(id.name), " ", partition_by)));
  const TablePtr made = database.engine().schema()->FindTable(id.space, StrCat(id.name, "$", family.name));
  if (made == nullptr) return ServerError("the table was dropped while it was created");
  return catalog_.SetFamily(*made, family.attributes);
}

Status Admin::Create(const Caller& caller, const TableDescriptor& table, std::vector<Bytes> split_keys) {
  const TableId& id = table.id;
  WR_RETURN_IF_ERROR(CheckNames(table));
  for (const FamilyDescriptor& family : table.families) WR_RETURN_IF_ERROR(CheckFamily(family));
  const Database database = catalog_.For(caller);
  if (id.space == kDefaultNamespace && database.engine().schema()->FindKeyspace(id.space) == nullptr) {
    WR_RETURN_IF_ERROR(
        database.Run("CREATE KEYSPACE IF NOT EXISTS \"default\" WITH replication = {'class': 'SimpleStrategy', "
                     "'replication_factor': 1}"));
  }
  WR_RETURN_IF_ERROR(CheckNamespace(id.space));
  if (catalog_.Find(id).ok()) return MakeJavaError(StrCat(kHBase, "TableExistsException"), id.Text());
  const SchemaPtr schema = database.engine().schema();
  const KeyspaceSchema* keyspace = schema->FindKeyspace(id.space);
  if (keyspace != nullptr && !keyspace->tablegroups.contains(id.name)) {
    WR_RETURN_IF_ERROR(database.Run(StrCat("CREATE TABLEGROUP ", Quoted(id.name)), id.space));
  }
  const std::string partition_by = PartitionBy(std::move(split_keys));
  for (const FamilyDescriptor& family : table.families) {
    WR_RETURN_IF_ERROR(CreateFamily(caller, id, family, partition_by));
  }
  return catalog_.SetTable(id, false, table.attributes);
}

Status Admin::DropFamily(const Caller& caller, const HTable& table, const HFamily& family) {
  WR_RETURN_IF_ERROR(catalog_.For(caller).Run(StrCat("DROP TABLE ", Qualified(table.id, family.name))));
  WR_ASSIGN_OR_RETURN(const auto system, catalog_.SystemIfExists());
  if (system == nullptr) return OkStatus();
  const BatchEntry entry{.statement = system->remove_markers, .values = {BytesValue(family.state->id)}, .names = {}};
  return StatusOf(catalog_.own().Write({&entry, 1}));
}

Status Admin::Delete(const Caller& caller, const TableId& id) {
  WR_ASSIGN_OR_RETURN(const HTablePtr table, catalog_.Find(id));
  if (!table->disabled) return MakeJavaError(StrCat(kHBase, "TableNotDisabledException"), id.Text());
  for (const HFamily& family : table->families) WR_RETURN_IF_ERROR(CheckDrop(caller, *table, family));
  for (const HFamily& family : table->families) WR_RETURN_IF_ERROR(DropFamily(caller, *table, family));
  const SchemaPtr schema = catalog_.engine().schema();
  const KeyspaceSchema* keyspace = schema->FindKeyspace(id.space);
  if (keyspace != nullptr && keyspace->tablegroups.contains(id.name)) {
    WR_RETURN_IF_ERROR(catalog_.own().Run(StrCat("DROP TABLEGROUP ", Quoted(id.name)), id.space));
  }
  return catalog_.ForgetTable(id);
}

Status Admin::Truncate(const Caller& caller, const TableId& id) {
  WR_ASSIGN_OR_RETURN(const HTablePtr table, catalog_.Find(id));
  if (!table->disabled) return MakeJavaError(StrCat(kHBase, "TableNotDisabledException"), id.Text());
  const Database database = catalog_.For(caller);
  for (const HFamily& family : table->families) {
    WR_RETURN_IF_ERROR(database.CheckPermission(StrCat("TRUNCATE ", Qualified(id, family.name))));
  }
  for (const HFamily& family : table->families) {
    WR_RETURN_IF_ERROR(database.Run(StrCat("TRUNCATE ", Qualified(id, family.name))));
  }
  return catalog_.SetTable(id, false, table->attributes);  // As in HBase, truncating enables the table.
}

Status Admin::SetDisabled(const Caller& caller, const TableId& id, bool disabled) {
  WR_ASSIGN_OR_RETURN(const HTablePtr table, catalog_.Find(id));
  WR_RETURN_IF_ERROR(CheckAlterAll(caller, *table));
  if (table->disabled == disabled) {
    return MakeJavaError(StrCat(kHBase, disabled ? "TableNotEnabledException" : "TableNotDisabledException"),
                         id.Text());
  }
  return catalog_.SetTable(id, disabled, table->attributes);
}

Status Admin::AddFamily(const Caller& caller, const TableId& id, const FamilyDescriptor& family) {
  WR_ASSIGN_OR_RETURN(const HTablePtr table, catalog_.Find(id));
  WR_RETURN_IF_ERROR(CheckNames({.id = id, .attributes = {}, .families = {family}}));
  WR_RETURN_IF_ERROR(CheckFamily(family));
  if (table->Find(family.name) != nullptr) {
    return MakeJavaError(StrCat(kHBase, "InvalidFamilyOperationException"),
                         StrCat("Column family '", family.name, "' in table '", id.Text(), "' already exists"));
  }
  // All families of a table have the same partitions.
  return CreateFamily(caller, id, family, ddl::PartitionByText(*table->families[0].table, false));
}

Status Admin::ModifyFamily(const Caller& caller, const TableId& id, const FamilyDescriptor& family) {
  WR_ASSIGN_OR_RETURN(const HTablePtr table, catalog_.Find(id));
  WR_RETURN_IF_ERROR(CheckFamily(family));
  const HFamily* found = table->Find(family.name);
  if (found == nullptr) {
    return MakeJavaError(StrCat(kHBase, "InvalidFamilyOperationException"),
                         StrCat("Column family '", family.name, "' does not exist"));
  }
  WR_RETURN_IF_ERROR(CheckAlter(caller, *table, *found));
  return catalog_.SetFamily(*found->table, family.attributes);
}

Status Admin::DeleteFamily(const Caller& caller, const TableId& id, ByteView family) {
  WR_ASSIGN_OR_RETURN(const HTablePtr table, catalog_.Find(id));
  const HFamily* found = table->Find(family);
  if (found == nullptr || table->families.size() == 1) {
    return MakeJavaError(StrCat(kHBase, "InvalidFamilyOperationException"),
                         found == nullptr ? StrCat("Column family '", family, "' does not exist")
                                          : StrCat("Family '", family, "' is the only column family in the table"));
  }
  return DropFamily(caller, *table, *found);
}

Status Admin::Modify(const Caller& caller, const TableDescriptor& wanted) {
  WR_ASSIGN_OR_RETURN(const HTablePtr table, catalog_.Find(wanted.id));
  WR_RETURN_IF_ERROR(CheckNames(wanted));
  WR_RETURN_IF_ERROR(CheckAlterAll(caller, *table));
  const auto is_wanted = [&](const HFamily& family) {
    return std::ranges::find(wanted.families, family.name, &FamilyDescriptor::name) != wanted.families.end();
  };
  for (const HFamily& family : table->families) {
    if (!is_wanted(family)) WR_RETURN_IF_ERROR(CheckDrop(caller, *table, family));
  }
  for (const FamilyDescriptor& family : wanted.families) {
    WR_RETURN_IF_ERROR(table->Find(family.name) == nullptr ? AddFamily(caller, wanted.id, family)
                                                           : ModifyFamily(caller, wanted.id, family));
  }
  for (const HFamily& family : table->families) {
    if (!is_wanted(family)) WR_RETURN_IF_ERROR(DeleteFamily(caller, wanted.id, family.name));
  }
  return catalog_.SetTable(wanted.id, table->disabled, wanted.attributes);
}

Status Admin::CheckNamespace(const std::string& name) const {
  const std::vector<std::string> known = catalog_.Namespaces();
  if (std::ranges::find(known, name) != known.end() && name != kSystemNamespace) return OkStatus();
  if (name == kSystemNamespace) return MakeJavaError(kDoNotRetry, "The namespace hbase belongs to the server");
  return MakeJavaError(StrCat(kHBase, "NamespaceNotFoundException"), name);
}

Status Admin::CreateNamespace(const Caller& caller, const std::string& name) {
  const std::vector<std::string> known = catalog_.Namespaces();
  if (std::ranges::find(known, name) != known.end()) {
    return MakeJavaError(StrCat(kHBase, "NamespaceExistException"), name);
  }
  return catalog_.For(caller).Run(StrCat("CREATE KEYSPACE ", Quoted(name),
                                         " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}"));
}

Status Admin::DeleteNamespace(const Caller& caller, const std::string& name) {
  WR_RETURN_IF_ERROR(CheckNamespace(name));
  const SchemaPtr schema = catalog_.engine().schema();
  const KeyspaceSchema* keyspace = schema->FindKeyspace(name);
  if (name == kDefaultNamespace || (keyspace != nullptr && !keyspace->tables.empty())) {
    return MakeJavaError(StrCat(kHBase, "constraint.ConstraintException"),
                         StrCat("Only empty namespaces can be removed. Namespace ", name, " has tables"));
  }
  return catalog_.For(caller).Run(StrCat("DROP KEYSPACE ", Quoted(name)));
}

}  // namespace widerow::hbase
