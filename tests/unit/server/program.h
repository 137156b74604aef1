// Runs the program `widerow` as a user does.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace widerow {

// A running program. Its standard output goes to a pipe, and its standard error to a file.
class Program {
 public:
  // The system's limits for the program. 0 means the limit of the test itself.
  struct Limits {
    rlim_t descriptors = 0;
    rlim_t file_bytes = 0;
  };

  Program(std::vector<std::string> arguments, std::filesystem::path error_file, const Limits& limits = {0, 0})
      : error_file_(std::move(error_file)) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    arguments.insert(arguments.begin(), WR_PROGRAM);
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    pid_ = fork();
    if (pid_ == 0) {
      dup2(ends[1], STDOUT_FILENO);
      if (std::freopen(error_file_.c_str(), "w", stderr) == nullptr) _exit(126);
      close(ends[0]);
      close(ends[1]);
      Limit(RLIMIT_NOFILE, limits.descriptors);
      Limit(RLIMIT_FSIZE, limits.file_bytes);
      execv(WR_PROGRAM, argv.data());
      _exit(127);
    }
    close(ends[1]);
    output_ = fdopen(ends[0], "r");
  }
  ~Program() {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
    std::fclose(output_);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  std::string ReadLine() {
    char line[4'096] = {};
    return std::fgets(line, sizeof line, output_) == nullptr ? std::string() : line;
  }
  std::string ReadAll() {
    std::string all;
    for (std::string line; !(line = ReadLine()).empty();) all += line;
    return all;
  }
  void Signal(int signal) const { kill(pid_, signal); }
  int pid() const { return pid_; }
  // Waits for the end. Returns the exit status, or the negative number of the signal that ended the program.
  int Wait() {
    int status = 0;
    waitpid(std::exchange(pid_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  std::string Errors() const {
    std::ostringstream text;
    text << std::ifstream(error_file_).rdbuf();
    return text.str();
  }

 private:
  static void Limit(__rlimit_resource resource, rlim_t most) {
    const rlimit limit{most, most};
    if (most > 0 && setrlimit(resource, &limit) != 0) _exit(125);
  }

  const std::filesystem::path error_file_;
  pid_t pid_ = -1;
  FILE* output_ = nullptr;
};

class ServeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "widerow-serve-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    directory_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }
  std::string Data() const { return (directory_ / "data").string(); }
  std::filesystem::path ErrorFile(const char* name) const { return directory_ / name; }
  std::vector<std::string> ServeArguments() const {
    return {"serve", "--data", Data(), "--port", "0", "--http-port", "0"};
  }

  std::filesystem::path directory_;
};

inline std::string PortIn(const std::string& ready) {
  const size_t at = ready.find("http=127.0.0.1:") + 15;
  return ready.substr(at, ready.find(' ', at) - at);
}

}  // namespace widerow
