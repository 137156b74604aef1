#include "exec/virtual/definitions.h"

namespace widerow {

// Widerow's own tables are those about heat, partitions, statements, `backups`, `index_builds`, guardrails, throughput,
// purges, `storage` and `write_waits`. Cassandra's tables about things that do not exist here are left out:
// docs/reference/cql-support.md.
constexpr KeyspaceDefinition kSystemViewsDefinition = {.name = "system_views", .tables = R"cql(
CREATE TABLE system_views.backups (
  id uuid PRIMARY KEY, bytes_read bigint, kind text, started_at timestamp)
  WITH comment = 'backups that are being read; SELECT on this table is the permission to make backups';
CREATE TABLE system_views.busy_partitions (
  keyspace_name text, table_name text, rank int, bytes bigint, micros bigint, partition_key text, reads bigint,
  reads_error bigint, seconds bigint, share double, writes bigint, writes_error bigint,
  PRIMARY KEY ((keyspace_name, table_name), rank))
  WITH comment = 'partitions that most reads and writes of the last minutes fell on; the figures differ from the truth by their errors at most';
CREATE TABLE system_views.clients (
  address inet, port int, client_options frozen<map<text, text>>, connection_stage text, driver_name text,
  driver_version text, hostname text, keyspace_name text, protocol_version int, request_count bigint,
  ssl_cipher_suite text, ssl_enabled boolean, ssl_protocol text, username text, PRIMARY KEY (address, port))
  WITH comment = 'currently connected clients';
CREATE TABLE system_views.disk_usage (
  keyspace_name text, table_name text, mebibytes bigint, PRIMARY KEY ((keyspace_name, table_name)));
CREATE TABLE system_views.guardrails (
  name text PRIMARY KEY, fail bigint, mode text, warn bigint)
  WITH comment = 'bounds beyond which statements are warned of, or refused where guardrails are enforced; null: never';
CREATE TABLE system_views.heat (
  keyspace_name text, table_name text, axis text, slice_start timestamp, key_range int, bytes bigint, first_key text,
  micros bigint, reads bigint, reads_error bigint, seconds int, writes bigint, writes_error bigint,
  PRIMARY KEY ((keyspace_name, table_name), axis, slice_start, key_range))
  WITH comment = 'what was read and written in each key range and slice of time, in key order and in token order; reads and writes differ from the truth by their errors at most';
CREATE TABLE system_views.heat_ranges (
  keyspace_name text, table_name text, axis text, key_range int, bytes bigint, first_key text, micros bigint, reads bigint,
  reads_error bigint, writes bigint, writes_error bigint, PRIMARY KEY ((keyspace_name, table_name), axis, key_range))
  WITH comment = 'key ranges of heat, with their sums over all slices';
CREATE TABLE system_views.heat_shapes (
  keyspace_name text, table_name text, axis text, operation text, description text, operations bigint,
  operations_error bigint, shape text, share double, PRIMARY KEY ((keyspace_name, table_name), axis, operation))
  WITH comment = 'the shape of the heat of the last hour, in words';
CREATE TABLE system_views.hot_partitions (
  keyspace_name text, table_name text, partition_key text, at timestamp, reads_a_second double, reads_error double,
  writes_a_second double, writes_error double, PRIMARY KEY ((keyspace_name, table_name), partition_key))
  WITH comment = 'partitions that have certainly taken more than 3,000 reads or 1,000 writes a second for ten seconds';
CREATE TABLE system_views.index_builds (
  keyspace_name text, table_name text, index_name text, entry_count bigint, error text, row_count bigint,
  PRIMARY KEY ((keyspace_name, table_name), index_name))
  WITH comment = 'indexes that are being built: entries they have by now, rows of the table, estimates; why the last try failed';
CREATE TABLE system_views.large_partitions (
  keyspace_name text, table_name text, rank int, bytes bigint, partition_key text, rows bigint,
  PRIMARY KEY ((keyspace_name, table_name), rank))
  WITH comment = 'the largest partitions, as far as they have been brought into the data file; estimates';
CREATE TABLE system_views.partitions (
  keyspace_name text, table_name text, position int, automatic boolean, bytes bigint, end_key text, first_key text,
  first_token bigint, list_values text, name text, partition_by text, partition_id int, read_micros bigint, reads bigint,
  rows bigint, write_micros bigint, writes bigint,
  PRIMARY KEY ((keyspace_name, table_name), position))
  WITH comment = 'partitions of every table: bounds, rows and bytes as stored, load since start';
CREATE TABLE system_views.purges (
  keyspace_name text, table_name text, bytes_purged bigint, gc_grace_seconds int, last_end timestamp, oldest timestamp,
  oldest_due timestamp, partition_visits bigint, partitions_waiting bigint, records_examined bigint, records_held_back bigint,
  records_purged bigint, records_waiting bigint, walks bigint, PRIMARY KEY (keyspace_name, table_name))
  WITH comment = 'tombstones and expired cells of stored tables: what waits to be purged, and what has been since start';
CREATE TABLE system_views.settings (
  name text PRIMARY KEY, value text)
  WITH comment = 'current settings';
CREATE TABLE system_views.snapshots (
  name text, keyspace_name text, table_name text, created_at timestamp, ephemeral boolean, expires_at timestamp,
  size_on_disk bigint, true_size bigint, PRIMARY KEY (name, keyspace_name, table_name))
  WITH comment = 'available snapshots';
CREATE TABLE system_views.sstable_tasks (
  keyspace_name text, table_name text, task_id timeuuid, completion_ratio double, kind text, progress bigint,
  sstables int, target_directory text, total bigint, total_compressed bigint, unit text,
  PRIMARY KEY (keyspace_name, table_name, task_id))
  WITH comment = 'current sstable tasks';
CREATE TABLE system_views.statements (
  keyspace_name text, table_name text, statement_id text, access text, bytes bigint, executions bigint, first_run timestamp,
  kind text, last_run timestamp, max_ms double, rows_examined bigint, rows_returned bigint, rows_written bigint,
  statement text, total_ms double, PRIMARY KEY ((keyspace_name, table_name), statement_id))
  WITH comment = 'statements run since start, by shape: how often, what they read, returned and wrote, how long they took';
CREATE TABLE system_views.storage (
  key text PRIMARY KEY, data_file_bytes bigint, data_file_bytes_max bigint, data_file_share double, folding_bytes bigint,
  free_pages bigint, free_share double, log_bytes bigint, memtable_bytes bigint, memtable_bytes_max bigint,
  page_bytes int, pages bigint)
  WITH comment = 'data file and its free pages, commit log and memtables';
CREATE TABLE system_views.table_throughput (
  keyspace_name text, table_name text, read_limit int, read_reserved int, read_units bigint, read_units_reserved bigint,
  reads_refused bigint, write_limit int, write_reserved int, write_units bigint, write_units_reserved bigint,
  writes_refused bigint, PRIMARY KEY (keyspace_name, table_name))
  WITH comment = 'tables with limits or reserved throughput: units used and statements refused since start';
CREATE TABLE system_views.write_waits (
  stage text PRIMARY KEY, count bigint, max_ms double, p50th_ms double, p999th_ms double, p99th_ms double, total_ms double)
  WITH comment = 'what writes have waited for since start, from the queue to the answer';
)cql"};

}  // namespace widerow
