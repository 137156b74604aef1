// Authorize visits the plan by kind. Reads and writes are checked on their tables (AuthorizeRead, RequireWrite).
// DdlCheck has one operator for each DDL statement and names the resource on which the statement needs a permission.
// AuthorizeStatement checks the statement in ADVISE STATEMENT without a plan, because planning it may fail.

#include "exec/access/authorize.h"

#include <algorithm>
#include <iterator>

#include "base/overloaded.h"
#include "planner/system_keyspaces.h"

namespace widerow {

namespace {

using Kind = AccessResource::Kind;

// True for tables that drivers and tools read before anything else: every role may read them.
bool IsEverybodys(const TableSchema& table) {
  constexpr std::string_view kOfSystem[] = {"local", "peers", "peers_v2", "size_estimates", "table_estimates"};
  if (table.keyspace == "system_schema" || table.keyspace == "system_virtual_schema") return true;
  if (table.keyspace == "system_traces")
    return true;  // Each role sees only its own requests in system_traces (exec/virtual/trace_tables.cc).
  return table.keyspace == "system" &&
         std::find(std::begin(kOfSystem), std::end(kOfSystem), table.name) != std::end(kOfSystem);
}

Status RequireOnTable(Permission permission, const TableSchema& table, const Rights& rights) {
  if (rights.HasOnTable(permission, table.keyspace, table.name)) return OkStatus();
  return MissingPermission(rights.role(), permission,
                           {.kind = Kind::kTable, .keyspace = table.keyspace, .name = table.name});
}

Status RequireWrite(const TableSchema& table, const Rights& rights) {
  WR_RETURN_IF_ERROR(RequireOnTable(Permission::kModify, table, rights));
  // A write to a table also writes its views, and reads the old row for that.
  for (const std::string& view : table.views) {
    WR_RETURN_IF_ERROR(RequireOnTable(Permission::kSelect, table, rights));
    if (rights.HasOnTable(Permission::kModify, table.keyspace, view)) continue;
    return MissingPermission(rights.role(), Permission::kModify,
                             {.kind = Kind::kTable, .keyspace = table.keyspace, .name = view});
  }
  return OkStatus();
}

Status RequireWrite(const ModifyPlan& plan, const Rights& rights) {
  WR_RETURN_IF_ERROR(RequireWrite(*plan.table, rights));
  // A condition reveals stored data, so it needs SELECT.
  if (plan.condition != RowCondition::kNone) return RequireOnTable(Permission::kSelect, *plan.table, rights);
  return OkStatus();
}

// The permissions of DDL statements, one operator for each statement.
class DdlCheck {
 public:
  DdlCheck(const std::string& current_keyspace, const Rights& rights, const SchemaSnapshot& schema)
      : current_keyspace_(current_keyspace), rights_(rights), schema_(schema) {}

  Status operator()(const CreateKeyspaceStatement&) const { return Require(Permission::kCreate, {}); }
  Status operator()(const AlterKeyspaceStatement& s) const { return OnKeyspace(Permission::kAlter, s.name.text); }
  Status operator()(const DropKeyspaceStatement& s) const { return OnKeyspace(Permission::kDrop, s.name.text); }
  Status operator()(const CreateTableStatement& s) const { return OnAllTables(Permission::kCreate, s.name); }
  Status operator()(const AlterTableStatement& s) const {
    WR_RETURN_IF_ERROR(OnTable(Permission::kAlter, s.name));
    if (ShowsKey(s)) return OnReads(s.name);
    return TakesRows(s) ? OnRows(s.name) : OkStatus();
  }
  Status operator()(const DropTableStatement& s) const { return OnTable(Permission::kDrop, s.name); }
  Status operator()(const CreateTypeStatement& s) const { return OnAllTables(Permission::kCreate, s.name); }
  Status operator()(const AlterTypeStatement& s) const { return OnAllTables(Permission::kAlter, s.name); }
  Status operator()(const DropTypeStatement& s) const { return OnAllTables(Permission::kDrop, s.name); }
  // The error of CREATE UNIQUE INDEX shows the keys of two rows and their value.
  Status operator()(const CreateIndexStatement& s) const {
    WR_RETURN_IF_ERROR(OnTable(Permission::kAlter, s.table));
    return s.unique ? OnReads(s.table) : OkStatus();
  }
  // The base table must be in the view's keyspace.
  Status operator()(const CreateMaterializedViewStatement& s) const {
    return In(Permission::kAlter,
              {.kind = Kind::kTable, .keyspace = KeyspaceOf(s.name), .name = s.select.table.name.text});
  }
  Status operator()(const AlterMaterializedViewStatement& s) const { return OnBaseOf(s.name); }
  Status operator()(const DropMaterializedViewStatement& s) const { return OnBaseOf(s.name); }
  Status operator()(const CreateTableGroupStatement&) const { return OnAllTables(Permission::kCreate, {}); }
  Status operator()(const DropTableGroupStatement&) const { return OnAllTables(Permission::kDrop, {}); }
  Status operator()(const CreateFunctionStatement& s) const { return OnFunctions(s.name); }
  Status operator()(const CreateAggregateStatement& s) const { return OnFunctions(s.name); }
  Status operator()(const CreateTriggerStatement&) const { return OnlySuperusers("perform CREATE"); }
  // Cassandra misspells "perform" here.
  Status operator()(const DropTriggerStatement&) const { return OnlySuperusers("perfrom DROP"); }
  Status operator()(const DropIndexStatement& s) const {
    const std::string keyspace = KeyspaceOf(s.name);
    const KeyspaceSchema* const found = schema_.FindKeyspace(keyspace);
    if (found == nullptr) return OkStatus();
    for (const auto& [name, table] : found->tables) {
      if (table->FindIndex(s.name.name.text) == nullptr) continue;
      return In(Permission::kAlter, {.kind = Kind::kTable, .keyspace = keyspace, .name = name});
    }
    return OkStatus();  // The statement itself fails, because no index has this name.
  }
  Status operator()(const DropFunctionStatement&) const { return OkStatus(); }  // There are no functions to drop.
  // Other statements are not DDL, and do not come here.
  Status operator()(const auto&) const { return Require(Permission::kAlter, {}); }

