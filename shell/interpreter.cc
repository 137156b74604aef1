// RunText, RunStream and RunFile split input into commands (shell/input.h) and call Run for each. Run chooses by the
// first word: backslash commands, shell commands, COPY and HEAT have a function each; everything else is a statement,
// which RunStatement executes page by page and prints (shell/printer.h, shell/listing.h).
#include "shell/interpreter.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <istream>
#include <ostream>

#include "exec/prepared/prepared_description.h"
#include "parser/error_text.h"
#include "shell/copy.h"
#include "shell/heat_command.h"
#include "shell/help.h"
#include "shell/interrupt.h"
#include "shell/lexer.h"
#include "shell/listing.h"

namespace widerow {
namespace {

constexpr uint32_t kPageRows = 2'000;  // Rows per fetch if nobody reads page by page.
constexpr int kSourceDepthMax = 16;

std::vector<std::string> WordsOf(const std::string& text) {
  std::vector<std::string> words;
  for (const ShellToken& token : LexShell(text)) words.push_back(token.text);
  return words;
}

std::string FirstWord(const std::string& text) {
  if (text.starts_with('?')) return "HELP";
  const size_t end = text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
  return ToUpper(std::string_view(text).substr(0, end));
}

}  // namespace

Interpreter::Interpreter(Session& session, const InterpreterOptions& options, const ShellStreams& streams)
    : session_(session), options_(options), streams_(streams), format_(options.format) {}

Interpreter::Ran Interpreter::Run(const InputCommand& command, const std::string& origin) {
  const Context context{command, origin};
  const auto start = std::chrono::steady_clock::now();
  const Ran ran = command.text.starts_with('\\') ? RunBackslash(context) : RunCommand(context);
  streams_.out.flush();
  if (timing_ && ran != Ran::kExit) {
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    char text[64];
    std::snprintf(text, sizeof text, "Time: %.3f ms\n", took.count());
    streams_.err << text << std::flush;
  }
  return ran;
}

Interpreter::Ran Interpreter::RunCommand(const Context& context) {
  const std::string word = FirstWord(context.command.text);
  if (word == "EXIT" || word == "QUIT") return Ran::kExit;
  if (word == "HELP") return streams_.out << kHelpText, Ran::kOk;
  if (word == "CLEAR" || word == "CLS") return streams_.out << "\x1b[H\x1b[2J", Ran::kOk;
  if (word == "SOURCE") return RunSource(context);
  if (word == "SHOW") return RunShow(context);
  if (word == "PAGING") return RunPaging(context);
  if (word == "EXPAND") return RunExpand(context);
  if (word == "COPY") return RunCopy(context);
  if (word == "HEAT") {
    const Status drawn = RunHeat(context.command.text, keyspace_, session_, streams_.out);
    return drawn.ok() ? Ran::kOk : Fail(context, drawn.error());
  }
  return RunStatement(context);
}

Interpreter::Ran Interpreter::RunBackslash(const Context& context) {
  const std::string& text = context.command.text;
  const size_t blank = std::min(text.find_first_of(" \t"), text.size());
  std::string name = text.substr(1, blank - 1);
  std::string argument = text.substr(std::min(text.find_first_not_of(" \t", blank), text.size()));
  while (argument.ends_with(';') || argument.ends_with(' ')) argument.pop_back();
  while (name.ends_with(';')) name.pop_back();
  if (name == "q") return Ran::kExit;
  if (name == "?") return streams_.out << kHelpText, Ran::kOk;
  if (name == "timing") return SetTiming(context, argument);
  if (name == "format") return SetFormat(context, argument);
  if (name == "x") {
    const bool expanded = format_ == OutputFormat::kExpanded;
    format_ = !expanded ? OutputFormat::kExpanded : OutputFormat::kTable;
    streams_.err << "Expanded output is " << (expanded ? "off" : "on") << ".\n";
    return Ran::kOk;
  }
  return Fail(context, "There is no command \\" + name, "\\? lists the commands");
}

Interpreter::Ran Interpreter::SetTiming(const Context& context, const std::string& argument) {
  const std::string upper = ToUpper(argument);
  if (!upper.empty() && upper != "ON" && upper != "OFF") return Fail(context, "\\timing takes on or off");
  timing_ = upper.empty() ? !timing_ : upper == "ON";
  streams_.err << "Timing is " << (timing_ ? "on" : "off") << ".\n";
  return Ran::kOk;
}

Interpreter::Ran Interpreter::SetFormat(const Context& context, const std::string& argument) {
  if (argument.empty()) return streams_.err << "Output format is " << OutputFormatName(format_) << ".\n", Ran::kOk;
  const std::optional<OutputFormat> format = OutputFormatFromName(ToLower(argument));
  if (!format) return Fail(context, "There is no format " + argument, "the formats are table, expanded, json and csv");
  format_ = *format;
  return Ran::kOk;
}

Interpreter::Ran Interpreter::RunSource(const Context& context) {
  const std::vector<ShellToken> tokens = LexShell(context.command.text);
  if (tokens.size() != 2 || tokens[1].kind != ShellToken::Kind::kString) return Fail(context, "Expected SOURCE 'file'");
  if (source_depth_ >= kSourceDepthMax) return Fail(context, "SOURCE is nested too deeply: does a file source itself?");
  ++source_depth_;
  const Ran ran = RunFile(tokens[1].text);
  --source_depth_;
  return ran;
}

Interpreter::Ran Interpreter::RunShow(const Context& context) {
  const std::vector<std::string> words = WordsOf(ToUpper(context.command.text));
  if (words.size() == 2 && words[1] == "VERSION") {
    streams_.out << "[widerow " << WIDEROW_VERSION << " | CQL spec 3.4.7]\n";
    return Ran::kOk;
  }
  if (words.size() == 2 && words[1] == "HOST") {
    streams_.out << "Connected to " << session_.place() << ".\n";
    return Ran::kOk;
  }
  return Fail(context, "Expected SHOW VERSION or SHOW HOST");
}

Interpreter::Ran Interpreter::RunPaging(const Context& context) {
  const std::vector<std::string> words = WordsOf(ToUpper(context.command.text));
  if (words.size() == 2 && (words[1] == "ON" || words[1] == "OFF")) {
    paging_ = words[1] == "ON";
  } else if (words.size() == 2) {
    const unsigned long rows = std::strtoul(words[1].c_str(), nullptr, 10);
    if (rows == 0 || rows > 100'000) return Fail(context, "PAGING takes ON, OFF or a number of rows from 1 to 100000");
    paging_ = true;
    page_rows_ = static_cast<uint32_t>(rows);
  } else if (words.size() != 1) {
    return Fail(context, "PAGING takes ON, OFF or a number of rows");
  }
  streams_.err << (paging_ ? "Paging is on: " + std::to_string(page_rows_) + " rows a page." : "Paging is off.")
               << "\n";
  return Ran::kOk;
}

Interpreter::Ran Interpreter::RunExpand(const Context& context) {
  const std::vector<std::string> words = WordsOf(ToUpper(context.command.text));
  if (words.size() != 2 || (words[1] != "ON" && words[1] != "OFF"))
    return Fail(context, "Expected EXPAND ON or EXPAND OFF");
  format_ = words[1] == "ON" ? OutputFormat::kExpanded : OutputFormat::kTable;
  return Ran::kOk;
}

Interpreter::Ran Interpreter::RunCopy(const Context& context) {
  const Result<CopyCommand> command = ParseCopy(context.command.text);
  if (!command.ok()) return Fail(context, command.error());
  const bool to_stdout = command->direction == CopyCommand::Direction::kTo && command->file.empty();
  const CopyEnvironment environment{.session = session_,
                                    .keyspace = keyspace_,
                                    .in = streams_.in,
                                    .out = streams_.out,
                                    .messages = to_stdout ? streams_.err : streams_.out,
                                    .terminal = streams_.err,
                                    .show_progress = options_.show_progress && !to_stdout};
  const Status copied = command->direction == CopyCommand::Direction::kFrom ? RunCopyFrom(*command, environment)
                                                                            : RunCopyTo(*command, environment);
  ClearInterrupt();
  return copied.ok() ? Ran::kOk : Fail(context, copied.error());
}

Interpreter::Ran Interpreter::RunStatement(const Context& context) {
  SessionRequest request{.text = context.command.text};
  request.parameters.keyspace = keyspace_;
  const bool pause = options_.pause_between_pages && paging_;
  request.parameters.page_rows = pause ? page_rows_ : kPageRows;
  request.parameters.whole_if_sorted = true;
  std::unique_ptr<ResultPrinter> printer;
  ResultColumnsPtr columns;
  std::set<std::string> warnings;
  while (true) {
    Result<Outcome> outcome = session_.Execute(request);
    if (Interrupted()) {
      ClearInterrupt();
      return Fail(context, "Interrupted", outcome.ok() ? "" : outcome.error().hint);
    }
    if (!outcome.ok()) return Fail(context, outcome.error());
    PrintWarnings(outcome->warnings, warnings);
    if (auto* use = std::get_if<UseOutcome>(&outcome->result)) keyspace_ = use->keyspace;
    auto* page = std::get_if<RowsPage>(&outcome->result);
    if (page == nullptr) return Ran::kOk;
    if (printer == nullptr) printer = PrinterFor(context, *page);
    if (columns == nullptr) columns = page->columns;
    if (const Status same = CheckSameColumns(columns, page->columns); !same.ok()) return Fail(context, same.error());
    printer->Page(*page);
    if (page->paging_state.empty() || (pause && !PauseForReader())) break;
    request.parameters.paging_state = std::move(page->paging_state);
  }
  printer->End();
  return Ran::kOk;
}

std::unique_ptr<ResultPrinter> Interpreter::PrinterFor(const Context& context, const RowsPage& page) {
  if (format_ == OutputFormat::kTable || format_ == OutputFormat::kExpanded) {
    const std::string word = FirstWord(context.command.text);
    if (word == "DESCRIBE" || word == "DESC") {
      if (auto printer = MakeDescribePrinter(*page.columns, streams_.out)) return printer;
    }
    if (word == "ADVISE") {
      if (auto printer = MakeFindingPrinter(*page.columns, streams_.out)) return printer;
    }
    if (word == "EXPLAIN" && page.columns->size() == 1) return MakeLinePrinter(streams_.out);
  }
  return MakePrinter({.format = format_, .color = options_.color}, streams_.out);
}

// Returns false if the reader asks for no more pages.
bool Interpreter::PauseForReader() {
  if (format_ == OutputFormat::kJson || format_ == OutputFormat::kCsv) return true;
  streams_.out << "---MORE--- (Enter: next page, q: stop) " << std::flush;
  std::string line;
  const bool more = std::getline(streams_.in, line) && !line.starts_with('q') && !line.starts_with('Q');
  streams_.in.clear();
  ClearInterrupt();
  return more;
}

void Interpreter::PrintWarnings(const std::vector<std::string>& warnings, std::set<std::string>& seen) {
  for (const std::string& warning : warnings) {
    if (seen.insert(warning).second) streams_.err << "Warning: " << warning << "\n";
  }
}

Interpreter::Ran Interpreter::Fail(const Context& context, const Error& error) {
  streams_.out.flush();
  if (!context.origin.empty()) {
    uint32_t line = context.command.line;
    if (error.range) line += LocateOffset(context.command.text, error.range->begin).line - 1;
    streams_.err << context.origin << ":" << line << ": ";
  }
  streams_.err << (error.code == ErrorCode::kServerError ? "Error" : ErrorCodeName(error.code)) << ": "
               << FullErrorText(error, context.command.text) << std::endl;
  return Ran::kFailed;
}

Interpreter::Ran Interpreter::Fail(const Context& context, const std::string& message, const std::string& hint) {
  return Fail(context, ServerError(message, hint));
}

Interpreter::Ran Interpreter::RunPending(InputSplitter& splitter, const std::string& origin, bool at_end) {
  while (true) {
    std::optional<InputCommand> command = splitter.Next();
    if (!command && at_end) command = splitter.Finish();
    if (!command) return Ran::kOk;
    const Ran ran = Run(*command, origin);
    if (ran != Ran::kOk) return ran;
  }
}

Interpreter::Ran Interpreter::RunText(std::string_view text, const std::string& origin) {
  InputSplitter splitter;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    splitter.AddLine(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const Ran ran = RunPending(splitter, origin, text.empty());
    if (ran != Ran::kOk) return ran;
  }
  return Ran::kOk;
}

Interpreter::Ran Interpreter::RunStream(std::istream& in, const std::string& origin) {
  InputSplitter splitter;
  std::string line;
  while (!Interrupted() && std::getline(in, line)) {
    splitter.AddLine(line);  // A carriage return may be a part of a text. Elsewhere it is a blank.
    const Ran ran = RunPending(splitter, origin, false);
    if (ran != Ran::kOk) return ran;
  }
  if (Interrupted()) return ClearInterrupt(), Ran::kFailed;
  return RunPending(splitter, origin, true);
}

Interpreter::Ran Interpreter::RunFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  file.peek();  // A directory can be opened, but not read.
  if (!file.is_open() || file.bad()) {
    streams_.err << "Error: Cannot read " << path << ": " << std::strerror(errno) << std::endl;
    return Ran::kFailed;
  }
  file.clear();
  return RunStream(file, path);
}

}  // namespace widerow
