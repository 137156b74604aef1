// Keyspaces, tables and types as plain immutable structs. One SchemaSnapshot is the whole schema at one version. DDL
// builds a new snapshot and replaces the pointer; holders of an older one keep a consistent schema. Any thread may read
// them.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/uuid.h"
#include "types/type.h"

namespace widerow {

using ColumnId = uint32_t;   // Unique within a table for ever: no other column gets a dropped column's id.
using StorageId = uint32_t;  // The first four bytes of every stored key; new on CREATE and on TRUNCATE.

enum class ColumnKind : uint8_t { kPartitionKey = 0, kClustering = 1, kStatic = 2, kRegular = 3 };

struct ColumnSchema {
  std::string name;
  ColumnId id = 0;
  ColumnKind kind = ColumnKind::kRegular;
  uint32_t position = 0;  // Within the partition key or the clustering; 0 for other columns.
  TypePtr type;
  // True for a descending clustering column. In a view, also true for a partition key column that is descending in the
  // base table; answers to IN on this column are in descending order.
  bool descending = false;
  // The expression of GENERATED ALWAYS AS (…) as CQL, with column names. Empty for an ordinary column.
  std::string generated_as;
  bool not_null = false;

  bool is_generated() const { return !generated_as.empty(); }
  bool is_key() const { return kind == ColumnKind::kPartitionKey || kind == ColumnKind::kClustering; }
};

inline constexpr ColumnId kNoColumnId = ~ColumnId{0};

// A column that was dropped. If a column of this name was added again, it is in TableSchema::columns. It has the same
// id as the dropped one, unless `id` is kNoColumnId or the new column is generated. Because of the same id, it shows
// the values that were written after the drop (docs/internals/decisions/0009-readded-columns.md).
struct DroppedColumn {
  std::string name;
  TypePtr type;  // UDTs in it are replaced by tuples, because they may be dropped later.
  bool is_static = false;
  int64_t dropped_micros = 0;  // The timestamp of the last DROP.
  // kNoColumnId if an older version of Widerow dropped the column: then all its values are gone.
  ColumnId id = kNoColumnId;
  // The greatest timestamp of all DROPs of the column. Cells up to it are gone.
  int64_t gone_micros = std::numeric_limits<int64_t>::max();
};

// Throughput limits of a table and the throughput reserved for it, in units a second. A statement costs one unit for
// each row. If the rows have more than 4 KiB on average, it costs one unit for each 4 KiB of their total size instead.
// 0 means no limit, or nothing reserved. An extension; docs/operate/guardrails.md.
struct TableThroughput {
  int32_t read_limit = 0, write_limit = 0, read_reserved = 0, write_reserved = 0;

  bool any() const { return (read_limit | write_limit | read_reserved | write_reserved) != 0; }
  friend bool operator==(const TableThroughput&, const TableThroughput&) = default;
};
// The names of the fields of TableThroughput as table options.
inline constexpr std::string_view kThroughputOptions[] = {"read_limit", "read_reserved", "write_limit",
                                                          "write_reserved"};
// Returns the field for the option ("read_limit", …); null if there is no such option.
int32_t* FindThroughput(TableThroughput& throughput, std::string_view option);

// Table options with Cassandra's names and defaults. Those that have no effect in Widerow are stored and shown too.
struct TableOptions {
  std::string comment;
  int32_t default_time_to_live = 0;
  int32_t gc_grace_seconds = 864'000;
  double bloom_filter_fp_chance = 0.01;
  double crc_check_chance = 1.0;
  int32_t min_index_interval = 128;
  int32_t max_index_interval = 2'048;
  int32_t memtable_flush_period_in_ms = 0;
  std::string speculative_retry = "99p";
  std::string additional_write_policy = "99p";
  std::string memtable = "default";
  std::string read_repair = "BLOCKING";
  bool cdc = false;
  bool allow_auto_snapshot = true;
  bool incremental_backups = true;
  std::map<std::string, std::string> caching{{"keys", "ALL"}, {"rows_per_partition", "NONE"}};
  std::map<std::string, std::string> compaction{
      {"class", "org.apache.cassandra.db.compaction.SizeTieredCompactionStrategy"},
      {"max_threshold", "32"},
      {"min_threshold", "4"}};
  std::map<std::string, std::string> compression{{"chunk_length_in_kb", "16"},
                                                 {"class", "org.apache.cassandra.io.compress.LZ4Compressor"}};
  std::map<std::string, std::string> extensions;
  TableThroughput throughput;

