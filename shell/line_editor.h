// Reads lines from a terminal with libedit: arrow keys, history, TAB. One object at a time, on the main thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "shell/completion.h"

namespace widerow {

class LineEditor {
 public:
  // Gets the whole line and the cursor's place in it.
  using Completer = std::function<Completion(const std::string& line, size_t cursor)>;

  LineEditor(std::string history_file, Completer completer);
  ~LineEditor();  // Saves the history.
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  enum class Read : uint8_t { kLine, kInterrupted, kEnd };
  // Fills `line`, without its line break. kInterrupted: Ctrl-C; kEnd: Ctrl-D on an empty line.
  Read ReadLine(const std::string& prompt, std::string& line);
  // Adds a complete command as one line, unless it sets a password.
  void AddHistory(const std::string& command);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace widerow
