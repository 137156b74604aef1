// Keyspaces, tables and types as plain immutable structs. One SchemaSnapshot is the whole schema at one version; DDL
// builds a new one and replaces the pointer. Holders of an older snapshot keep a consistent picture.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/uuid.h"
#include "types/type.h"

namespace widerow {

using ColumnId = uint32_t;   // Unique within a table for ever: a column dropped and added again gets a new one.
using StorageId = uint32_t;  // First four bytes of every stored key; new on CREATE and on TRUNCATE.

enum class ColumnKind : uint8_t { kPartitionKey = 0, kClustering = 1, kStatic = 2, kRegular = 3 };

struct ColumnSchema {
  std::string name;
  ColumnId id = 0;
  ColumnKind kind = ColumnKind::kRegular;
  uint32_t position = 0;  // Within the partition key or the clustering; 0 for others.
  TypePtr type;
  bool descending = false;  // Clustering columns only.
  // GENERATED ALWAYS AS (…): the expression as CQL, by names of columns; empty: the column is an ordinary one.
  std::string generated_as;
  bool not_null = false;

  bool is_generated() const { return !generated_as.empty(); }
  bool is_key() const { return kind == ColumnKind::kPartitionKey || kind == ColumnKind::kClustering; }
};

struct DroppedColumn {
  std::string name;
  TypePtr type;
  bool is_static = false;
  int64_t dropped_micros = 0;
};

// How much of a table may be read and written, and how much of what the server can do is kept for it, in units a second: a row,
// and one more for every 4 KiB it is longer. 0: not limited, nothing kept. An extension; docs/operate/guardrails.md.
struct TableThroughput {
  int32_t read_limit = 0, write_limit = 0, read_reserved = 0, write_reserved = 0;

  bool any() const { return (read_limit | write_limit | read_reserved | write_reserved) != 0; }
  friend bool operator==(const TableThroughput&, const TableThroughput&) = default;
};
// Their names as table options.
inline constexpr std::string_view kThroughputOptions[] = {"read_limit", "read_reserved", "write_limit", "write_reserved"};
// "read_limit" -> read_limit, …; null for any other name.
int32_t* FindThroughput(TableThroughput& throughput, std::string_view option);

// Table options as Cassandra has them, with its defaults. Maps are kept and shown, also where they mean nothing here.
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

// How a table's rows are spread over partitions, and what stored keys begin with. Stored: never renumber.
enum class PartitionKind : uint8_t {
  kToken = 0,  // Murmur3 token ranges: Cassandra's way, the default.
  kKey = 1,    // PARTITION BY KEY: the Murmur3 hash of some columns, modulo a number of partitions.
  kHash = 2,   // PARTITION BY HASH: an integer column, modulo.
  kList = 3,   // PARTITION BY LIST: by the value of a column.
  kRange = 4,  // PARTITION BY RANGE: all rows in the order of the primary key.
};

// A partition of a table: the positions from `first_position` up to the next one's. A position is what stored keys have behind
// the storage id (storage/key_codec.h): in a table stored by token the token's 8 bytes, big-endian, sign bit flipped. The first
// entry's is empty.
struct PartitionRange {
  uint32_t id = 0;  // By which its counters go: another one after TRUNCATE, SPLIT and MERGE.
  Bytes first_position;
  // Of tables that are not stored by token.
  std::string name;
  uint32_t number = 0;        // KEY, HASH, LIST: what the stored partition keys of its rows begin with.
  std::vector<Bytes> values;  // LIST: the values whose rows it has.
  bool automatic = false;     // RANGE: it has been split off by the server, which may merge it again.
  friend bool operator==(const PartitionRange&, const PartitionRange&) = default;
};

struct GeneratedColumns;  // planner/generated/generated_columns.h

// Positions from `first_position` up to the next extent's are stored under another storage id than the table's first one: since
// their partition was truncated or dropped. 0: nothing can be there.
struct Extent {
  Bytes first_position;
  StorageId storage_id = 0;
  friend bool operator==(const Extent&, const Extent&) = default;
};

// PARTITION BY, and what goes with it.
struct Partitioning {
  PartitionKind kind = PartitionKind::kToken;
  std::vector<ColumnId> columns;  // As declared.
  uint32_t next_id = 0;           // Of the next entry of the partition map.
  uint32_t next_number = 0;       // LIST: of the next partition. Numbers are not used twice.
  Bytes end_key;                  // RANGE: the partition key from which on there is no partition; empty: there is no such.
  // RANGE: when a partition is split by itself. 0: as the server is set.
  bool auto_split = true;
  int64_t split_bytes = 0;
  int32_t split_operations = 0;  // Reads and writes a second.
  std::vector<Extent> extents;   // By first_position, the first one's empty. None: all is under the table's storage id.

