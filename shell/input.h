// Lines in, commands out. A command is a backslash command (a line), a shell command such as HELP or DESCRIBE (ends at
// its line's end or a semicolon) or anything else (ends at a semicolon outside strings, comments and BATCH).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace widerow {

struct InputCommand {
  std::string text;   // Without the semicolon and without blanks and comments in front.
  uint32_t line = 1;  // Of the input, where `text` begins.
};

class InputSplitter {
 public:
  // `line` without its line end.
  void AddLine(std::string_view line);
  // The next whole command.
  std::optional<InputCommand> Next();
  // At the end of the input: what is left as a command, if there is something.
  std::optional<InputCommand> Finish();
  // Something has been begun: the prompt should say so.
  bool pending() const;
  // The text of the command that has been begun.
  const std::string& buffer() const { return buffer_; }
  // Forgets what has been begun.
  void Clear();

 private:
  void DropFront(size_t bytes);

  std::string buffer_;
  uint32_t line_ = 1;  // Of the buffer's first byte.
  uint32_t lines_added_ = 0;
};

// The bytes of blanks and comments that `text` begins with.
size_t LeadingBlanks(std::string_view text);

}  // namespace widerow
