// A line from a terminal, with libedit: arrows, history, TAB. One at a time, on the main thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "shell/completion.h"

namespace widerow {

class LineEditor {
 public:
  // The line up to its end and where the cursor is in it.
  using Completer = std::function<Completion(const std::string& line, size_t cursor)>;

  LineEditor(std::string history_file, Completer completer);
  ~LineEditor();  // Saves the history.
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  enum class Read : uint8_t { kLine, kInterrupted, kEnd };
  // Fills `line` without its line end. kInterrupted: Ctrl-C; kEnd: Ctrl-D on an empty line.
  Read ReadLine(const std::string& prompt, std::string& line);
  // A whole command; its lines become one.
  void AddHistory(const std::string& command);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace widerow
