// The server for HBase's clients (docs/reference/hbase.md). It is the master, the region server and the registry of a
// cluster with one machine. If the engine requires logins, clients log in with a certificate. Otherwise, anyone who can
// reach the port can do anything.
//
// One thread calls Start and Stop. Connections belong to the server's own I/O threads; a pool of workers runs the
// requests.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "net/tls/tls_options.h"

namespace widerow {

class Engine;
class HttpExtension;
class MemoryBudget;
class TlsAcceptor;

namespace hbase {

class Services;

struct HBaseOptions {
  std::string listen = "127.0.0.1";
  uint16_t port = 0;  // 0: any free port.
  std::string host;   // The name by which clients reach the server; empty: chosen from `listen`.
  unsigned threads = 2;
  unsigned workers_max = 128;  // The most requests that run at once.
  size_t connections_max = 1'024;
  size_t frame_bytes_max = 112u << 20;  // Longer frames exceed MemoryBudget::whole_max, even if nothing else is held.
  // The bounds for the memory of requests and answers: of one connection, and of all connections together.
  size_t connection_bytes_max = 64u << 20;
  size_t total_bytes_max = 512u << 20;
  int64_t stall_ms = 60'000;  // The longest time in which a frame is incomplete, or a client takes no bytes.
  PortSecurity security = PortSecurity::kPlain;
  TlsAcceptor* tls = nullptr;         // Required unless `security` is kPlain. Must outlive the server.
  bool certificate_required = false;  // PortPolicy::certificate_required.
  int64_t tls_handshake_ms = 10'000;  // Time for a new connection's TLS handshake.
};

class HBaseServer {
 public:
  // Listens and starts the threads. kServerError describes what is wrong with the address. `engine` must outlive the
  // server.
  static Result<std::unique_ptr<HBaseServer>> Start(Engine& engine, const HBaseOptions& options);
  virtual ~HBaseServer() = default;         // Does the same as Stop().
  virtual void Stop() = 0;                  // Stops accepting, lets running requests finish, joins the threads.
  virtual uint16_t port() const = 0;        // The actual port.
  virtual std::string address() const = 0;  // For example "127.0.0.1:16020".
  virtual Services& services() = 0;         // Lives as long as the server.
  virtual HttpExtension& http() = 0;        // HBase's operations over HTTP. Lives as long as the server.
  virtual MemoryBudget& memory() = 0;       // For requests and answers. Lives as long as the server.
};

}  // namespace hbase
}  // namespace widerow
