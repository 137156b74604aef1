// The settings that an operator can change, as `widerow serve` takes them from its command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "exec/balance/partition_balancer.h"
#include "exec/engine/engine_options.h"
#include "net/tls/tls_options.h"
#include "parser/dialect.h"
#include "server/server_log.h"
#include "storage/storage_engine.h"

namespace widerow {

// Returns half the number of cores, at least two. Each additional thread is one more to wake up for the same work
// (docs/operate/service.md). Other threads need cores too: the writer, the folder (which folds memtables into the data
// file), and often the clients.
int DefaultIoThreads();

struct ServeOptions {
  std::string data_directory;
  std::string listen = "127.0.0.1";
  uint16_t port = 9042;                       // The port of the CQL native protocol. 0: any free port.
  uint16_t http_port = 8042;                  // 0: any free port.
  std::optional<uint16_t> hbase_port;         // For HBase's clients; no value: the port is closed. 0: any free port.
  std::optional<uint16_t> hbase_thrift_port;  // The same for clients of HBase's Thrift interface.
  bool hbase_thrift_framed = false;           // True if each message of Thrift has its length before it.
  std::string advertise;  // HOST:PORT that CQL clients are told to connect to; empty: the address that they have used.
  bool insecure = false;  // True if other machines may connect although `auth` is false.
  bool auth = false;      // True if clients must log in.
  TlsOptions tls;
  PortSecurity security = PortSecurity::kPlain;  // For all ports but Thrift's. Not kPlain if there is a certificate.
  std::optional<uint16_t> tls_port;              // A further port for CQL, which takes only TLS. 0: any free port.
  uint64_t map_bytes = uint64_t{1} << 40;
  Durability durability = Durability::kSync;
  size_t memtable_bytes = kMemtableBytesDefault;
  int sweep_percent = kSweepPercentDefault;
  int io_threads = DefaultIoThreads();  // I/O threads of each server: native, HTTP, HBase.
  uint64_t keep_log_bytes = 0;          // StorageOptions::keep_log_bytes.
  bool accept_lost_log = false;         // StorageOptions::accept_lost_log.
  LanguageOptions language;
  BalanceOptions balance;
  LogOptions log;
  EngineOptions engine;
};

struct CompactOptions {
  std::string data_directory;
};

// True for an address that only this machine can reach: 127.x.x.x, ::1, localhost.
bool IsLoopback(const std::string& listen);

}  // namespace widerow