  bool by_token() const { return kind == PartitionKind::kToken; }
  // Whether each row lies where it does in `other`: none moves when a partition is split or merged, but of one that is emptied, or
  // dropped and added again, those that come lie elsewhere than those that went.
  bool SamePlaces(const Partitioning& other) const { return extents == other.extents && next_number == other.next_number; }
  friend bool operator==(const Partitioning&, const Partitioning&) = default;
};

struct TableSchema;
using TablePtr = std::shared_ptr<const TableSchema>;

// How an index was asked for, and so what it serves. Stored: never renumber.
enum class IndexKind : uint8_t {
  kComposites = 0,  // CREATE INDEX, or USING 'legacy_local_table'.
  kSai = 1,         // USING 'sai' or 'StorageAttachedIndex'.
  kSasi = 2,        // USING 'org.apache.cassandra.index.sasi.SASIIndex'.
};
// What of a column is indexed. Stored: never renumber.
enum class IndexTarget : uint8_t {
  kValues = 0,   // The value; of a collection each of its values.
  kKeys = 1,     // A map's keys.
  kEntries = 2,  // A map's keys, each with its value.
  kFull = 3,     // A frozen collection as a whole.
};

struct IndexSchema {
  std::string name;  // Unique in its keyspace.
  IndexKind kind = IndexKind::kComposites;
  IndexTarget target = IndexTarget::kValues;
  ColumnId column = 0;
  std::map<std::string, std::string> options;  // As written in WITH OPTIONS, and nothing else.
  // The stored index: a table nobody names (exec/derived/index_entries.h). Another storage id after TRUNCATE.
  TablePtr entries;
  bool built = false;  // Rows from before the index are in it, too: SELECTs may use it.
};

// What makes a table a materialized view.
struct ViewSchema {
  std::string base_table;  // Of the same keyspace.
  Uuid base_id;
  bool include_all_columns = false;
  std::string where_clause;  // As CQL, by names of the base table's columns.
  bool built = false;
};

struct TableSchema {
  Uuid id;
  std::string keyspace, name;
  StorageId storage_id = 0;
  // Partition key, clustering (both in key order), then statics and regulars, each sorted by name: SELECT *'s order.
  std::vector<ColumnSchema> columns;
  uint32_t partition_key_size = 0;
  uint32_t clustering_size = 0;
  ColumnId next_column_id = 0;
  TableOptions options;
  std::vector<DroppedColumn> dropped_columns;
  std::vector<PartitionRange> partition_map;  // At least one, ascending by first_position.
  // The generated columns' expressions, planned when the table was made, changed or loaded. Null: it has none.
  std::shared_ptr<const GeneratedColumns> generated;
  Partitioning partitioning;
  std::string tablegroup;  // Empty: none.
  std::vector<IndexSchema> indexes;         // By name.
  std::vector<std::string> views;           // Names of the materialized views on it, in order.
  std::shared_ptr<const ViewSchema> view;   // What it shows, if it is a view; null: it is a table of its own.

  // Other tables are kept in step with every write to it (storage/derived_writes.h).
  bool has_derived() const { return !indexes.empty() || !views.empty(); }
  bool has_statics() const;
  const ColumnSchema* Find(std::string_view column_name) const;  // nullptr if there is none.
  const ColumnSchema* FindId(ColumnId column) const;             // nullptr if there is none.
  const ColumnSchema& partition_key(size_t i) const { return columns[i]; }
  const ColumnSchema& clustering(size_t i) const { return columns[partition_key_size + i]; }
  const IndexSchema* FindIndex(std::string_view index_name) const;  // nullptr if there is none.
};

struct KeyspaceSchema {
  std::string name;
  std::map<std::string, std::string> replication{{"class", "SimpleStrategy"}, {"replication_factor", "1"}};
  bool durable_writes = true;
  std::map<std::string, TablePtr, std::less<>> tables;
  std::map<std::string, TypePtr, std::less<>> types;  // UDTs, unfrozen, by name.
  std::set<std::string, std::less<>> tablegroups;
};
using KeyspacePtr = std::shared_ptr<const KeyspaceSchema>;

struct AccessCatalog;  // types/access.h

struct SchemaSnapshot {
  Uuid version;  // New with every change, but of `access`.
  std::map<std::string, KeyspacePtr, std::less<>> keyspaces;
  std::shared_ptr<const AccessCatalog> access;  // Roles and their permissions. Null: none have ever been made.

  const KeyspaceSchema* FindKeyspace(std::string_view name) const;
  TablePtr FindTable(std::string_view keyspace, std::string_view table) const;  // nullptr if there is none.
  // The table that has the index; nullptr if there is none.
  TablePtr FindIndexedTable(std::string_view keyspace, std::string_view index) const;
};
using SchemaPtr = std::shared_ptr<const SchemaSnapshot>;

}  // namespace widerow
