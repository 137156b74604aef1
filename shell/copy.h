// COPY: imports CSV files into a table and exports tables to CSV files.
#pragma once

#include <iosfwd>
#include <string>

#include "base/result.h"
#include "shell/copy_command.h"
#include "shell/session.h"

namespace widerow {

struct CopyEnvironment {
  Session& session;
  std::string keyspace;        // The keyspace of a table that is named without one.
  std::istream& in;            // STDIN; ends with a line that contains only \.
  std::ostream& out;           // STDOUT.
  std::ostream& messages;      // The summary, and messages about the progress.
  std::ostream& terminal;      // The progress bar is drawn on it.
  bool show_progress = false;  // True if `terminal` is a terminal.
};

// Reads the file in this thread and stores rows in several others. Bad rows are reported and left out. After an error
// or Ctrl-C the returned Error says how many rows were stored and how to continue.
Status RunCopyFrom(const CopyCommand& command, const CopyEnvironment& environment);

// Exports page by page, with values as FormatText prints them.
Status RunCopyTo(const CopyCommand& command, const CopyEnvironment& environment);

}  // namespace widerow
