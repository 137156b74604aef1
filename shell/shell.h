// `widerow shell`: runs statements from a terminal, a file or -e, on a server over HTTP or on a data directory in this
// process, and prints results as table, JSON, CSV or expanded. docs/guide/shell.md is the manual.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parser/dialect.h"

namespace widerow {

// The settings with which the shell connects with TLS.
struct ClientTls {
  bool on = false;
  std::string ca_file;  // PEM: the authorities that may have signed the server's certificate. Empty: the system's.
  std::string certificate_file, key_file;  // PEM: the shell's own certificate. Empty: none.
};

struct ShellOptions {
  std::string address = "127.0.0.1:8042";  // HOST:PORT of a server's HTTP port; ignored if data_directory is set.
  std::string data_directory;
  LanguageOptions language;  // Used with a data directory; a server has its own.
  bool roles = false;        // True if statements about roles are allowed in a data directory.
  ClientTls tls;
  std::string user;  // The role to log in as at a server; empty: no login.
  std::string keyspace;
  std::vector<std::string> execute;  // -e, in order.
  std::vector<std::string> files;    // -f, in order, after -e.
  std::string format = "table";      // table, json, csv, expanded.
  std::string history_file;          // Empty: $HOME/.widerow_history.
  bool color = false;
};

// Runs until the input ends or EXIT. Returns the exit code of the process: 0 for success; 1 if a statement of -e, -f or
// redirected input failed, if the keyspace cannot be used, or if the format is unknown; 2 if no connection could be
// made. Failed statements that were typed at the prompt do not count.
int RunShell(const ShellOptions& options);

}  // namespace widerow