  friend bool operator==(const TableOptions&, const TableOptions&) = default;
};

// The way in which a table's rows are distributed over partitions; it decides what stored keys begin with. Stored:
// never renumber.
enum class PartitionKind : uint8_t {
  kToken = 0,  // Murmur3 token ranges, as in Cassandra: the default.
  kKey = 1,    // PARTITION BY KEY: the Murmur3 hash of some columns, modulo the number of partitions.
  kHash = 2,   // PARTITION BY HASH: an integer column, modulo the number of partitions.
  kList = 3,   // PARTITION BY LIST: by the value of a column.
  kRange = 4,  // PARTITION BY RANGE: all rows in the order of the primary key.
};

// A partition of a table, which contains a range of positions. A position is the part of a stored key after the storage
// id (storage/format/key_codec.h). In a table stored by token it is the 8 bytes of the token, big-endian, with the sign
// bit flipped. The range begins at `first_position`, which is empty for the first partition, and ends where the next
// partition begins.
struct PartitionRange {
  // The partition's numbers of rows and bytes are stored under this id. The id is new after TRUNCATE, SPLIT and MERGE.
  uint32_t id = 0;
  Bytes first_position;
  // The following fields are used in tables that are not stored by token.
  std::string name;
  uint32_t number = 0;        // KEY, HASH, LIST: the number that the stored partition keys of its rows begin with.
  std::vector<Bytes> values;  // LIST: the values of the partitioning column in its rows.
  bool automatic = false;     // RANGE: true if the server made it by a split. The server may merge it.
  friend bool operator==(const PartitionRange&, const PartitionRange&) = default;
};

struct GeneratedColumns;  // planner/generated/generated_columns.h

// A range of positions whose rows are stored under one storage id. The range begins at `first_position` and ends where
// the next extent begins. Its storage id differs from the table's after a partition was truncated or dropped. With the
// id 0, nothing can be stored in the range.
struct Extent {
  Bytes first_position;
  StorageId storage_id = 0;
  friend bool operator==(const Extent&, const Extent&) = default;
};

// PARTITION BY and the state that belongs to it.
struct Partitioning {
  PartitionKind kind = PartitionKind::kToken;
  std::vector<ColumnId> columns;  // In declared order.
  uint32_t next_id = 0;           // The id of the next partition map entry.
  uint32_t next_number = 0;       // LIST: the number of the next partition. Numbers are not reused.
  Bytes end_key;  // RANGE: no partition contains this partition key or greater ones. Empty if there is no bound.
  // RANGE: the conditions for automatic splits. If a number is 0, the server's setting applies.
  bool auto_split = true;
  int64_t split_bytes = 0;
  int32_t split_operations = 0;  // Reads and writes a second.
  // Ordered by first_position; that of the first extent is empty. Without extents, all rows are stored under the
  // table's storage id.
  std::vector<Extent> extents;

