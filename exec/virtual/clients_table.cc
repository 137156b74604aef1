// system_views.clients and system_views.backups: who is connected, and the backups that clients are reading.
#include "exec/session/backup_registry.h"
#include "exec/virtual/generators.h"

namespace widerow {

void ClientsRows(const VirtualContext& context, VirtualRows& rows) {
  for (const auto& entry : context.connections.List()) {
    const ClientFacts client = entry->facts();
    rows.Add()
        .Native("address", client.address)
        .Integer("port", client.port)
        .TextMap("client_options", client.options)
        .Text("connection_stage", client.stage)
        .Integer("protocol_version", client.protocol_version)
        .Integer("request_count", static_cast<int64_t>(entry->requests()))
        .Boolean("ssl_enabled", !client.tls_protocol.empty())
        .Text("username", client.username);
    if (const auto name = client.options.find("DRIVER_NAME"); name != client.options.end()) {
      rows.Text("driver_name", name->second);
    }
    if (const auto version = client.options.find("DRIVER_VERSION"); version != client.options.end()) {
      rows.Text("driver_version", version->second);
    }
    if (!client.tls_protocol.empty()) {
      rows.Text("ssl_protocol", client.tls_protocol).Text("ssl_cipher_suite", client.tls_cipher);
    }
    if (!client.keyspace.empty()) rows.Text("keyspace_name", client.keyspace);
  }
}

// The permission SELECT on this table is the permission to make backups.
void BackupsRows(const VirtualContext& context, VirtualRows& rows) {
  for (const OpenBackupPtr& backup : context.backups.List()) {
    rows.Add().Id("id", backup->id()).Text("kind", backup->full() ? "full" : "incremental");
    rows.Integer("bytes_read", static_cast<int64_t>(backup->bytes_read()));
    rows.Integer("started_at", backup->started_micros() / 1'000);
  }
}

}  // namespace widerow
