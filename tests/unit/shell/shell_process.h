// Runs the shell in a process of its own. The process runs this test program with the arguments that main.cc describes.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace widerow {

struct ShellEnded {
  int code = -1;  // -1: killed.
  std::string out, err;
};

// Runs as the shell and returns its exit status.
[[noreturn]] void ExecShell(const std::vector<std::string>& arguments);
// Starts a shell that reads `input` and writes into files of `directory`.
pid_t StartShell(const std::vector<std::string>& arguments, const std::filesystem::path& directory,
                 const std::string& input = "");
// Waits until the shell ends.
ShellEnded EndOfShell(pid_t shell, const std::filesystem::path& directory);
std::string ReadWholeFile(const std::filesystem::path& file);

}  // namespace widerow