  bool by_token() const { return kind == PartitionKind::kToken; }
  // True if each row's stored key is the same in `other`. A split or merge changes no key. After a partition was
  // truncated, or dropped and added again, its new rows have other keys than the old ones.
  bool SamePlaces(const Partitioning& other) const {
    return extents == other.extents && next_number == other.next_number;
  }
  friend bool operator==(const Partitioning&, const Partitioning&) = default;
};

struct TableSchema;
using TablePtr = std::shared_ptr<const TableSchema>;

// The kind of an index, as the statement named it. It decides which queries the index serves. Stored: never renumber.
enum class IndexKind : uint8_t {
  kComposites = 0,  // CREATE INDEX, or USING 'legacy_local_table'.
  kSai = 1,         // USING 'sai' or 'StorageAttachedIndex'.
  kSasi = 2,        // USING 'org.apache.cassandra.index.sasi.SASIIndex'.
};
// The part of a column that is indexed. Stored: never renumber.
enum class IndexTarget : uint8_t {
  kValues = 0,   // The value; each value of a collection.
  kKeys = 1,     // A map's keys.
  kEntries = 2,  // A map's keys together with their values.
  kFull = 3,     // A frozen collection as a whole.
};

struct IndexSchema {
  std::string name;  // Unique in its keyspace.
  IndexKind kind = IndexKind::kComposites;
  IndexTarget target = IndexTarget::kValues;
  ColumnId column = 0;
  // The options in WITH OPTIONS, `class_name` with the class of a custom index, and the options that keep the words
  // UNIQUE, LOCAL and GLOBAL (types/index_words.h).
  std::map<std::string, std::string> options;
  // The stored index: a table without a user-visible name (exec/derived/index_entries.h). It gets a new storage id on
  // TRUNCATE.
  TablePtr entries;
  bool built = false;  // True if the index has all rows, also those older than it. SELECTs may then use it.
};

// The properties of a materialized view.
struct ViewSchema {
  std::string base_table;  // The base table is in the keyspace of the view.
  Uuid base_id;
  bool include_all_columns = false;
  std::string where_clause;  // CQL text, with the base table's column names.
  bool built = false;
};

struct TableSchema {
  Uuid id;
  std::string keyspace, name;
  StorageId storage_id = 0;
  // First the partition key and the clustering columns, both in key order, then static and regular columns, each sorted
  // by name. This is the order of SELECT *.
  std::vector<ColumnSchema> columns;
  uint32_t partition_key_size = 0;
  uint32_t clustering_size = 0;
  ColumnId next_column_id = 0;
  TableOptions options;
  std::vector<DroppedColumn> dropped_columns;
  std::vector<PartitionRange> partition_map;  // At least one entry, ascending by first_position.
  // The expressions of generated columns, planned when the table is created, altered or loaded. Null if the
  // table has none.
  std::shared_ptr<const GeneratedColumns> generated;
  Partitioning partitioning;
  std::string tablegroup;                  // Empty if the table is in no table group.
  std::vector<IndexSchema> indexes;        // Sorted by name.
  std::vector<std::string> views;          // Names of the materialized views on this table, sorted.
  std::shared_ptr<const ViewSchema> view;  // Set if this table is a materialized view.

  // True if every write to this table also updates other tables (storage/derived_writes.h).
  bool has_derived() const { return !indexes.empty() || !views.empty(); }
  bool has_statics() const;
  const ColumnSchema* Find(std::string_view column_name) const;  // nullptr if there is none.
  const ColumnSchema* FindId(ColumnId column) const;             // nullptr if there is none.
  const ColumnSchema& partition_key(size_t i) const { return columns[i]; }
  const ColumnSchema& clustering(size_t i) const { return columns[partition_key_size + i]; }
  const IndexSchema* FindIndex(std::string_view index_name) const;  // nullptr if there is none.
  // Returns nullptr if no column of this name was ever dropped.
  const DroppedColumn* FindDropped(std::string_view column_name) const;
  // False if a cell must not be seen: the table does not have its column, or the column was dropped at this timestamp
  // or later and then added again.
  bool Shows(ColumnId column, int64_t timestamp) const;
};

// True if `after` has columns that `before` had dropped. Then it may have rows that `before` did not show.
bool ColumnsCameBack(const TableSchema& before, const TableSchema& after);

struct KeyspaceSchema {
  std::string name;
  std::map<std::string, std::string> replication{{"class", "SimpleStrategy"}, {"replication_factor", "1"}};
  bool durable_writes = true;
  std::map<std::string, TablePtr, std::less<>> tables;
  std::map<std::string, TypePtr, std::less<>> types;  // User-defined types, unfrozen, by name.
  std::set<std::string, std::less<>> tablegroups;
};
using KeyspacePtr = std::shared_ptr<const KeyspaceSchema>;

struct AccessCatalog;  // types/access.h

struct SchemaSnapshot {
  Uuid version;  // New with every change, except changes of `access`.
  std::map<std::string, KeyspacePtr, std::less<>> keyspaces;
  std::shared_ptr<const AccessCatalog> access;  // Roles and their permissions. Null if there are no roles.

  const KeyspaceSchema* FindKeyspace(std::string_view name) const;
  TablePtr FindTable(std::string_view keyspace, std::string_view table) const;  // nullptr if there is none.
  // Returns the table that has the index; nullptr if there is none.
  TablePtr FindIndexedTable(std::string_view keyspace, std::string_view index) const;
};
using SchemaPtr = std::shared_ptr<const SchemaSnapshot>;

}  // namespace widerow
