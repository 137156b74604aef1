// The ports for HBase's clients, if the options ask for them.
#pragma once

#include <memory>
#include <string>

#include "net/descriptors.h"
#include "net/hbase/thrift/thrift_server.h"
#include "net/hbase/wire/hbase_server.h"
#include "server/config.h"

namespace widerow {

struct HBasePorts {
  std::unique_ptr<hbase::HBaseServer> server;   // Null: the port is closed.
  std::unique_ptr<hbase::ThriftServer> thrift;  // Uses `server`.

  // HBase's operations over HTTP; null if the port is closed.
  HttpExtension* http() const { return server == nullptr ? nullptr : &server->http(); }
  // Returns the addresses for the line that says that the server is ready, for example " hbase=127.0.0.1:16020".
  std::string Addresses() const;
  void Stop();
};

// Opens the ports that the options name. `tls` is null if the options have no certificate. `engine` and `tls` must
// outlive the result.
Result<HBasePorts> OpenHBasePorts(Engine& engine, const ServeOptions& options, TlsAcceptor* tls,
                                  const ConnectionCaps& caps);

}  // namespace widerow
