// system.local and system_views.settings.
#include <chrono>

#include "exec/describe/describe.h"
#include "exec/virtual/generators.h"
#include "types/scalar_text.h"

namespace widerow {

namespace {

// Drivers choose their features by these versions: see docs/reference/cql-support.md.
constexpr const char* kReleaseVersion = "5.0.9";
constexpr const char* kCqlVersion = "3.4.7";
constexpr const char* kNativeProtocolVersion = "5";

constexpr int32_t kDefaultPort = 9042;

int64_t StartedAtSeconds() {
  static const int64_t seconds =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  return seconds;
}

}  // namespace

void LocalRows(const VirtualContext& context, VirtualRows& rows) {
  if (!context.Wants("local")) return;
  const Bytes& address = context.connection == nullptr ? kLoopback : context.connection->local_address;
  const int32_t port = context.connection == nullptr ? kDefaultPort : context.connection->local_port;
  rows.Add()
      .Text("key", "local")
      .Text("bootstrapped", "COMPLETED")
      .Native("broadcast_address", address)
      .Integer("broadcast_port", port)
      .Text("cluster_name", kClusterName)
      .Text("cql_version", kCqlVersion)
      .Text("data_center", context.datacenter)
      .Integer("gossip_generation", StartedAtSeconds())
      .Id("host_id", context.storage.database_id())
      .Native("listen_address", address)
      .Integer("listen_port", port)
      .Text("native_protocol_version", kNativeProtocolVersion)
      .Text("partitioner", "org.apache.cassandra.dht.Murmur3Partitioner")
      .Text("rack", "rack1")
      .Text("release_version", kReleaseVersion)
      .Native("rpc_address", address)
      .Integer("rpc_port", port)
      .Id("schema_version", context.schema->version)
      .Texts("tokens", {kRingToken});
}

// Shows those of Cassandra's settings that apply to this server, under Cassandra's names.
void SettingsRows(const VirtualContext& context, VirtualRows& rows) {
  const bool logins = context.logins_required;
  const auto add = [&](const char* name, const std::string& value) {
    if (context.Wants(name)) rows.Add().Text("name", name).Text("value", value);
  };
  for (const auto& [name, value] : {std::pair("allow_filtering_enabled", "true"),
                                    {"authenticator", logins ? "PasswordAuthenticator" : "AllowAllAuthenticator"},
                                    {"authorizer", logins ? "CassandraAuthorizer" : "AllowAllAuthorizer"},
                                    {"batch_size_fail_threshold", "50KiB"},
                                    {"batch_size_warn_threshold", "5KiB"},
                                    {"cdc_enabled", "false"},
                                    {"cluster_name", kClusterName},
                                    {"endpoint_snitch", "SimpleSnitch"},
                                    {"materialized_views_enabled", "true"},
                                    {"num_tokens", "1"},
                                    {"partitioner", "org.apache.cassandra.dht.Murmur3Partitioner"},
                                    {"secondary_indexes_enabled", "true"},
                                    {"unlogged_batch_across_partitions_warn_threshold", "10"},
                                    {"user_defined_functions_enabled", "false"},
                                    {"vector_type_enabled", "true"}}) {
    add(name, value);
  }
  if (context.connection == nullptr) return;
  add("native_transport_port", std::to_string(context.connection->local_port));
  add("rpc_address", InetText(context.connection->local_address));
}

}  // namespace widerow
