#include "exec/virtual/definitions.h"

namespace widerow {

// `partitions` is ours.
constexpr KeyspaceDefinition kSystemViewsDefinition = {
    .name = "system_views",
    .tables = R"cql(
CREATE TABLE system_views.caches (
  name text PRIMARY KEY, capacity_bytes bigint, entry_count int, hit_count bigint, hit_ratio double,
  recent_hit_rate_per_second bigint, recent_request_rate_per_second bigint, request_count bigint, size_bytes bigint)
  WITH comment = 'system caches';
CREATE TABLE system_views.clients (
  address inet, port int, client_options frozen<map<text, text>>, connection_stage text, driver_name text,
  driver_version text, hostname text, keyspace_name text, protocol_version int, request_count bigint,
  ssl_cipher_suite text, ssl_enabled boolean, ssl_protocol text, username text, PRIMARY KEY (address, port))
  WITH comment = 'currently connected clients';
CREATE TABLE system_views.cql_metrics (
  name text PRIMARY KEY, value double)
  WITH comment = 'Metrics specific to CQL prepared statement caching';
CREATE TABLE system_views.disk_usage (
  keyspace_name text, table_name text, mebibytes bigint, PRIMARY KEY ((keyspace_name, table_name)));
CREATE TABLE system_views.partitions (
  keyspace_name text, table_name text, partition_id int, bytes bigint, first_token bigint, read_micros bigint,
  reads bigint, rows bigint, write_micros bigint, writes bigint,
  PRIMARY KEY ((keyspace_name, table_name), partition_id))
  WITH comment = 'partitions of every table: first token, rows and bytes as stored, load since start';
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
CREATE TABLE system_views.system_properties (
  name text PRIMARY KEY, value text)
  WITH comment = 'Cassandra relevant system properties';
CREATE TABLE system_views.thread_pools (
  name text PRIMARY KEY, active_tasks int, active_tasks_limit int, blocked_tasks bigint,
  blocked_tasks_all_time bigint, completed_tasks bigint, pending_tasks int);
)cql"};

}  // namespace widerow
