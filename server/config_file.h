// The configuration file of `widerow serve`: lines `name = value`, with the names of the options, without their dashes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace widerow {

struct ConfigLine {
  size_t number = 0;  // From 1.
  std::string name;
  std::vector<std::string> values;
};

struct ConfigProblem {
  size_t line = 0;  // 0: the problem belongs to no line.
  std::string message;
};

struct ConfigFile {
  std::string name;  // Empty: there is no file.
  std::vector<ConfigLine> lines;
  std::vector<ConfigProblem> problems;  // The lines that could not be read.
};

// Reads the text of a file. Each line is empty, a comment after #, or `name = value`. A value with blanks is quoted; a
// list is in brackets; a name alone means `name = true`. The library CLI11 splits the lines.
ConfigFile ParseConfig(std::string name, std::string_view text);
// kConfigError if the file cannot be read.
Result<ConfigFile> ReadConfigFile(const std::string& name);

// Returns "FILE:3: message", or "FILE: message".
std::string ProblemText(const ConfigFile& file, const ConfigProblem& problem);

}  // namespace widerow
