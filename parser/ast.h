// The whole of CQL 3.4.7, and Widerow's extensions, as plain structs: syntax only. Parse() makes them (parser/parse.h),
// the planner reads them, Print() (parser/print.h) writes them back.
#pragma once

#include <map>

#include "parser/ast_where.h"

namespace widerow {

// --- Data -----------------------------------------------------------------------------------------------------------

struct Selector {
  Term term;
  std::optional<Identifier> alias;
  friend bool operator==(const Selector&, const Selector&) = default;
};
struct Ordering {
  Identifier column;
  bool descending = false;
  // ORDER BY v ANN OF [1, 2, 3]
  std::vector<Term> ann_of;
  friend bool operator==(const Ordering&, const Ordering&) = default;
};
struct SelectStatement {
  bool json = false, distinct = false;
  std::vector<Selector> selectors;  // Empty: *.
  QualifiedName table;
  std::vector<Condition> where;  // Joined by AND.
  std::vector<Term> group_by;    // ColumnRef or FunctionCall.
  std::vector<Ordering> order_by;
  std::optional<Term> per_partition_limit, limit;
  bool allow_filtering = false;
  bool allow_sorting = false;                  // Extension.
  std::map<std::string, std::string> options;  // WITH … of SELECT, as written.
  friend bool operator==(const SelectStatement&, const SelectStatement&) = default;
};

// USING TIMESTAMP t AND TTL n.
struct UsingClause {
  std::optional<Term> timestamp, ttl;
  friend bool operator==(const UsingClause&, const UsingClause&) = default;
};

struct InsertStatement {
  QualifiedName table;
  std::vector<Identifier> columns;  // INSERT JSON: empty.
  std::vector<Term> values;         // One a column.
  std::optional<Term> json;
  bool json_default_unset = false;
  bool if_not_exists = false;
  UsingClause using_clause;
  friend bool operator==(const InsertStatement&, const InsertStatement&) = default;
};

// One assignment of UPDATE … SET.
struct Assignment {
  enum class Kind : uint8_t {
    kSet,        // c = term (also c = c + term and its kin: the term is an Arithmetic)
    kAddAssign,  // c += term
    kSubAssign,  // c -= term
    kElement,    // c[element] = term
    kField,      // c.field = term
  };
  Kind kind = Kind::kSet;
  Identifier column;
  std::vector<Term> element;  // kElement: one.
  std::optional<Identifier> field;
  Term value;
  SourceRange range;
  friend bool operator==(const Assignment& a, const Assignment& b) {
    return a.kind == b.kind && a.column == b.column && a.element == b.element && a.field == b.field &&
           a.value == b.value;
  }
};
struct UpdateStatement {
  QualifiedName table;
  UsingClause using_clause;
  std::vector<Assignment> assignments;
  std::vector<Condition> where;
  bool if_exists = false;
  std::vector<Condition> conditions;  // IF …
  friend bool operator==(const UpdateStatement&, const UpdateStatement&) = default;
};

struct DeleteTarget {
  Identifier column;
  std::vector<Term> element;  // c[element]: one.
  std::optional<Identifier> field;
  SourceRange range;
  friend bool operator==(const DeleteTarget& a, const DeleteTarget& b) {
    return a.column == b.column && a.element == b.element && a.field == b.field;
  }
};
struct DeleteStatement {
  std::vector<DeleteTarget> targets;  // Empty: whole rows.
  QualifiedName table;
  UsingClause using_clause;
  std::vector<Condition> where;
  bool if_exists = false;
  std::vector<Condition> conditions;
  friend bool operator==(const DeleteStatement&, const DeleteStatement&) = default;
};

struct BatchStatement {
  enum class Kind : uint8_t { kLogged, kUnlogged, kCounter };
  Kind kind = Kind::kLogged;
  UsingClause using_clause;
  std::vector<std::variant<InsertStatement, UpdateStatement, DeleteStatement>> statements;
  std::vector<SourceRange> statement_ranges;
  friend bool operator==(const BatchStatement& a, const BatchStatement& b) {
    return a.kind == b.kind && a.using_clause == b.using_clause && a.statements == b.statements;
  }
};
struct TruncateStatement {
  QualifiedName table;
  friend bool operator==(const TruncateStatement&, const TruncateStatement&) = default;
};
struct UseStatement {
  Identifier keyspace;
  friend bool operator==(const UseStatement&, const UseStatement&) = default;
};

// --- Schema ---------------------------------------------------------------------------------------------------------

// One property of WITH: name = 'text' | number | true | {…}.
struct Property {
  Identifier name;
  Term value;  // Literal, MapTerm, SetTerm (for {}) or ListTerm.
  SourceRange range;
  friend bool operator==(const Property& a, const Property& b) { return a.name == b.name && a.value == b.value; }
};
struct CreateKeyspaceStatement {
  Identifier name;
  bool if_not_exists = false;
  std::vector<Property> properties;
  friend bool operator==(const CreateKeyspaceStatement&, const CreateKeyspaceStatement&) = default;
};
struct AlterKeyspaceStatement {
  Identifier name;
  bool if_exists = false;
  std::vector<Property> properties;
  friend bool operator==(const AlterKeyspaceStatement&, const AlterKeyspaceStatement&) = default;
};
struct DropKeyspaceStatement {
  Identifier name;
  bool if_exists = false;
  friend bool operator==(const DropKeyspaceStatement&, const DropKeyspaceStatement&) = default;
};

struct ColumnMask {  // MASKED WITH function(arguments) or MASKED WITH DEFAULT (name empty).
  std::optional<QualifiedName> function;
  std::vector<Term> arguments;
  friend bool operator==(const ColumnMask&, const ColumnMask&) = default;
};
struct ColumnDefinition {
  Identifier name;
  TypeName type;
  bool is_static = false, primary_key = false;
  bool not_null = false;             // Extension.
  std::optional<Term> generated_as;  // GENERATED ALWAYS AS (term). Extension.
  std::optional<ColumnMask> mask;
  SourceRange range;
  friend bool operator==(const ColumnDefinition& a, const ColumnDefinition& b) {
    return a.name == b.name && a.type == b.type && a.is_static == b.is_static && a.primary_key == b.primary_key &&
           a.not_null == b.not_null && a.generated_as == b.generated_as && a.mask == b.mask;
  }
};
// One RANGE or LIST partition. Extension.
struct PartitionDefinition {
  Identifier name;
  std::vector<Term> values;  // VALUES LESS THAN (…) or VALUES IN (…).
  bool max_value = false;
  bool in_list = false;  // VALUES IN, not LESS THAN.
  friend bool operator==(const PartitionDefinition&, const PartitionDefinition&) = default;
};
struct PartitionBy {  // PARTITION BY KEY(k) PARTITIONS 97 | HASH | LIST | RANGE [COLUMNS] (k) (PARTITION …). Extension.
  enum class Kind : uint8_t { kKey, kHash, kRange, kList };
  Kind kind = Kind::kKey;
  bool columns_keyword = false;
  std::vector<Term> keys;
  std::optional<uint64_t> count;
  std::vector<PartitionDefinition> partitions;
  SourceRange range;
  friend bool operator==(const PartitionBy& a, const PartitionBy& b) {
    return a.kind == b.kind && a.columns_keyword == b.columns_keyword && a.keys == b.keys && a.count == b.count &&
           a.partitions == b.partitions;
  }
};
struct ClusteringOrder {
  Identifier column;
  bool descending = false;
  friend bool operator==(const ClusteringOrder&, const ClusteringOrder&) = default;
};
struct CreateTableStatement {
  QualifiedName name;
  bool if_not_exists = false;
  std::vector<ColumnDefinition> columns;
  // As declared: PRIMARY KEY ((partition_key…), clustering_key…). Both empty if none was given (a column's own PRIMARY
  // KEY sets ColumnDefinition::primary_key); primary_key_range then is absent too.
  std::vector<Identifier> partition_key, clustering_key;
  std::optional<SourceRange> primary_key_range;
  uint32_t primary_key_count = 0;  // PRIMARY KEY clauses seen, columns' own included.
  bool compact_storage = false;
  std::vector<ClusteringOrder> clustering_order;
  std::vector<Property> properties;
  std::optional<Identifier> tablegroup;
  std::optional<PartitionBy> partition_by;
  friend bool operator==(const CreateTableStatement& a, const CreateTableStatement& b) {
    return a.name == b.name && a.if_not_exists == b.if_not_exists && a.columns == b.columns &&
           a.partition_key == b.partition_key && a.clustering_key == b.clustering_key &&
           a.compact_storage == b.compact_storage && a.clustering_order == b.clustering_order &&
           a.properties == b.properties && a.tablegroup == b.tablegroup && a.partition_by == b.partition_by;
  }
};
// What ALTER TABLE does. Outside of AlterTableStatement because a variant there wants them complete.
namespace alter_table {
struct AddColumns {
  bool if_not_exists = false;
  std::vector<ColumnDefinition> columns;
  friend bool operator==(const AddColumns&, const AddColumns&) = default;
};
struct DropColumns {
  bool if_exists = false;
  std::vector<Identifier> columns;
  std::optional<Term> timestamp;
  friend bool operator==(const DropColumns&, const DropColumns&) = default;
};
struct RenameColumns {
  bool if_exists = false;
  std::vector<std::pair<Identifier, Identifier>> renames;
  friend bool operator==(const RenameColumns&, const RenameColumns&) = default;
};
struct AlterType {
  bool if_exists = false;
  Identifier column;
  TypeName type;
  friend bool operator==(const AlterType&, const AlterType&) = default;
};
struct AlterMask {
  bool if_exists = false;
  Identifier column;
  std::optional<ColumnMask> mask;
  friend bool operator==(const AlterMask&, const AlterMask&) = default;
};
struct SetProperties {
  std::vector<Property> properties;
  friend bool operator==(const SetProperties&, const SetProperties&) = default;
};
struct DropCompactStorage {
  friend bool operator==(const DropCompactStorage&, const DropCompactStorage&) = default;
};
// ADD | DROP | TRUNCATE | SPLIT | MERGE | REORGANIZE PARTITION. Extension.
struct AlterPartitions {
  enum class Kind : uint8_t { kAdd, kDrop, kTruncate, kSplit, kMerge, kReorganize };
  Kind kind = Kind::kAdd;
  std::vector<Identifier> names;
  std::vector<PartitionDefinition> into;
  std::vector<Term> at;  // SPLIT PARTITION p AT (v, …)
  friend bool operator==(const AlterPartitions&, const AlterPartitions&) = default;
};
}  // namespace alter_table
struct AlterTableStatement {
  using AddColumns = alter_table::AddColumns;
  using DropColumns = alter_table::DropColumns;
  using RenameColumns = alter_table::RenameColumns;
  using AlterType = alter_table::AlterType;
  using AlterMask = alter_table::AlterMask;
  using SetProperties = alter_table::SetProperties;
  using DropCompactStorage = alter_table::DropCompactStorage;
  using AlterPartitions = alter_table::AlterPartitions;
  QualifiedName name;
  bool if_exists = false;
  std::variant<AddColumns, DropColumns, RenameColumns, AlterType, AlterMask, SetProperties, DropCompactStorage,
               AlterPartitions>
      action;
  friend bool operator==(const AlterTableStatement&, const AlterTableStatement&) = default;
};
struct DropTableStatement {
  QualifiedName name;
  bool if_exists = false;
  friend bool operator==(const DropTableStatement&, const DropTableStatement&) = default;
};
struct FieldDefinition {
  Identifier name;
  TypeName type;
  friend bool operator==(const FieldDefinition&, const FieldDefinition&) = default;
};
struct CreateTypeStatement {
  QualifiedName name;
  bool if_not_exists = false;
  std::vector<FieldDefinition> fields;
  friend bool operator==(const CreateTypeStatement&, const CreateTypeStatement&) = default;
};
struct AlterTypeStatement {
  QualifiedName name;
  bool if_exists = false;
  bool if_field_not_exists = false, if_field_exists = false;
  std::vector<FieldDefinition> add;                        // ADD field type
  std::vector<std::pair<Identifier, Identifier>> renames;  // RENAME a TO b AND …
  std::optional<FieldDefinition> alter;                    // ALTER field TYPE type (always refused by Cassandra)
  friend bool operator==(const AlterTypeStatement&, const AlterTypeStatement&) = default;
};
struct DropTypeStatement {
  QualifiedName name;
  bool if_exists = false;
  friend bool operator==(const DropTypeStatement&, const DropTypeStatement&) = default;
};

struct IndexTarget {
  enum class Kind : uint8_t { kSimple, kValues, kKeys, kEntries, kFull };
  Kind kind = Kind::kSimple;
  Identifier column;
  friend bool operator==(const IndexTarget&, const IndexTarget&) = default;
};
struct CreateIndexStatement {
  bool custom = false, if_not_exists = false;
  bool unique = false, global = false, local = false;  // Extensions.
  std::optional<QualifiedName> name;
  QualifiedName table;
  std::vector<IndexTarget> targets;
  std::optional<std::string> using_class;
  std::vector<Property> properties;
  friend bool operator==(const CreateIndexStatement&, const CreateIndexStatement&) = default;
};
struct DropIndexStatement {
  QualifiedName name;
  bool if_exists = false;
  friend bool operator==(const DropIndexStatement&, const DropIndexStatement&) = default;
};
struct CreateMaterializedViewStatement {
  QualifiedName name;
  bool if_not_exists = false;
  SelectStatement select;  // selectors, table and where only.
  std::vector<Identifier> partition_key, clustering_key;
  std::vector<ClusteringOrder> clustering_order;
  std::vector<Property> properties;
  friend bool operator==(const CreateMaterializedViewStatement&, const CreateMaterializedViewStatement&) = default;
};
struct AlterMaterializedViewStatement {
  QualifiedName name;
  bool if_exists = false;
  std::vector<Property> properties;
  friend bool operator==(const AlterMaterializedViewStatement&, const AlterMaterializedViewStatement&) = default;
};
struct DropMaterializedViewStatement {
  QualifiedName name;
  bool if_exists = false;
  friend bool operator==(const DropMaterializedViewStatement&, const DropMaterializedViewStatement&) = default;
};
struct FunctionParameter {
  Identifier name;
  TypeName type;
  friend bool operator==(const FunctionParameter&, const FunctionParameter&) = default;
};
struct CreateFunctionStatement {
  QualifiedName name;
  bool or_replace = false, if_not_exists = false;
  std::vector<FunctionParameter> parameters;
  bool called_on_null_input = false;
  TypeName returns;
  Identifier language;
  std::string body;
  friend bool operator==(const CreateFunctionStatement&, const CreateFunctionStatement&) = default;
};
struct CreateAggregateStatement {
  QualifiedName name;
  bool or_replace = false, if_not_exists = false;
  std::vector<TypeName> arguments;
  Identifier state_function;
  TypeName state_type;
  std::optional<Identifier> final_function;
  std::optional<Term> initial_condition;
  friend bool operator==(const CreateAggregateStatement&, const CreateAggregateStatement&) = default;
};
struct DropFunctionStatement {  // DROP FUNCTION and DROP AGGREGATE.
  bool aggregate = false;
  QualifiedName name;
  bool if_exists = false;
  std::optional<std::vector<TypeName>> arguments;
  friend bool operator==(const DropFunctionStatement&, const DropFunctionStatement&) = default;
};
struct CreateTriggerStatement {
  Identifier name;
  bool if_not_exists = false;
  QualifiedName table;
  std::string using_class;
  friend bool operator==(const CreateTriggerStatement&, const CreateTriggerStatement&) = default;
};
struct DropTriggerStatement {
  Identifier name;
  bool if_exists = false;
  QualifiedName table;
  friend bool operator==(const DropTriggerStatement&, const DropTriggerStatement&) = default;
};
struct CreateTableGroupStatement {  // Extension.
  Identifier name;
  bool if_not_exists = false;
  friend bool operator==(const CreateTableGroupStatement&, const CreateTableGroupStatement&) = default;
};
struct DropTableGroupStatement {  // Extension.
  Identifier name;
  bool if_exists = false;
  friend bool operator==(const DropTableGroupStatement&, const DropTableGroupStatement&) = default;
};

// --- Roles ----------------------------------------------------------------------------------------------------------

struct RoleOption {  // PASSWORD = 'x', HASHED PASSWORD, LOGIN = true, SUPERUSER, OPTIONS = {…}, ACCESS TO …, ….
  std::string
      name;  // Lower-case words: "password", "hashed password", "generated password", "access to datacenters", ….
  std::vector<Term> value;  // None or one.
  friend bool operator==(const RoleOption&, const RoleOption&) = default;
};
struct CreateRoleStatement {  // and CREATE USER (user true).
  bool user = false;
  Identifier name;
  bool if_not_exists = false;
  std::vector<RoleOption> options;
  friend bool operator==(const CreateRoleStatement&, const CreateRoleStatement&) = default;
};
struct AlterRoleStatement {
  bool user = false;
  Identifier name;
  bool if_exists = false;
  std::vector<RoleOption> options;
  friend bool operator==(const AlterRoleStatement&, const AlterRoleStatement&) = default;
};
struct DropRoleStatement {
  bool user = false;
  Identifier name;
  bool if_exists = false;
  friend bool operator==(const DropRoleStatement&, const DropRoleStatement&) = default;
};
struct Resource {    // ALL KEYSPACES, KEYSPACE ks, TABLE ks.t, ALL ROLES, ROLE r, ALL FUNCTIONS [IN KEYSPACE ks], ….
  std::string kind;  // Upper-case words without names: "ALL KEYSPACES", "KEYSPACE", "TABLE", ….
  std::optional<QualifiedName> name;
  std::optional<std::vector<TypeName>> arguments;  // FUNCTION only.
  friend bool operator==(const Resource&, const Resource&) = default;
};
struct GrantStatement {  // GRANT and REVOKE, of permissions or (role set) of a role.
  bool revoke = false;
  std::vector<std::string> permissions;  // Upper-case; "ALL PERMISSIONS".
  std::optional<Resource> resource;
  std::optional<Identifier> granted_role;
  Identifier role;
  friend bool operator==(const GrantStatement&, const GrantStatement&) = default;
};
struct ListRolesStatement {  // LIST ROLES | USERS | permissions.
  enum class Kind : uint8_t { kRoles, kUsers, kPermissions, kSuperusers };
  Kind kind = Kind::kRoles;
  std::vector<std::string> permissions;
  std::optional<Resource> resource;
  std::optional<Identifier> of;
  bool no_recursive = false;
  friend bool operator==(const ListRolesStatement&, const ListRolesStatement&) = default;
};
struct IdentityStatement {  // ADD IDENTITY 'x' TO ROLE r; DROP IDENTITY 'x'.
  bool drop = false, if_clause = false;
  std::string identity;
  std::optional<Identifier> role;
  friend bool operator==(const IdentityStatement&, const IdentityStatement&) = default;
};

// --- Looking at things ----------------------------------------------------------------------------------------------

struct DescribeStatement {
  enum class Kind : uint8_t {
    kCluster,
    kSchema,
    kFullSchema,
    kKeyspaces,
    kKeyspace,
    kOnlyKeyspace,
    kTables,
    kTable,
    kTypes,
    kType,
    kFunctions,
    kFunction,
    kAggregates,
    kAggregate,
    kIndex,
    kMaterializedView,
    kMaterializedViews,
    kName,
  };
  Kind kind = Kind::kKeyspaces;
  std::optional<QualifiedName> name;  // kName: anything called so.
  bool with_internals = false;
  friend bool operator==(const DescribeStatement&, const DescribeStatement&) = default;
};
struct Statement;
struct ExplainStatement {  // EXPLAIN [ANALYZE] statement. Extension.
  bool analyze = false;
  std::vector<Statement> statement;  // Exactly one.
};
struct AdviseStatement {  // ADVISE [TABLE t | STATEMENT 'text' | SCHEMA]. Extension.
  enum class Kind : uint8_t { kAll, kTable, kStatement, kSchema };
  Kind kind = Kind::kAll;
  std::optional<QualifiedName> table;
  std::vector<Statement> statement;  // None or one.
};
bool operator==(const ExplainStatement& a, const ExplainStatement& b);
bool operator==(const AdviseStatement& a, const AdviseStatement& b);

struct Statement {
  std::variant<SelectStatement, InsertStatement, UpdateStatement, DeleteStatement, BatchStatement, TruncateStatement,
               UseStatement, CreateKeyspaceStatement, AlterKeyspaceStatement, DropKeyspaceStatement,
               CreateTableStatement, AlterTableStatement, DropTableStatement, CreateTypeStatement, AlterTypeStatement,
               DropTypeStatement, CreateIndexStatement, DropIndexStatement, CreateMaterializedViewStatement,
               AlterMaterializedViewStatement, DropMaterializedViewStatement, CreateFunctionStatement,
               CreateAggregateStatement, DropFunctionStatement, CreateTriggerStatement, DropTriggerStatement,
               CreateTableGroupStatement, DropTableGroupStatement, CreateRoleStatement, AlterRoleStatement,
               DropRoleStatement, GrantStatement, ListRolesStatement, IdentityStatement, DescribeStatement,
               ExplainStatement, AdviseStatement>
      node;
  SourceRange range;
  std::vector<BindMarker> markers;  // In order of appearance.
};
inline bool operator==(const Statement& a, const Statement& b) { return a.node == b.node; }

}  // namespace widerow
