#include "shell_process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace widerow {

void ExecShell(const std::vector<std::string>& arguments) {
  std::vector<std::string> all = {"/proc/self/exe", "--shell"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& argument : all) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  ::setenv("TERM", "xterm", 1);
  ::execv(pointers[0], pointers.data());
  ::_exit(127);
}

pid_t StartShell(const std::vector<std::string>& arguments, const std::filesystem::path& directory,
                 const std::string& input) {
  const std::string in = directory / "stdin", out = directory / "stdout", err = directory / "stderr";
  std::ofstream(in, std::ios::binary) << input;
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(::open(in.c_str(), O_RDONLY), 0);
    ::dup2(::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 1);
    ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 2);
    ExecShell(arguments);
  }
  return child;
}

ShellEnded EndOfShell(pid_t shell, const std::filesystem::path& directory) {
  int status = 0;
  ::waitpid(shell, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, ReadWholeFile(directory / "stdout"),
          ReadWholeFile(directory / "stderr")};
}

std::string ReadWholeFile(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace widerow
