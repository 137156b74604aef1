#include "server/hbase_ports.h"

namespace widerow {

std::string HBasePorts::Addresses() const {
  std::string addresses;
  if (server != nullptr) addresses += " hbase=" + server->address();
  if (thrift != nullptr) addresses += " hbase-thrift=" + thrift->address();
  return addresses;
}

void HBasePorts::Stop() {
  if (thrift != nullptr) thrift->Stop();
  if (server != nullptr) server->Stop();
}

Result<HBasePorts> OpenHBasePorts(Engine& engine, const ServeOptions& options, TlsAcceptor* tls,
                                  const ConnectionCaps& caps) {
  HBasePorts ports;
  if (!options.hbase_port) return ports;
  const size_t colon = options.advertise.rfind(':');
  WR_ASSIGN_OR_RETURN(
      ports.server,
      hbase::HBaseServer::Start(
          engine, {.listen = options.listen,
                   .port = *options.hbase_port,
                   .host = colon == std::string::npos ? std::string() : options.advertise.substr(0, colon),
                   .threads = static_cast<unsigned>(options.io_threads),
                   .connections_max = caps.hbase,
                   // With logins, TLS with a client certificate is required, because other clients could not log in.
                   .security = options.auth ? PortSecurity::kTls : options.security,
                   .tls = tls,
                   .certificate_required = options.auth}));
  if (!options.hbase_thrift_port) return ports;
  WR_ASSIGN_OR_RETURN(ports.thrift, hbase::ThriftServer::Start(*ports.server, {.listen = options.listen,
                                                                               .port = *options.hbase_thrift_port,
                                                                               .framed = options.hbase_thrift_framed,
                                                                               .connections_max = caps.thrift}));
  return ports;
}

}  // namespace widerow
