// Each line becomes one argument, --name=value. If the arguments are refused, the error names an option, and the line
// with this option is the faulty one.
#include "server/config_arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <string_view>

#include "server/config_file.h"

namespace widerow {

namespace {

// Describes what is wrong with a line: it names no option, or has several values for an option that takes one.
std::optional<std::string> FaultOf(const ConfigLine& line, const CLI::App& given) {
  const CLI::Option* const option = given.get_option_no_throw("--" + line.name);
  const bool only_on_command_line = line.name == "help" || line.name == "config" || line.name == "check-config";
  if (option == nullptr || only_on_command_line) return "there is no option \"" + line.name + "\" for this file";
  if (line.values.size() <= 1 || option->get_expected_max() > 1) return std::nullopt;
  return line.name + " has one value; write quotes around a value with blanks or commas";
}

// Returns `command_line` with the options of `lines` that it does not contain.
std::vector<std::string> Joined(const std::vector<std::string>& command_line, const std::vector<ConfigLine>& lines,
                                const CLI::App& given) {
  std::vector<std::string> joined = command_line;
  for (const ConfigLine& line : lines) {
    if (given.get_option_no_throw("--" + line.name)->count() > 0) continue;
    for (const std::string& value : line.values) joined.push_back("--" + line.name + "=" + value);
  }
  return joined;
}

bool IsNameByte(char c) { return c == '-' || std::isalnum(static_cast<unsigned char>(c)) != 0; }

// True if `text` contains `before` and `name` as one word.
bool HasWord(std::string_view text, std::string_view before, std::string_view name) {
  const std::string word = std::string(before) + std::string(name);
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    const bool begins = at == 0 || !IsNameByte(text[at - 1]);
    if (begins && (end == text.size() || !IsNameByte(text[end]))) return true;
  }
  return false;
}

// Returns the line that the error is about, or lines.end() if it is about no line. Most errors name the option with its
// dashes; errors about guardrails name it without dashes.
std::vector<ConfigLine>::iterator LineOf(const Error& error, std::vector<ConfigLine>& lines) {
  std::string message = error.message;
  const std::string_view dashes = message.find("--") == std::string::npos ? "" : "--";
  if (dashes.empty()) {
    std::transform(message.begin(), message.end(), message.begin(), [](unsigned char c) { return std::tolower(c); });
  }
  const auto names = [&](const ConfigLine& line) { return HasWord(message, dashes, line.name); };
  // Several lines may name the same option. Then the error is about the line whose value it shows.
  const auto shows_value = [&](const ConfigLine& line) {
    return names(line) && !line.values.empty() && message.find(line.values[0]) != std::string::npos;
  };
  const auto exact = std::find_if(lines.begin(), lines.end(), shows_value);
  return exact != lines.end() ? exact : std::find_if(lines.begin(), lines.end(), names);
}

// Finds all problems of the file: parses again and again, each time without the lines that have caused errors.
Result<Command> ParseWithFile(const std::vector<std::string>& command_line, ConfigFile& file, const CLI::App& given,
                              const std::function<Result<Command>(std::vector<std::string>)>& parse) {
  std::vector<ConfigLine> lines;
  for (ConfigLine& line : file.lines) {
    if (std::optional<std::string> fault = FaultOf(line, given)) {
      file.problems.push_back({line.number, std::move(*fault)});
    } else {
      lines.push_back(std::move(line));
    }
  }
  while (true) {
    Result<Command> command = parse(Joined(command_line, lines, given));
    if (command.ok()) return command;
    const auto wrong = LineOf(command.error(), lines);
    const bool found = wrong != lines.end();
    const std::string& hint = command.error().hint;
    file.problems.push_back({found ? wrong->number : 0, command.error().message + (hint.empty() ? "" : "; " + hint)});
    if (!found) return command;
    lines.erase(wrong);
  }
}

}  // namespace

Result<Command> ServeWithFile(const ConfigRequest& request, const std::vector<std::string>& command_line,
                              const CLI::App& given,
                              const std::function<Result<Command>(std::vector<std::string>)>& parse) {
  WR_ASSIGN_OR_RETURN(ConfigFile file, ReadConfigFile(request.file));
  Result<Command> command = ParseWithFile(command_line, file, given, parse);
  std::stable_sort(file.problems.begin(), file.problems.end(),
                   [](const ConfigProblem& a, const ConfigProblem& b) { return a.line < b.line; });
  if (!request.check_only) {
    if (file.problems.empty()) return command;
    return InvalidError(ProblemText(file, file.problems.front()),
                        "widerow serve --config FILE --check-config lists all problems");
  }
  std::string text;
  for (const ConfigProblem& problem : file.problems) text += ProblemText(file, problem) + "\n";
  if (!text.empty()) return Command(PrintCommand{text, true});
  return Command(PrintCommand{file.name + ": no problem\n"});
}

}  // namespace widerow
