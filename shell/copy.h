// COPY: CSV files into a table and out of it.
#pragma once

#include <iosfwd>
#include <string>

#include "base/result.h"
#include "shell/copy_command.h"
#include "shell/session.h"

namespace widerow {

struct CopyEnvironment {
  Session& session;
  std::string keyspace;        // Of an unqualified table.
  std::istream& in;            // STDIN; ends at a line with \. alone.
  std::ostream& out;           // STDOUT.
  std::ostream& messages;      // The summary line.
  std::ostream& terminal;      // The progress bar,
  bool show_progress = false;  // if there is one.
};

// Reads the file in this thread and sends rows from several others. Bad rows are reported and left out. An error says
// how many rows are in and where to go on; so does Ctrl-C.
Status RunCopyFrom(const CopyCommand& command, const CopyEnvironment& environment);

// Page by page; values as FormatText prints them.
Status RunCopyTo(const CopyCommand& command, const CopyEnvironment& environment);

}  // namespace widerow
