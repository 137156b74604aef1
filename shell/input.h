// Splits input lines into commands. A command is a backslash command (one line), a shell command such as HELP or
// DESCRIBE (ends at its line's end or at a semicolon), or anything else (ends at a semicolon outside strings, comments
// and BATCH).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace widerow {

struct InputCommand {
  std::string text;   // Without the semicolon and without blanks and comments at the start.
  uint32_t line = 1;  // The line of the input where `text` begins.
};

class InputSplitter {
 public:
  // `line` has no line break.
  void AddLine(std::string_view line);
  // Returns the next complete command.
  std::optional<InputCommand> Next();
  // At the end of the input: returns the incomplete command, if there is one.
  std::optional<InputCommand> Finish();
  // True if a command has been started. The prompt should show this.
  bool pending() const;
  // The text of the started command.
  const std::string& buffer() const { return buffer_; }
  // Forgets the started command.
  void Clear();

 private:
  void DropFront(size_t bytes);
  // False if the lines since the last search cannot end the started command.
  bool MayHaveEnded();

  std::string buffer_;
  size_t searched_ = 0;    // The started command does not end in the first searched_ bytes.
  bool in_batch_ = false;  // True if the started command is a batch.
  uint32_t line_ = 1;      // The line of the buffer's first byte.
  uint32_t lines_added_ = 0;
};

// Returns the number of bytes of blanks and comments at the start of `text`.
size_t LeadingBlanks(std::string_view text);

}  // namespace widerow
