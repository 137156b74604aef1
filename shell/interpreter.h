// Runs commands: shell commands itself, all other commands through the session. Prints results and errors. Its options
// decide how it uses the terminal. Used by one thread.
#pragma once

#include <iosfwd>
#include <set>
#include <string>

#include "shell/input.h"
#include "shell/printer.h"
#include "shell/session.h"

namespace widerow {

struct InterpreterOptions {
  OutputFormat format = OutputFormat::kTable;
  bool color = false;
  bool pause_between_pages = false;  // True if a person reads: the interpreter waits after each page.
  bool show_progress = false;        // True if `err` is a terminal.
};

struct ShellStreams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
};

class Interpreter {
 public:
  enum class Ran : uint8_t { kOk, kFailed, kExit };

  Interpreter(Session& session, const InterpreterOptions& options, const ShellStreams& streams);

  // Runs a command and prints its errors. Before an error it prints `origin` (such as "script.cql") and the line,
  // unless `origin` is empty.
  Ran Run(const InputCommand& command, const std::string& origin);
  // Runs all commands of a text; stops at the first that fails.
  Ran RunText(std::string_view text, const std::string& origin);
  Ran RunStream(std::istream& in, const std::string& origin);
  Ran RunFile(const std::string& path);

  const std::string& keyspace() const { return keyspace_; }

 private:
  struct Context {
    const InputCommand& command;
    const std::string& origin;
  };

  Ran RunCommand(const Context& context);
  Ran RunBackslash(const Context& context);
  Ran RunPending(InputSplitter& splitter, const std::string& origin, bool at_end);
  Ran RunStatement(const Context& context);
  Ran RunCopy(const Context& context);
  Ran RunSource(const Context& context);
  Ran RunShow(const Context& context);
  Ran RunPaging(const Context& context);
  Ran RunExpand(const Context& context);
  Ran SetTiming(const Context& context, const std::string& argument);
  Ran SetFormat(const Context& context, const std::string& argument);

  std::unique_ptr<ResultPrinter> PrinterFor(const Context& context, const RowsPage& page);
  bool PauseForReader();
  void PrintWarnings(const std::vector<std::string>& warnings, std::set<std::string>& seen);
  Ran Fail(const Context& context, const Error& error);
  Ran Fail(const Context& context, const std::string& message, const std::string& hint = "");

  Session& session_;
  const InterpreterOptions options_;
  const ShellStreams streams_;
  OutputFormat format_;
  std::string keyspace_;
  bool timing_ = false;
  bool paging_ = true;
  uint32_t page_rows_ = 100;
  int source_depth_ = 0;
};

}  // namespace widerow
