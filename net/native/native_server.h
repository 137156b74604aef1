// The CQL native protocol's front door: versions 3, 4 and 5. docs/reference/native-protocol.md says what is spoken and where the limits
// are.
//
// Start and Stop from one thread. Connections live on the server's own I/O threads, requests run on a pool of workers.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"

namespace widerow {

class Engine;

struct NativeOptions {
  std::string listen = "127.0.0.1";
  uint16_t port = 9042;          // 0: any free port.
  std::string advertise;         // "HOST:PORT" that clients are told to reach us by; empty: what they have reached.
  unsigned threads = 2;          // For I/O.
  unsigned workers_max = 128;    // Requests that run at once.
  size_t connections_max = 4'096;
  uint32_t frame_bytes_max = 256u << 20;
  size_t connection_bytes_max = 64u << 20;   // Requests running and answers unwritten, before reading stops.
  size_t total_bytes_max = size_t{1} << 30;  // The same of all connections, before requests are refused as Overloaded.
  int64_t startup_ms = 30'000;   // For a new connection to send STARTUP.
  int64_t stall_ms = 60'000;     // For an unfinished frame, and for a client to take some of its answers.
};

class NativeServer {
 public:
  // kServerError says what is wrong with an address ("port 9042 on 127.0.0.1 is in use …"). `engine` outlives the server.
  static Result<std::unique_ptr<NativeServer>> Start(Engine& engine, const NativeOptions& options);
  virtual ~NativeServer() = default;        // As Stop().
  virtual void Stop() = 0;                  // Stops accepting, lets running requests finish, joins the threads.
  virtual uint16_t port() const = 0;        // The real one.
  virtual std::string address() const = 0;  // "127.0.0.1:9042"
  // Requests and answers that are held now.
  virtual size_t held_bytes() const = 0;
};

}  // namespace widerow
