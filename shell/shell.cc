#include "shell/shell.h"

#include <unistd.h>

#include <clocale>
#include <cstdlib>
#include <iostream>

#include "parser/error_text.h"
#include "shell/interpreter.h"
#include "shell/interrupt.h"
#include "shell/line_editor.h"
#include "shell/password_prompt.h"

namespace widerow {
namespace {

constexpr int kDone = 0, kStatementFailed = 1, kNoConnection = 2;

std::string HistoryFile(const ShellOptions& options) {
  if (!options.history_file.empty()) return options.history_file;
  const char* home = std::getenv("HOME");
  return home == nullptr || *home == '\0' ? "" : std::string(home) + "/.widerow_history";
}

Result<std::unique_ptr<Session>> OpenSession(const ShellOptions& options) {
  Credentials credentials{.user = options.user, .password = {}};
  if (!options.user.empty()) { WR_ASSIGN_OR_RETURN(credentials.password, AskPassword(options.user)); }
  const InterruptsBlocked blocked;  // Threads of the database leave Ctrl-C to this thread.
  return options.data_directory.empty() ? OpenHttpSession(options.address, credentials, options.tls)
                                        : OpenLocalSession(options.data_directory, options.language, options.roles);
}

int RunInteractive(const ShellOptions& options, Session& session, Interpreter& interpreter) {
  std::cout << "Widerow " WIDEROW_VERSION ", " << session.place() << ". \\? for help, \\q to leave." << std::endl;
  InputSplitter splitter;
  LineEditor editor(HistoryFile(options), [&](const std::string& line, size_t cursor) {
    const Result<SchemaPtr> schema = session.Schema();
    const SchemaSnapshot none;
    const size_t before = splitter.buffer().size();
    Completion completion =
        Complete(splitter.buffer() + line, before + cursor, schema.ok() ? **schema : none, interpreter.keyspace());
    if (completion.begin < before) return Completion{.begin = cursor};
    completion.begin -= before;
    return completion;
  });
  while (true) {
    const std::string name = "widerow" + (interpreter.keyspace().empty() ? "" : ":" + interpreter.keyspace());
    const std::string more = std::string(name.size() - 2, ' ') + "... ";
    std::string line;
    const LineEditor::Read read = editor.ReadLine(splitter.pending() ? more : name + "> ", line);
    if (read == LineEditor::Read::kEnd) return kDone;
    if (read == LineEditor::Read::kInterrupted) {
      splitter.Clear();
      continue;
    }
    splitter.AddLine(line);
    while (const std::optional<InputCommand> command = splitter.Next()) {
      editor.AddHistory(command->text + (command->text.starts_with('\\') ? "" : ";"));
      if (interpreter.Run(*command, "") == Interpreter::Ran::kExit) return kDone;
    }
  }
}

// Runs -e and -f in order. Returns the exit code if the shell must end now.
std::optional<int> RunScripts(const ShellOptions& options, Interpreter& interpreter) {
  for (const std::string& text : options.execute) {
    const Interpreter::Ran ran = interpreter.RunText(text, "");
    if (ran != Interpreter::Ran::kOk) return ran == Interpreter::Ran::kExit ? kDone : kStatementFailed;
  }
  for (const std::string& file : options.files) {
    const Interpreter::Ran ran = file == "-" ? interpreter.RunStream(std::cin, "<stdin>") : interpreter.RunFile(file);
    if (ran != Interpreter::Ran::kOk) return ran == Interpreter::Ran::kExit ? kDone : kStatementFailed;
  }
  if (options.execute.empty() && options.files.empty()) return std::nullopt;
  return kDone;
}

}  // namespace

int RunShell(const ShellOptions& options) {
  std::setlocale(LC_CTYPE, "C.UTF-8");
  const std::optional<OutputFormat> format = OutputFormatFromName(options.format);
  if (!format) {
    std::cerr << "Error: There is no format " << options.format << "; the formats are table, expanded, json and csv"
              << std::endl;
    return kStatementFailed;
  }
  CatchInterrupts();
  auto session = OpenSession(options);
  if (!session.ok()) {
    std::cerr << "Error: " << FullErrorText(session.error(), "") << std::endl;
    return kNoConnection;
  }
  const bool scripted = !options.execute.empty() || !options.files.empty();
  const bool person = !scripted && ::isatty(STDIN_FILENO) == 1;
  if (person) std::setvbuf(stdin, nullptr, _IONBF, 0);  // Keeps typed-ahead input for the line editor.
  Interpreter interpreter(**session,
                          {.format = *format,
                           .color = options.color,
                           .pause_between_pages = person && ::isatty(STDOUT_FILENO) == 1,
                           .show_progress = ::isatty(STDERR_FILENO) == 1},
                          {std::cin, std::cout, std::cerr});
  if (!options.keyspace.empty()) {
    const InputCommand use{"USE " + QuoteIdentifier(options.keyspace)};
    if (interpreter.Run(use, "") != Interpreter::Ran::kOk) return kStatementFailed;
  }
  if (const std::optional<int> code = RunScripts(options, interpreter)) return *code;
  if (person) return RunInteractive(options, **session, interpreter);
  return interpreter.RunStream(std::cin, "<stdin>") == Interpreter::Ran::kFailed ? kStatementFailed : kDone;
}

}  // namespace widerow
