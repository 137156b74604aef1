#include "exec/virtual/definitions.h"

namespace widerow {

constexpr KeyspaceDefinition kSystemAuthDefinition = {
    .name = "system_auth", .replication_factor = "1", .gc_grace_seconds = 7'776'000, .tables = R"cql(
CREATE TABLE system_auth.cidr_groups (
  cidr_group text PRIMARY KEY, cidrs frozen<set<frozen<tuple<inet, smallint>>>>)
  WITH comment = 'cidr groups to cidrs mapping';
CREATE TABLE system_auth.cidr_permissions (
  role text PRIMARY KEY, cidr_groups frozen<set<text>>)
  WITH comment = 'user cidr permissions';
CREATE TABLE system_auth.identity_to_role (
  identity text PRIMARY KEY, role text)
  WITH comment = 'mtls authorized identities lookup table';
CREATE TABLE system_auth.network_permissions (
  role text PRIMARY KEY, dcs frozen<set<text>>)
  WITH comment = 'user network permissions';
CREATE TABLE system_auth.resource_role_permissons_index (
  resource text, role text, PRIMARY KEY (resource, role))
  WITH comment = 'index of db roles with permissions granted on a resource';
CREATE TABLE system_auth.role_members (
  role text, member text, PRIMARY KEY (role, member))
  WITH comment = 'role memberships lookup table';
CREATE TABLE system_auth.role_permissions (
  role text, resource text, permissions set<text>, PRIMARY KEY (role, resource))
  WITH comment = 'permissions granted to db roles';
CREATE TABLE system_auth.roles (
  role text PRIMARY KEY, can_login boolean, is_superuser boolean, salted_hash text, member_of set<text>)
  WITH comment = 'role definitions';
)cql"};

constexpr KeyspaceDefinition kSystemDistributedDefinition = {
    .name = "system_distributed", .replication_factor = "3", .tables = R"cql(
CREATE TABLE system_distributed.parent_repair_history (
  parent_id timeuuid PRIMARY KEY, exception_message text, exception_stacktrace text, finished_at timestamp,
  keyspace_name text, started_at timestamp, columnfamily_names set<text>, options map<text, text>,
  requested_ranges set<text>, successful_ranges set<text>)
  WITH comment = 'Repair history'
    AND compaction = {'class': 'TimeWindowCompactionStrategy', 'compaction_window_size': '1',
    'compaction_window_unit': 'DAYS', 'max_threshold': '32', 'min_threshold': '4'} AND default_time_to_live = 2592000;
CREATE TABLE system_distributed.partition_denylist (
  ks_name text, table_name text, key blob, PRIMARY KEY ((ks_name, table_name), key))
  WITH comment = 'Partition keys which have been denied access';
CREATE TABLE system_distributed.repair_history (
  keyspace_name text, columnfamily_name text, id timeuuid, coordinator inet, coordinator_port int,
  exception_message text, exception_stacktrace text, finished_at timestamp, parent_id timeuuid, range_begin text,
  range_end text, started_at timestamp, status text, participants set<inet>, participants_v2 set<text>,
  PRIMARY KEY ((keyspace_name, columnfamily_name), id))
  WITH comment = 'Repair history'
    AND compaction = {'class': 'TimeWindowCompactionStrategy', 'compaction_window_size': '1',
    'compaction_window_unit': 'DAYS', 'max_threshold': '32', 'min_threshold': '4'} AND default_time_to_live = 2592000;
CREATE TABLE system_distributed.view_build_status (
  keyspace_name text, view_name text, host_id uuid, status text, PRIMARY KEY ((keyspace_name, view_name), host_id))
  WITH comment = 'Materialized View build status';
)cql"};

constexpr KeyspaceDefinition kSystemTracesDefinition = {
    .name = "system_traces", .replication_factor = "2", .gc_grace_seconds = 0, .tables = R"cql(
CREATE TABLE system_traces.events (
  session_id uuid, event_id timeuuid, activity text, source inet, source_elapsed int, source_port int, thread text,
  PRIMARY KEY (session_id, event_id))
  WITH comment = 'tracing events';
CREATE TABLE system_traces.sessions (
  session_id uuid PRIMARY KEY, client inet, command text, coordinator inet, coordinator_port int, duration int,
  request text, started_at timestamp, parameters map<text, text>)
  WITH comment = 'tracing sessions';
)cql"};

}  // namespace widerow
