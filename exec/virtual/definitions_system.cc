#include "exec/virtual/definitions.h"

namespace widerow {

constexpr KeyspaceDefinition kSystemDefinition = {
    .name = "system", .gc_grace_seconds = 0, .memtable_flush_period_in_ms = 3'600'000, .tables = R"cql(
CREATE TABLE system.available_ranges (
  keyspace_name text PRIMARY KEY, ranges set<blob>)
  WITH comment = 'available keyspace/ranges during bootstrap/replace that are ready to be served';
CREATE TABLE system.available_ranges_v2 (
  keyspace_name text PRIMARY KEY, full_ranges set<blob>, transient_ranges set<blob>)
  WITH comment = 'available keyspace/ranges during bootstrap/replace that are ready to be served';
CREATE TABLE system.batches (
  id timeuuid PRIMARY KEY, version int, mutations list<blob>)
  WITH comment = 'batches awaiting replay'
    AND compaction = {'class': 'SizeTieredCompactionStrategy', 'max_threshold': '32', 'min_threshold': '2'};
CREATE TABLE system.built_views (
  keyspace_name text, view_name text, status_replicated boolean, PRIMARY KEY (keyspace_name, view_name))
  WITH comment = 'built views';
CREATE TABLE system.compaction_history (
  id timeuuid PRIMARY KEY, bytes_in bigint, bytes_out bigint, columnfamily_name text, compacted_at timestamp,
  compaction_properties frozen<map<text, text>>, keyspace_name text, rows_merged map<int, bigint>)
  WITH comment = 'week-long compaction history' AND default_time_to_live = 604800;
CREATE TABLE system."IndexInfo" (
  table_name text, index_name text, value blob, PRIMARY KEY (table_name, index_name))
  WITH comment = 'built column indexes';
CREATE TABLE system.local (
  key text PRIMARY KEY, bootstrapped text, broadcast_address inet, broadcast_port int, cluster_name text,
  cql_version text, data_center text, gossip_generation int, host_id uuid, listen_address inet, listen_port int,
  native_protocol_version text, partitioner text, rack text, release_version text, rpc_address inet, rpc_port int,
  schema_version uuid, tokens set<text>, truncated_at map<uuid, blob>)
  WITH comment = 'information about the local node';
CREATE TABLE system.paxos (
  row_key blob, cf_id uuid, in_progress_ballot timeuuid, in_progress_read_ballot timeuuid, most_recent_commit blob,
  most_recent_commit_at timeuuid, most_recent_commit_version int, proposal blob, proposal_ballot timeuuid,
  proposal_version int, PRIMARY KEY (row_key, cf_id))
  WITH comment = 'in-progress paxos proposals' AND bloom_filter_fp_chance = 0.01
    AND compaction = {'class': 'LeveledCompactionStrategy', 'max_threshold': '32', 'min_threshold': '4'};
CREATE TABLE system.paxos_repair_history (
  keyspace_name text, table_name text, points frozen<list<frozen<tuple<blob, timeuuid>>>>,
  PRIMARY KEY (keyspace_name, table_name))
  WITH comment = 'paxos repair history';
CREATE TABLE system.peer_events (
  peer inet PRIMARY KEY, hints_dropped map<timeuuid, int>)
  WITH comment = 'events related to peers';
CREATE TABLE system.peer_events_v2 (
  peer inet, peer_port int, hints_dropped map<timeuuid, int>, PRIMARY KEY (peer, peer_port))
  WITH comment = 'events related to peers';
CREATE TABLE system.peers (
  peer inet PRIMARY KEY, data_center text, host_id uuid, preferred_ip inet, rack text, release_version text,
  rpc_address inet, schema_version uuid, tokens set<text>)
  WITH comment = 'information about known peers in the cluster';
CREATE TABLE system.peers_v2 (
  peer inet, peer_port int, data_center text, host_id uuid, native_address inet, native_port int, preferred_ip inet,
  preferred_port int, rack text, release_version text, schema_version uuid, tokens set<text>,
  PRIMARY KEY (peer, peer_port))
  WITH comment = 'information about known peers in the cluster';
CREATE TABLE system.prepared_statements (
  prepared_id blob PRIMARY KEY, logged_keyspace text, query_string text)
  WITH comment = 'prepared statements';
CREATE TABLE system.repairs (
  parent_id timeuuid PRIMARY KEY, coordinator inet, coordinator_port int, last_update timestamp,
  repaired_at timestamp, started_at timestamp, state int, cfids set<uuid>, participants set<inet>,
  participants_wp set<text>, ranges set<blob>)
  WITH comment = 'repairs';
CREATE TABLE system.size_estimates (
  keyspace_name text, table_name text, range_start text, range_end text, mean_partition_size bigint,
  partitions_count bigint, PRIMARY KEY (keyspace_name, table_name, range_start, range_end))
  WITH comment = 'per-table primary range size estimates, table is deprecated in favor of table_estimates';
CREATE TABLE system.sstable_activity (
  keyspace_name text, columnfamily_name text, generation int, rate_120m double, rate_15m double,
  PRIMARY KEY ((keyspace_name, columnfamily_name, generation)))
  WITH comment = 'historic sstable read rates';
CREATE TABLE system.sstable_activity_v2 (
  keyspace_name text, table_name text, id text, rate_120m double, rate_15m double,
  PRIMARY KEY ((keyspace_name, table_name, id)))
  WITH comment = 'historic sstable read rates';
CREATE TABLE system.table_estimates (
  keyspace_name text, table_name text, range_type text, range_start text, range_end text, mean_partition_size bigint,
  partitions_count bigint, PRIMARY KEY (keyspace_name, table_name, range_type, range_start, range_end))
  WITH comment = 'per-table range size estimates';
CREATE TABLE system.top_partitions (
  keyspace_name text, table_name text, top_type text, last_update timestamp,
  top frozen<list<frozen<tuple<text, bigint>>>>, PRIMARY KEY (keyspace_name, table_name, top_type))
  WITH comment = 'Stores the top partitions';
CREATE TABLE system.transferred_ranges (
  operation text, keyspace_name text, peer inet, ranges set<blob>, PRIMARY KEY ((operation, keyspace_name), peer))
  WITH comment = 'record of transferred ranges for streaming operation';
CREATE TABLE system.transferred_ranges_v2 (
  operation text, keyspace_name text, peer inet, peer_port int, ranges set<blob>,
  PRIMARY KEY ((operation, keyspace_name), peer, peer_port))
  WITH comment = 'record of transferred ranges for streaming operation';
CREATE TABLE system.view_builds_in_progress (
  keyspace_name text, view_name text, start_token text, end_token text, keys_built bigint, last_token text,
  PRIMARY KEY (keyspace_name, view_name, start_token, end_token))
  WITH comment = 'views builds current progress';
)cql"};

}  // namespace widerow
