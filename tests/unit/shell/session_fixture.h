// A session of the shell inside the test's process. Its database is in this process, too, or is reached over HTTP.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "shell/interpreter.h"
#include "widerow/embedded_server.h"

namespace widerow {

// Returns a server that all tests of the process share. Each test has a keyspace of its own.
inline EmbeddedServer& Server() {
  static EmbeddedServer* const server = EmbeddedServer::Start({}).value().release();
  return *server;
}

// Each test runs twice: with a database in the process, and over HTTP.
class SessionTest : public ::testing::TestWithParam<bool> {
 protected:
  SessionTest() {
    static int made = 0;
    keyspace_ = "ks" + std::to_string(++made);
    directory_ =
        std::filesystem::temp_directory_path() / ("widerow_shell_test_" + std::to_string(::getpid()) + "_" + keyspace_);
    std::filesystem::create_directories(directory_);
    session_ = GetParam() ? std::move(OpenHttpSession(Server().http_address())).value()
                          : MakeLocalSession(Server().database().engine(), "here");
    Start();
    Run("CREATE KEYSPACE " + keyspace_ +
        " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}; USE " + keyspace_ + ";");
  }
  ~SessionTest() override { std::filesystem::remove_all(directory_); }

  void Start(InterpreterOptions options = {}) {
    interpreter_ = std::make_unique<Interpreter>(*session_, options, ShellStreams{in_, out_, err_});
  }

  // Runs the commands and returns their output. If there are errors, "! " and the errors follow the output.
  std::string Run(const std::string& text, const std::string& origin = "") {
    out_.str("");
    err_.str("");
    ran_ = interpreter_->RunText(text, origin);
    return out_.str() + (err_.str().empty() ? "" : "! " + err_.str());
  }

  std::string Write(const std::string& name, const std::string& text) {
    const std::string path = directory_ / name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  std::string Read(const std::string& name) {
    std::ostringstream text;
    text << std::ifstream(directory_ / name, std::ios::binary).rdbuf();
    return text.str();
  }
  std::string Path(const std::string& name) { return directory_ / name; }

  std::string keyspace_;
  std::filesystem::path directory_;
  std::istringstream in_;
  std::ostringstream out_, err_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<Interpreter> interpreter_;
  Interpreter::Ran ran_ = Interpreter::Ran::kOk;
};

}  // namespace widerow
