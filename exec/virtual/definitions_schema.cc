#include "exec/virtual/definitions.h"

namespace widerow {

constexpr KeyspaceDefinition kSystemSchemaDefinition = {
    .name = "system_schema", .gc_grace_seconds = 604'800, .memtable_flush_period_in_ms = 3'600'000, .tables = R"cql(
CREATE TABLE system_schema.aggregates (
  keyspace_name text, aggregate_name text, argument_types frozen<list<text>>, final_func text, initcond text,
  return_type text, state_func text, state_type text, PRIMARY KEY (keyspace_name, aggregate_name, argument_types))
  WITH comment = 'user defined aggregate definitions';
CREATE TABLE system_schema.column_masks (
  keyspace_name text, table_name text, column_name text, function_argument_nulls frozen<list<boolean>>,
  function_argument_types frozen<list<text>>, function_argument_values frozen<list<text>>, function_keyspace text,
  function_name text, PRIMARY KEY (keyspace_name, table_name, column_name))
  WITH comment = 'column dynamic data masks';
CREATE TABLE system_schema.columns (
  keyspace_name text, table_name text, column_name text, clustering_order text, column_name_bytes blob, kind text,
  position int, type text, PRIMARY KEY (keyspace_name, table_name, column_name))
  WITH comment = 'column definitions';
CREATE TABLE system_schema.dropped_columns (
  keyspace_name text, table_name text, column_name text, dropped_time timestamp, kind text, type text,
  PRIMARY KEY (keyspace_name, table_name, column_name))
  WITH comment = 'dropped column registry';
CREATE TABLE system_schema.functions (
  keyspace_name text, function_name text, argument_types frozen<list<text>>, argument_names frozen<list<text>>,
  body text, called_on_null_input boolean, language text, return_type text,
  PRIMARY KEY (keyspace_name, function_name, argument_types))
  WITH comment = 'user defined function definitions';
CREATE TABLE system_schema.indexes (
  keyspace_name text, table_name text, index_name text, kind text, options frozen<map<text, text>>,
  PRIMARY KEY (keyspace_name, table_name, index_name))
  WITH comment = 'secondary index definitions';
CREATE TABLE system_schema.keyspaces (
  keyspace_name text PRIMARY KEY, durable_writes boolean, replication frozen<map<text, text>>)
  WITH comment = 'keyspace definitions';
CREATE TABLE system_schema.tables (
  keyspace_name text, table_name text, additional_write_policy text, allow_auto_snapshot boolean,
  bloom_filter_fp_chance double, caching frozen<map<text, text>>, cdc boolean, comment text,
  compaction frozen<map<text, text>>, compression frozen<map<text, text>>, crc_check_chance double,
  dclocal_read_repair_chance double, default_time_to_live int, extensions frozen<map<text, blob>>,
  flags frozen<set<text>>, gc_grace_seconds int, id uuid, incremental_backups boolean, max_index_interval int,
  memtable text, memtable_flush_period_in_ms int, min_index_interval int, read_repair text,
  read_repair_chance double, speculative_retry text, PRIMARY KEY (keyspace_name, table_name))
  WITH comment = 'table definitions';
CREATE TABLE system_schema.triggers (
  keyspace_name text, table_name text, trigger_name text, options frozen<map<text, text>>,
  PRIMARY KEY (keyspace_name, table_name, trigger_name))
  WITH comment = 'trigger definitions';
CREATE TABLE system_schema.types (
  keyspace_name text, type_name text, field_names frozen<list<text>>, field_types frozen<list<text>>,
  PRIMARY KEY (keyspace_name, type_name))
  WITH comment = 'user defined type definitions';
CREATE TABLE system_schema.views (
  keyspace_name text, view_name text, additional_write_policy text, allow_auto_snapshot boolean, base_table_id uuid,
  base_table_name text, bloom_filter_fp_chance double, caching frozen<map<text, text>>, cdc boolean, comment text,
  compaction frozen<map<text, text>>, compression frozen<map<text, text>>, crc_check_chance double,
  dclocal_read_repair_chance double, default_time_to_live int, extensions frozen<map<text, blob>>,
  gc_grace_seconds int, id uuid, include_all_columns boolean, incremental_backups boolean, max_index_interval int,
  memtable text, memtable_flush_period_in_ms int, min_index_interval int, read_repair text,
  read_repair_chance double, speculative_retry text, where_clause text, PRIMARY KEY (keyspace_name, view_name))
  WITH comment = 'view definitions';
)cql"};

constexpr KeyspaceDefinition kSystemVirtualSchemaDefinition = {.name = "system_virtual_schema", .tables = R"cql(
CREATE TABLE system_virtual_schema.columns (
  keyspace_name text, table_name text, column_name text, clustering_order text, column_name_bytes blob, kind text,
  position int, type text, PRIMARY KEY (keyspace_name, table_name, column_name))
  WITH comment = 'virtual column definitions';
CREATE TABLE system_virtual_schema.keyspaces (
  keyspace_name text PRIMARY KEY)
  WITH comment = 'virtual keyspace definitions';
CREATE TABLE system_virtual_schema.tables (
  keyspace_name text, table_name text, comment text, PRIMARY KEY (keyspace_name, table_name))
  WITH comment = 'virtual table definitions';
)cql"};

}  // namespace widerow
