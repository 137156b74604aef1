// The server of the CQL native protocol, versions 3, 4 and 5. docs/reference/native-protocol.md describes what is
// supported and the limits.
//
// One thread calls Start and Stop. Connections belong to the server's own I/O threads; a pool of workers runs the
// requests.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "net/tls/tls_options.h"

namespace widerow {

class Engine;
class TlsAcceptor;

struct NativeOptions {
  std::string listen = "127.0.0.1";
  uint16_t port = 9042;   // 0: any free port.
  std::string advertise;  // "HOST:PORT" that clients are told to connect to; empty: the address they have connected to.
  unsigned threads = 2;   // For I/O.
  unsigned workers_max = 128;  // The most requests that run at once.
  size_t connections_max = 4'096;
  uint32_t frame_bytes_max = 256u << 20;
  // Bytes of running requests and unwritten answers of one connection; above it, reading from the connection stops.
  size_t connection_bytes_max = 64u << 20;
  // The bound for all connections together. Above it, requests are refused as Overloaded.
  size_t total_bytes_max = size_t{1} << 30;
  PortSecurity security = PortSecurity::kPlain;  // For `port`.
  std::optional<uint16_t> tls_port;              // A further port, which takes only TLS. 0: any free port.
  TlsAcceptor* tls = nullptr;                    // Required for TLS; it must outlive the server.
  int64_t tls_handshake_ms = 10'000;             // Time for a new connection's TLS handshake.
  int64_t startup_ms = 30'000;                   // Time for a new connection to send STARTUP and to log in.
  int64_t stall_ms = 60'000;  // Time for an unfinished frame, and for a client to take some bytes of its answers.
};

class NativeServer {
 public:
  // Listens and starts the threads. kServerError describes what is wrong with an address ("port 9042 on 127.0.0.1 is in
  // use …"). `engine` must outlive the server.
  static Result<std::unique_ptr<NativeServer>> Start(Engine& engine, const NativeOptions& options);
  virtual ~NativeServer() = default;        // Does the same as Stop().
  virtual void Stop() = 0;                  // Stops accepting, lets running requests finish, joins the threads.
  virtual uint16_t port() const = 0;        // The actual port, even if the options have 0.
  virtual std::string address() const = 0;  // For example "127.0.0.1:9042".
  // Returns the address of NativeOptions::tls_port; empty if there is none.
  virtual std::string tls_address() const = 0;
  // Returns the bytes of requests and answers that are held at this moment.
  virtual size_t held_bytes() const = 0;
};

}  // namespace widerow
