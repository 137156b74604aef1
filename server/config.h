// The numbers an operator can turn, as `widerow serve` takes them from its command line.
#pragma once

#include <cstdint>
#include <string>

#include "exec/engine_options.h"
#include "exec/partition_balancer.h"
#include "parser/dialect.h"
#include "storage/engine.h"

namespace widerow {

// Half of the cores, two at least: each thread more is one more to be woken for the same work (docs/operate/service.md), and the
// writer, the folder and often the clients want cores too.
int DefaultIoThreads();

struct ServeOptions {
  std::string data_directory;
  std::string listen = "127.0.0.1";
  uint16_t port = 9042;       // Of the CQL native protocol. 0: any free port.
  uint16_t http_port = 8042;  // 0: any free port.
  std::string advertise;      // HOST:PORT that CQL clients are told to reach the server by; empty: what they have reached.
  bool insecure = false;      // Listening beyond this machine without authentication is wanted.
  bool auth = false;          // Clients have to log in.
  uint64_t map_bytes = uint64_t{1} << 40;
  Durability durability = Durability::kSync;
  size_t memtable_bytes = kMemtableBytesDefault;
  int sweep_percent = kSweepPercentDefault;
  int io_threads = DefaultIoThreads();  // Of either protocol: each serves its share of the connections.
  LanguageOptions language;
  BalanceOptions balance;
  EngineOptions engine;
};

struct CompactOptions {
  std::string data_directory;
};

// An address of this machine alone: 127.x.x.x, ::1, localhost.
bool IsLoopback(const std::string& listen);

}  // namespace widerow