 private:
  std::string KeyspaceOf(const QualifiedName& name) const {
    return name.keyspace ? name.keyspace->text : current_keyspace_;
  }
  // Requires the permission on a table. Without a keyspace nothing is required: the statement itself fails.
  Status OnTable(Permission permission, const QualifiedName& name) const {
    return In(permission, {.kind = Kind::kTable, .keyspace = KeyspaceOf(name), .name = name.name.text});
  }
  // Checks the base table of an existing view. For a missing view the statement itself fails.
  Status OnBaseOf(const QualifiedName& name) const {
    const TablePtr view = schema_.FindTable(KeyspaceOf(name), name.name.text);
    if (view == nullptr || view->view == nullptr) return OkStatus();
    return In(Permission::kAlter, {.kind = Kind::kTable, .keyspace = view->keyspace, .name = view->view->base_table});
  }
  // True if the statement drops or truncates a partition: its rows are deleted.
  static bool TakesRows(const AlterTableStatement& statement) {
    const auto* const partitions = std::get_if<AlterTableStatement::AlterPartitions>(&statement.action);
    using AlterKind = AlterTableStatement::AlterPartitions::Kind;
    return partitions != nullptr && (partitions->kind == AlterKind::kDrop || partitions->kind == AlterKind::kTruncate);
  }
  // True for SPLIT without AT: the bound of the new partitions is the key of a row, and DESCRIBE shows it to everybody.
  static bool ShowsKey(const AlterTableStatement& statement) {
    const auto* const partitions = std::get_if<AlterTableStatement::AlterPartitions>(&statement.action);
    using AlterKind = AlterTableStatement::AlterPartitions::Kind;
    return partitions != nullptr && partitions->kind == AlterKind::kSplit && partitions->at.empty();
  }
  Status OnReads(const QualifiedName& name) const {
    const TablePtr table = schema_.FindTable(KeyspaceOf(name), name.name.text);
    return table == nullptr ? OkStatus() : AuthorizeRead(*table, rights_);
  }
  Status OnRows(const QualifiedName& name) const {
    const TablePtr table = schema_.FindTable(KeyspaceOf(name), name.name.text);
    return table == nullptr ? OkStatus() : RequireWrite(*table, rights_);
  }
  Status OnAllTables(Permission permission, const QualifiedName& name) const {
    return In(permission, {.kind = Kind::kAllTables, .keyspace = KeyspaceOf(name)});
  }
  Status OnFunctions(const QualifiedName& name) const {
    return In(Permission::kCreate, {.kind = Kind::kKeyspaceFunctions, .keyspace = KeyspaceOf(name)});
  }
  Status OnKeyspace(Permission permission, const std::string& keyspace) const {
    return In(permission, {.kind = Kind::kKeyspace, .keyspace = keyspace});
  }
  Status In(Permission permission, const AccessResource& resource) const {
    if (resource.keyspace.empty()) return OkStatus();
    const bool replicated = IsReplicatedSystemKeyspace(resource.keyspace);
    if (IsSystemKeyspace(resource.keyspace) && !replicated) {
      return UnauthorizedError(resource.keyspace + " keyspace is not user-modifiable.",
                               "it shows the state of the server");
    }
    if (replicated && !(permission == Permission::kAlter && resource.kind == Kind::kKeyspace)) {
      return UnauthorizedError("Cannot " + std::string(PermissionName(permission)) + " " + resource.Text(),
                               "it shows the state of the server");
    }
    return Require(permission, resource);
  }
  Status Require(Permission permission, const AccessResource& resource) const {
    return rights_.Has(permission, resource) ? OkStatus() : MissingPermission(rights_.role(), permission, resource);
  }
  Status OnlySuperusers(const std::string& doing) const {
    if (rights_.superuser()) return OkStatus();
    return UnauthorizedError("Only superusers are allowed to " + doing + " TRIGGER queries",
                             "there are no triggers here");
  }

