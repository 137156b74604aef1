// The server for clients of HBase's first Thrift interface, such as happybase. Each client has a thread.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"

namespace widerow::hbase {

class HBaseServer;

struct ThriftOptions {
  std::string listen = "127.0.0.1";
  uint16_t port = 0;    // 0: any free port.
  bool framed = false;  // True: each message has its length before it (Thrift's framed transport).
  size_t connections_max = 256;
};

class ThriftServer {
 public:
  // Listens and starts the threads. kServerError describes what is wrong with the address. `hbase` has the
  // services and the memory, and must outlive the server.
  static Result<std::unique_ptr<ThriftServer>> Start(HBaseServer& hbase, const ThriftOptions& options);
  virtual ~ThriftServer() = default;        // Does the same as Stop().
  virtual void Stop() = 0;                  // Disconnects the clients and joins the threads.
  virtual std::string address() const = 0;  // For example "127.0.0.1:9090".
};

}  // namespace widerow::hbase
