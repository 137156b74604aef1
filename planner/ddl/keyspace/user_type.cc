// CREATE, ALTER and DROP TYPE. An altered type replaces the old one in all types and tables of its keyspace
// (ReplaceUdt). A type in a partition key gets no new fields, because its bytes decide where rows are stored. A type
// that is used cannot be dropped. A type in the expression of a generated column is not altered, because stored rows
// keep what the expression gave when they were written. Fields in a view's WHERE keep their names.
#include <algorithm>

#include "base/bytes_map.h"
#include "base/text.h"
#include "planner/ddl/edit/schema_edit.h"
#include "planner/ddl/edit/statements.h"
#include "planner/ddl/edit/type_use.h"
#include "planner/generated/generated_columns.h"
#include "planner/schema_change.h"
#include "planner/terms/raw_type.h"
#include "planner/terms/resolve_type.h"
#include "planner/walk.h"
#include "planner/where/view_where.h"

namespace widerow::ddl {

namespace {

Status CheckTypeName(const QualifiedName& name) {
  static constexpr std::string_view kReservedNames[] = {"bitstring", "byte", "complex", "enum", "interval", "macaddr"};
  if (std::find(std::begin(kReservedNames), std::end(kReservedNames), name.name.text) == std::end(kReservedNames))
    return OkStatus();
  return SyntaxErrorAt(name.range, "Invalid (reserved) user type name " + name.name.text);
}

Status CheckFieldType(const FieldDefinition& field) {
  if (IsScalar(field.type, TypeKind::kCounter))
    return InvalidAt(field.type.range, "A user type cannot contain counters");
  if (KindOf(field.type) == RawKind::kUdt) {
    return InvalidAt(field.type.range, "A user type cannot contain non-frozen UDTs",
                     "write frozen<" + field.type.name.name.text + ">");
  }
  return OkStatus();
}

std::string Quoted(const std::string& keyspace, const std::string& name) {
  return QuoteIdentifier(keyspace) + "." + QuoteIdentifier(name);
}

std::string NameInMessages(const Type& udt) { return Quoted(udt.keyspace, udt.name); }

bool HasField(const Type& udt, const std::string& name) {
  return std::find(udt.field_names.begin(), udt.field_names.end(), name) != udt.field_names.end();
}

DdlResult WithType(const SchemaPtr& schema, Type udt, SchemaChange::Kind kind) {
  KeyspaceSchema keyspace = *schema->FindKeyspace(udt.keyspace);
  const std::string name = udt.name;
  if (kind == SchemaChange::Kind::kUpdated) ReplaceUdt(keyspace, udt);
  keyspace.types[name] = std::make_shared<const Type>(std::move(udt));
  SchemaChange change{kind, SchemaChange::Target::kType, keyspace.name, name};
  return WithKeyspace(schema, std::move(keyspace), std::move(change));
}

// Returns "ks.a, ks.b": the tables that use the type in their first `key_columns(table)` columns, which are the key or
// a part of it.
template <typename KeyColumns>
std::string KeyUses(const KeyspaceSchema& keyspace, const Type& udt, const KeyColumns& key_columns) {
  std::vector<std::string> tables;
  for (const auto& [name, table] : keyspace.tables) {
    const auto end = table->columns.begin() + key_columns(*table);
    const auto uses = [&](const ColumnSchema& column) { return UsesUdt(*column.type, udt.keyspace, udt.name); };
    if (std::any_of(table->columns.begin(), end, uses)) tables.push_back(Quoted(keyspace.name, name));
  }
  return JoinNames(tables);
}

bool MentionsUdt(const Expression& expression, const Type& udt) {
  bool uses = false;
  VisitExpressions(expression, [&](const Expression& part) {
    uses = uses || (part.type != nullptr && UsesUdt(*part.type, udt.keyspace, udt.name));
  });
  return uses;
}

// True if the expression of a generated column of the table uses the type.
bool IsUsedByGenerated(const TableSchema& table, const Type& udt) {
  if (table.generated == nullptr) return false;
  const std::vector<GeneratedColumn>& columns = table.generated->columns;
  return std::any_of(columns.begin(), columns.end(),
                     [&](const GeneratedColumn& column) { return MentionsUdt(column.expression, udt); });
}

// True if a condition in the view's WHERE, other than IS NOT NULL, uses the type.
bool IsUsedByWhere(const TableSchema& view, const SchemaSnapshot& schema, const Type& udt) {
  const Result<std::vector<Condition>> where = ParseViewWhere(view.view->where_clause);
  const TablePtr base = schema.FindTable(view.keyspace, view.view->base_table);
  if (!where.ok() || base == nullptr) return false;
  const Result<ViewWhere> planned = PlanViewWhere(view.name, *where, base, schema);
  if (!planned.ok()) return false;
  return std::any_of(planned->conditions.begin(), planned->conditions.end(), [&](const Predicate& condition) {
    const auto* const comparison = std::get_if<Comparison>(&condition.node);
    if (comparison == nullptr) return false;
    return MentionsUdt(comparison->left, udt) ||
           std::any_of(comparison->right.begin(), comparison->right.end(),
                       [&](const Expression& value) { return MentionsUdt(value, udt); });
  });
}

Status CheckAlterable(const AlterTypeStatement& statement, const SchemaSnapshot& schema, const Type& udt) {
  const KeyspaceSchema& keyspace = *schema.FindKeyspace(udt.keyspace);
  const std::string attempt = "Cannot alter user type " + NameInMessages(udt);
  std::vector<std::string> generated, views;
  for (const auto& [name, table] : keyspace.tables) {
    if (IsUsedByGenerated(*table, udt)) generated.push_back(Quoted(keyspace.name, name));
    if (statement.renames.empty() || table->view == nullptr) continue;
    if (IsUsedByWhere(*table, schema, udt)) views.push_back(Quoted(keyspace.name, name));
  }
  if (!generated.empty()) {
    return InvalidAt(
        statement.name.range,
        attempt + " as it is being used by generated columns of the following tables: " + JoinNames(generated),
        "rows that are stored would keep the values of the old expressions: create another type");
  }
  if (views.empty()) return OkStatus();
  return InvalidAt(
      statement.name.range,
      attempt + ": fields cannot be renamed while the WHERE of the following views uses the type: " + JoinNames(views),
      "drop the views first, and create them again afterwards");
}

Status AddField(const FieldDefinition& field, bool if_not_exists, const SchemaSnapshot& schema, Type& udt) {
  const std::string full_name = NameInMessages(udt);
  WR_RETURN_IF_ERROR(CheckFieldType(field));
  if (HasField(udt, field.name.text)) {
    if (if_not_exists) return OkStatus();
    return InvalidAt(field.name.range, StrCat("Cannot add field ", field.name.text, " to type ", full_name,
                                              ": a field with name ", field.name.text, " already exists"));
  }
  WR_ASSIGN_OR_RETURN(TypePtr type, ResolveType(field.type, schema, udt.keyspace));
  const std::string attempt = StrCat("Cannot add new field ", field.name.text, " of type ",
                                     QualifiedTypeText(field.type, udt.keyspace), " to user type ", full_name);
  if (UsesUdt(*type, udt.keyspace, udt.name)) {
    return InvalidAt(field.type.range, attempt + " as it would create a circular reference");
  }
  const KeyspaceSchema& keyspace = *schema.FindKeyspace(udt.keyspace);
  // The bytes of a partition key decide in which partition a row is stored.
  const std::string uses = KeyUses(keyspace, udt, [](const TableSchema& table) { return table.partition_key_size; });
  if (!uses.empty()) {
    return InvalidAt(field.name.range,
                     attempt + " as the type is being used in partition key by the following tables: " + uses);
  }
  // Cassandra allows durations and long blobs in the clustering. Here durations have no order, and long blobs do not
  // fit into a key.
  const std::string key_uses =
      KeyUses(keyspace, udt, [](const TableSchema& table) { return table.partition_key_size + table.clustering_size; });
  if (!key_uses.empty() && (UsesDuration(*type) || UsesLongBlob(*type))) {
    return InvalidAt(field.type.range, attempt + " as the type is being used in the primary key of: " + key_uses);
  }
  udt.field_names.push_back(field.name.text);
  udt.arguments.push_back(std::move(type));
  return OkStatus();
}

// Renames all fields at once: RENAME a TO b AND b TO a swaps two names.
Status RenameFields(const AlterTypeStatement& statement, Type& udt) {
  std::vector<std::string> names = udt.field_names;
  for (const auto& [from, to] : statement.renames) {
    const auto found = std::find(udt.field_names.begin(), udt.field_names.end(), from.text);
    if (found != udt.field_names.end()) {
      names[static_cast<size_t>(found - udt.field_names.begin())] = to.text;
    } else if (!statement.if_field_exists) {
      // "Unkown" is Cassandra's spelling.
      return InvalidAt(from.range, StrCat("Unkown field ", from.text, " in user type ", NameInMessages(udt)));
    }
  }
  ByteViewSet seen;
  for (const std::string& name : names) {
    if (seen.insert(name).second) continue;
    // As in Cassandra, the sentence has the keyspace in the place of the type's name.
    return InvalidAt(statement.name.range, "Duplicate field name " + name + " in type " + udt.keyspace);
  }
  udt.field_names = std::move(names);
  return OkStatus();
}

TypePtr FindType(const SchemaSnapshot& schema, const std::string& keyspace, const std::string& name) {
  const KeyspaceSchema* const holder = schema.FindKeyspace(keyspace);
  if (holder == nullptr) return nullptr;
  const auto found = holder->types.find(name);
  return found == holder->types.end() ? nullptr : found->second;
}

Status CheckUnused(const KeyspaceSchema& keyspace, const Type& udt, SourceRange range) {
  std::vector<std::string> types, tables;
  for (const auto& [name, type] : keyspace.types) {
    if (name != udt.name && UsesUdt(*type, udt.keyspace, udt.name)) types.push_back(name);
  }
  for (const auto& [name, table] : keyspace.tables) {
    const auto uses = [&](const ColumnSchema& column) { return UsesUdt(*column.type, udt.keyspace, udt.name); };
    if (table->view != nullptr) continue;  // The error names the view's base table instead of the view.
    const bool in_column = std::any_of(table->columns.begin(), table->columns.end(), uses);
    if (in_column || IsUsedByGenerated(*table, udt)) tables.push_back(name);
  }
  if (types.empty() && tables.empty()) return OkStatus();
  return InvalidAt(range, StrCat("Cannot drop user type '", udt.keyspace, ".", udt.name, "' as it is still used by ",
                                 types.empty() ? "tables " + JoinNames(tables) : "user types " + JoinNames(types)));
}

}  // namespace

Result<DdlResult> Apply(const CreateTypeStatement& statement, const SchemaPtr& schema, const DdlContext& context) {
  WR_RETURN_IF_ERROR(CheckTypeName(statement.name));
  WR_ASSIGN_OR_RETURN(const std::string keyspace, KeyspaceOf(statement.name, context));
  WR_RETURN_IF_ERROR(CheckUserKeyspace(keyspace));
  const std::string& name = statement.name.name.text;
  if (schema->FindKeyspace(keyspace) == nullptr) return NoSuchKeyspace(statement.name.range, keyspace);
  if (FindType(*schema, keyspace, name) != nullptr) {
    if (statement.if_not_exists) return Unchanged(schema);
    return InvalidAt(statement.name.range, "A user type with name '" + name + "' already exists");
  }
  Type udt;
  udt.kind = TypeKind::kUdt;
  udt.keyspace = keyspace;
  udt.name = name;
  ByteViewSet names;
  for (const FieldDefinition& field : statement.fields) {
    if (!names.insert(field.name.text).second) {
      return InvalidAt(field.name.range, StrCat("Duplicate field name '", field.name.text, "' in type '", name, "'"));
    }
    udt.field_names.push_back(field.name.text);
  }
  for (const FieldDefinition& field : statement.fields) WR_RETURN_IF_ERROR(CheckFieldType(field));
  for (const FieldDefinition& field : statement.fields) {
    WR_ASSIGN_OR_RETURN(udt.arguments.emplace_back(), ResolveType(field.type, *schema, keyspace));
  }
  return WithType(schema, std::move(udt), SchemaChange::Kind::kCreated);
}

Result<DdlResult> Apply(const AlterTypeStatement& statement, const SchemaPtr& schema, const DdlContext& context) {
  WR_ASSIGN_OR_RETURN(const std::string keyspace, KeyspaceOf(statement.name, context));
  WR_RETURN_IF_ERROR(CheckUserKeyspace(keyspace));
  const TypePtr before = FindType(*schema, keyspace, statement.name.name.text);
  if (before == nullptr) {
    if (statement.if_exists) return Unchanged(schema);
    return InvalidAt(statement.name.range, StrCat("Type ", keyspace, ".", statement.name.name.text, " doesn't exist"));
  }
  if (statement.alter) return InvalidAt(statement.alter->name.range, "Altering field types is no longer supported");
  Type udt = *before;
  for (const FieldDefinition& field : statement.add) {
    WR_RETURN_IF_ERROR(AddField(field, statement.if_field_not_exists, *schema, udt));
  }
  WR_RETURN_IF_ERROR(RenameFields(statement, udt));
  if (udt.field_names == before->field_names) return Unchanged(schema);
  WR_RETURN_IF_ERROR(CheckAlterable(statement, *schema, *before));
  return WithType(schema, std::move(udt), SchemaChange::Kind::kUpdated);
}

Result<DdlResult> Apply(const DropTypeStatement& statement, const SchemaPtr& schema, const DdlContext& context) {
  WR_ASSIGN_OR_RETURN(const std::string name, KeyspaceOf(statement.name, context));
  WR_RETURN_IF_ERROR(CheckUserKeyspace(name));
  const TypePtr udt = FindType(*schema, name, statement.name.name.text);
  if (udt == nullptr) {
    if (statement.if_exists) return Unchanged(schema);
    return InvalidAt(statement.name.range, StrCat("Type '", name, ".", statement.name.name.text, "' doesn't exist"));
  }
  KeyspaceSchema keyspace = *schema->FindKeyspace(name);
  WR_RETURN_IF_ERROR(CheckUnused(keyspace, *udt, statement.name.range));
  keyspace.types.erase(udt->name);
  return WithKeyspace(schema, std::move(keyspace),
                      {SchemaChange::Kind::kDropped, SchemaChange::Target::kType, name, udt->name});
}

}  // namespace widerow::ddl
