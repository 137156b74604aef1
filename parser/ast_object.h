// Statements about types, indexes, views, functions, aggregates, triggers and table groups.
#pragma once

#include "parser/ast_data.h"
#include "parser/ast_table.h"

namespace widerow {

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
  std::optional<FieldDefinition> alter;                    // ALTER field TYPE type; Cassandra always refuses it.
  friend bool operator==(const AlterTypeStatement&, const AlterTypeStatement&) = default;
};
struct DropTypeStatement {
  QualifiedName name;
  bool if_exists = false;
  friend bool operator==(const DropTypeStatement&, const DropTypeStatement&) = default;
};

struct IndexTargetClause {
  enum class Kind : uint8_t { kSimple, kValues, kKeys, kEntries, kFull };
  Kind kind = Kind::kSimple;
  Identifier column;
  friend bool operator==(const IndexTargetClause&, const IndexTargetClause&) = default;
};
struct CreateIndexStatement {
  bool custom = false, if_not_exists = false;
  bool unique = false, global = false, local = false;  // Extensions of CQL.
  std::optional<QualifiedName> name;
  QualifiedName table;
  // ON t ((a, b), c): the columns in the inner parentheses. An extension, which ScyllaDB has too. Empty: not written.
  std::vector<Identifier> partition;
  std::vector<IndexTargetClause> targets;
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
  SelectStatement select;  // Has only selectors, a table and WHERE.
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
struct CreateTableGroupStatement {  // An extension of CQL.
  Identifier name;
  bool if_not_exists = false;
  friend bool operator==(const CreateTableGroupStatement&, const CreateTableGroupStatement&) = default;
};
struct DropTableGroupStatement {  // An extension of CQL.
  Identifier name;
  bool if_exists = false;
  friend bool operator==(const DropTableGroupStatement&, const DropTableGroupStatement&) = default;
};

}  // namespace widerow
