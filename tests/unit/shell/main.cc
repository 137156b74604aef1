// The main() of the shell's tests. With the arguments `--shell data=DIR e=TEXT f=FILE format=NAME history=FILE
// address=HOST:PORT keyspace=NAME` the program is the shell itself. So a test can run the shell in a process and on a
// terminal of its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>

#include "shell/shell.h"

int main(int argc, char** argv) {
  if (argc < 2 || std::string_view(argv[1]) != "--shell") {
    ::testing::InitGoogleMock(&argc, argv);
    return RUN_ALL_TESTS();
  }
  widerow::ShellOptions options;
  for (int i = 2; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const std::string_view name = argument.substr(0, argument.find('='));
    const std::string value(argument.substr(name.size() + 1));
    if (name == "data") options.data_directory = value;
    if (name == "address") options.address = value;
    if (name == "e") options.execute.push_back(value);
    if (name == "f") options.files.push_back(value);
    if (name == "format") options.format = value;
    if (name == "history") options.history_file = value;
    if (name == "keyspace") options.keyspace = value;
  }
  return widerow::RunShell(options);
}
