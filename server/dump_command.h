// `widerow dump`: writes keyspaces or a table as CQL. shell/dump.h does the work.
#pragma once

#include <string>

#include "base/result.h"
#include "shell/shell.h"

namespace widerow {

struct DumpCommandOptions {
  std::string data_directory, server, user;  // Either `data_directory` or `server` is given.
  ClientTls tls;
  std::string keyspace, table;
  std::string to;  // Empty: standard output.
};

Status DumpToCql(const DumpCommandOptions& options);

}  // namespace widerow
