#include "server/dump_command.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>

#include "base/text.h"
#include "server/step_report.h"
#include "shell/dump.h"
#include "shell/password_prompt.h"
#include "shell/progress.h"
#include "storage/engine/compact.h"

namespace widerow {

Status DumpToCql(const DumpCommandOptions& options) {
  StepReport report(isatty(STDERR_FILENO) != 0);
  std::unique_ptr<Session> session;
  if (options.server.empty()) {
    WR_RETURN_IF_ERROR(CheckThereIsDatabase(options.data_directory));
    WR_ASSIGN_OR_RETURN(session, OpenLocalSession(options.data_directory));
  } else {
    Credentials credentials{.user = options.user, .password = {}};
    if (!options.user.empty()) { WR_ASSIGN_OR_RETURN(credentials.password, AskPassword(options.user)); }
    WR_ASSIGN_OR_RETURN(session, OpenHttpSession(options.server, credentials, options.tls));
  }
  std::ofstream file;
  if (!options.to.empty()) {
    file.open(options.to, std::ios::binary | std::ios::trunc);
    if (!file) return ServerError("Cannot write " + options.to + ": " + std::strerror(errno));
  }
  std::ostream& out = options.to.empty() ? std::cout : file;
  const auto progress = [&](const std::string& table, uint64_t) { report.Show("dumping " + table, 0, 0); };
  WR_ASSIGN_OR_RETURN(const DumpFigures figures,
                      Dump(*session, {.keyspace = options.keyspace, .table = options.table}, out, progress));
  out.flush();
  if (!out) return ServerError("Cannot write " + options.to + ": " + std::strerror(errno));
  report.EndLine();
  report.Line(StrCat("dumped ", Counted(figures.rows, "row", "rows"), " of ",
                     Counted(figures.tables, "table", "tables"), " as ",
                     Counted(figures.statements, "statement", "statements")));
  return OkStatus();
}

}  // namespace widerow
