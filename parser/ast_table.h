// Statements about keyspaces and tables: CREATE, ALTER, DROP.
#pragma once

#include "parser/ast_term.h"

namespace widerow {

// One property of WITH: name = 'text', a number, true or {…}.
struct Property {
  Identifier name;
  Term value;  // A Literal, MapTerm, SetTerm (for {}) or ListTerm.
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

struct ColumnMask {  // MASKED WITH function(arguments), or MASKED WITH DEFAULT (no function name).
  std::optional<QualifiedName> function;
  std::vector<Term> arguments;
  friend bool operator==(const ColumnMask&, const ColumnMask&) = default;
};
struct ColumnDefinition {
  Identifier name;
  TypeName type;
  bool is_static = false, primary_key = false;
  bool not_null = false;             // An extension of CQL.
  std::optional<Term> generated_as;  // GENERATED ALWAYS AS (term). An extension of CQL.
  std::optional<ColumnMask> mask;
  SourceRange range;
  friend bool operator==(const ColumnDefinition& a, const ColumnDefinition& b) {
    return a.name == b.name && a.type == b.type && a.is_static == b.is_static && a.primary_key == b.primary_key &&
           a.not_null == b.not_null && a.generated_as == b.generated_as && a.mask == b.mask;
  }
};
// One partition of PARTITION BY RANGE or LIST. An extension of CQL.
struct PartitionDefinition {
  Identifier name;
  std::vector<Term> values;  // VALUES LESS THAN (…) or VALUES IN (…).
  bool max_value = false;
  bool in_list = false;  // True: VALUES IN; false: VALUES LESS THAN.
  friend bool operator==(const PartitionDefinition&, const PartitionDefinition&) = default;
};
// PARTITION BY KEY(k) PARTITIONS 97 | HASH | LIST | RANGE [COLUMNS] (k) (PARTITION …). An extension of CQL.
struct PartitionBy {
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
  // PRIMARY KEY ((partition_key…), clustering_key…) as declared. Without that clause both are empty and
  // primary_key_range is absent; a column's own PRIMARY KEY sets ColumnDefinition::primary_key.
  std::vector<Identifier> partition_key, clustering_key;
  std::optional<SourceRange> primary_key_range;
  uint32_t primary_key_count = 0;  // The number of PRIMARY KEY clauses, those of columns included.
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
// The actions of ALTER TABLE. They are outside AlterTableStatement because its variant needs complete types.
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
struct AlterGenerated {  // ALTER bucket GENERATED ALWAYS AS (…). An extension of CQL.
  Identifier column;
  Term expression;
  friend bool operator==(const AlterGenerated&, const AlterGenerated&) = default;
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
// ADD | DROP | TRUNCATE | SPLIT | MERGE | REORGANIZE PARTITION. An extension of CQL.
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
  using AlterGenerated = alter_table::AlterGenerated;
  using AlterMask = alter_table::AlterMask;
  using SetProperties = alter_table::SetProperties;
  using DropCompactStorage = alter_table::DropCompactStorage;
  using AlterPartitions = alter_table::AlterPartitions;
  QualifiedName name;
  bool if_exists = false;
  std::variant<AddColumns, DropColumns, RenameColumns, AlterType, AlterGenerated, AlterMask, SetProperties,
               DropCompactStorage, AlterPartitions>
      action;
  friend bool operator==(const AlterTableStatement&, const AlterTableStatement&) = default;
};
struct DropTableStatement {
  QualifiedName name;
  bool if_exists = false;
  friend bool operator==(const DropTableStatement&, const DropTableStatement&) = default;
};

}  // namespace widerow
