// A Widerow server inside a test: the CQL native protocol and HTTP on free ports of 127.0.0.1. Unless a directory is
// given, the data is in a temporary directory, which is removed when the server stops.
//
//   auto server = widerow::EmbeddedServer::Start({});
//   server.value()->cql_port();  // for a driver
//   server.value()->database().Execute("…");
//
// Start and destroy the server on one thread; any thread may call the other functions.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "widerow/database.h"

namespace widerow {

struct EmbeddedServerOptions {
  std::filesystem::path directory;  // Empty: a temporary directory, removed at the end.
  std::string listen = "127.0.0.1";
  uint16_t cql_port = 0;  // 0: any free port.
  uint16_t http_port = 0;
  unsigned threads = 2;
  std::function<int64_t()> clock;               // For tests that control time (DatabaseOptions).
  std::string profile = "widerow";              // The language (DatabaseOptions).
  bool extension_warnings = true;               // Warn of extensions (DatabaseOptions).
  std::string guardrails = "warn";              // "warn", "enforce" or "off" (DatabaseOptions).
  std::vector<std::string> guardrail_settings;  // Bounds of guardrails (DatabaseOptions).
  std::string datacenter = "datacenter1";       // The name of the one datacenter.
};

class EmbeddedServer {
 public:
  // Opens the database and starts both servers. Fails if the directory or an address cannot be used.
  static Expected<std::unique_ptr<EmbeddedServer>> Start(EmbeddedServerOptions options);
  // Stops serving, waits for running requests, closes the data directory.
  ~EmbeddedServer();

  uint16_t cql_port() const;
  std::string cql_address() const;  // For example "127.0.0.1:41233": the contact point of drivers.
  uint16_t http_port() const;
  std::string http_address() const;  // For example "127.0.0.1:41234".
  Database& database();

 private:
  struct State;
  explicit EmbeddedServer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace widerow
