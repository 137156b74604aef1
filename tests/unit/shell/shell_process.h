// Runs the shell in a process of its own: this test program, with the arguments that main.cc describes.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace widerow {

struct ShellEnded {
  int code = -1;  // The exit status, or -1 if the process was killed.
  std::string out, err;
};

// Turns this process into the shell. The process ends with the exit status of the shell.
[[noreturn]] void ExecShell(const std::vector<std::string>& arguments);
// Starts a shell that reads `input`. Its output goes to files in `directory`.
pid_t StartShell(const std::vector<std::string>& arguments, const std::filesystem::path& directory,
                 const std::string& input = "");
// Waits until the shell ends.
ShellEnded EndOfShell(pid_t shell, const std::filesystem::path& directory);
std::string ReadWholeFile(const std::filesystem::path& file);

}  // namespace widerow