  const std::string& current_keyspace_;
  const Rights& rights_;
  const SchemaSnapshot& schema_;
};

// Checks the inner statement of ADVISE STATEMENT by the table that it names. The statement is not planned for this,
// because planning may fail.
Status AuthorizeStatement(const Statement& statement, const std::string& current_keyspace, const Rights& rights,
                          const SchemaSnapshot& schema) {
  const auto on = [&](Permission permission, const QualifiedName& name) -> Status {
    const TablePtr table = schema.FindTable(name.keyspace ? name.keyspace->text : current_keyspace, name.name.text);
    if (table == nullptr) return OkStatus();
    return permission == Permission::kSelect ? AuthorizeRead(*table, rights)
                                             : RequireOnTable(permission, *table, rights);
  };
  return std::visit(
      Overloaded{
          [&](const SelectStatement& s) { return on(Permission::kSelect, s.table); },
          [&](const InsertStatement& s) { return on(Permission::kModify, s.table); },
          [&](const UpdateStatement& s) { return on(Permission::kModify, s.table); },
          [&](const DeleteStatement& s) { return on(Permission::kModify, s.table); },
          [&](const TruncateStatement& s) { return on(Permission::kModify, s.table); },
          [&](const BatchStatement& s) -> Status {
            for (const auto& part : s.statements) {
              WR_RETURN_IF_ERROR(std::visit([&](const auto& p) { return on(Permission::kModify, p.table); }, part));
            }
            return OkStatus();
          },
          [&](const auto& other) { return DdlCheck(current_keyspace, rights, schema)(other); },
      },
      statement.node);
}

}  // namespace

Status AuthorizeRead(const TableSchema& table, const Rights& rights) {
  if (IsEverybodys(table)) return OkStatus();
  if (table.view != nullptr) {  // A view shows data of its base table.
    const std::string& base = table.view->base_table;
    if (rights.HasOnTable(Permission::kSelect, table.keyspace, base)) return OkStatus();
    return MissingPermission(rights.role(), Permission::kSelect,
                             {.kind = Kind::kTable, .keyspace = table.keyspace, .name = base});
  }
  return RequireOnTable(Permission::kSelect, table, rights);
}

Status AuthorizeAdvice(const AdviseStatement& statement, const std::string& current_keyspace, const Rights& rights,
                       const SchemaSnapshot& schema) {
  using AdviseKind = AdviseStatement::Kind;
  if (statement.kind == AdviseKind::kSchema) return OkStatus();  // Shows declarations only, as DESCRIBE does.
  if (statement.kind == AdviseKind::kStatement && !statement.statement.empty()) {
    return AuthorizeStatement(statement.statement[0], current_keyspace, rights, schema);
  }
  AccessResource resource;
  if (statement.table) {
    const std::string keyspace = statement.table->keyspace ? statement.table->keyspace->text : current_keyspace;
    if (const TablePtr table = schema.FindTable(keyspace, statement.table->name.text))
      return AuthorizeRead(*table, rights);
    resource = {.kind = Kind::kTable, .keyspace = keyspace, .name = statement.table->name.text};
  } else if (!current_keyspace.empty()) {
    resource = {.kind = Kind::kAllTables, .keyspace = current_keyspace};
  }
  if (rights.Has(Permission::kSelect, resource)) return OkStatus();
  return MissingPermission(rights.role(), Permission::kSelect, resource);
}

Status Authorize(const Plan& plan, const Rights& rights, const SchemaSnapshot& schema) {
  return std::visit(
      Overloaded{
          [&](const SelectPlan& p) { return AuthorizeRead(*p.table, rights); },
          [&](const ModifyPlan& p) { return RequireWrite(p, rights); },
          [&](const BatchPlan& p) -> Status {
            for (const ModifyPlan& part : p.statements) WR_RETURN_IF_ERROR(RequireWrite(part, rights));
            return OkStatus();
          },
          [&](const TruncatePlan& p) { return RequireOnTable(Permission::kModify, *p.table, rights); },
          [](const UsePlan&) -> Status { return OkStatus(); },
          [](const DescribePlan&) -> Status { return OkStatus(); },
          [](const RolePlan&) -> Status { return OkStatus(); },
          [&](const DdlPlan& p) -> Status {
            return std::visit(DdlCheck(p.current_keyspace, rights, schema), p.statement->node);
          },
          [&](const AdvisePlan& p) { return AuthorizeAdvice(*p.statement, p.current_keyspace, rights, schema); },
          [&](const ExplainPlan& p) { return Authorize(*p.plan, rights, schema); },
      },
      plan.node);
}

}  // namespace widerow
