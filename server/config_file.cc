#include "server/config_file.h"

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "base/text.h"

namespace widerow {

namespace {

// Splits a line into its name and its values. Returns nullopt if the line is blank, a comment or malformed. If it is
// malformed, `problem` says why.
std::optional<ConfigLine> TakeLine(const std::string& text, size_t number, std::string& problem) {
  std::istringstream stream(text);
  std::vector<CLI::ConfigItem> items;
  try {
    items = CLI::ConfigTOML().from_config(stream);
  } catch (const CLI::Error& error) {
    problem = error.what();
    return std::nullopt;
  }
  if (items.empty()) return std::nullopt;
  if (items.size() != 1 || !items[0].parents.empty() || items[0].name == "++" || items[0].name == "--") {
    problem = "a line must be `name = value`; there are no sections";
    return std::nullopt;
  }
  return ConfigLine{.number = number, .name = items[0].name, .values = std::move(items[0].inputs)};
}

}  // namespace

ConfigFile ParseConfig(std::string name, std::string_view text) {
  ConfigFile file{.name = std::move(name), .lines = {}, .problems = {}};
  std::istringstream stream{std::string(text)};
  size_t number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    std::string problem;
    std::optional<ConfigLine> taken = TakeLine(line, number, problem);
    if (!problem.empty()) file.problems.push_back({number, std::move(problem)});
    if (taken) file.lines.push_back(std::move(*taken));
  }
  return file;
}

Result<ConfigFile> ReadConfigFile(const std::string& name) {
  std::ifstream stream(name, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream.is_open() || stream.bad() || text.bad()) {
    return ConfigError(StrCat("the configuration file \"", name, "\" cannot be read: ", std::strerror(errno)));
  }
  return ParseConfig(name, text.str());
}

std::string ProblemText(const ConfigFile& file, const ConfigProblem& problem) {
  const std::string place = problem.line == 0 ? file.name : StrCat(file.name, ":", problem.line);
  return StrCat(place, ": ", problem.message);
}

}  // namespace widerow
