#include "shell/input.h"

#include <algorithm>
#include <array>

#include "parser/parse.h"
#include "shell/lexer.h"

namespace widerow {
namespace {

constexpr std::array<std::string_view, 11> kLineCommands = {"HELP", "EXIT",   "QUIT", "CLEAR",  "CLS",     "SOURCE",
                                                            "SHOW", "PAGING", "DESC", "EXPAND", "DESCRIBE"};

// True if `text` begins with a command that ends with its line.
bool IsLineCommand(std::string_view text) {
  if (text.starts_with('\\') || text.starts_with('?')) return true;
  const size_t end =
      std::min(text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"), text.size());
  return std::find(kLineCommands.begin(), kLineCommands.end(), ToUpper(text.substr(0, end))) != kLineCommands.end();
}

std::string_view TrimRight(std::string_view text) {
  const size_t last = text.find_last_not_of(" \t\r\n");
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

// Returns the end of a line command: its semicolon or its line break.
size_t LineCommandEnd(std::string_view text) {
  const size_t newline = std::min(text.find('\n'), text.size());
  if (text.starts_with('\\')) return newline;
  for (const ShellToken& token : LexShell(text.substr(0, newline))) {
    if (IsPunctuation(token, ';')) return token.begin;
  }
  return newline;
}

}  // namespace

size_t LeadingBlanks(std::string_view text) {
  size_t at = 0;
  while (at < text.size()) {
    const std::string_view rest = text.substr(at);
    if (static_cast<unsigned char>(rest[0]) <= ' ') {
      ++at;
    } else if (rest.starts_with("--") || rest.starts_with("//")) {
      at = std::min(text.find('\n', at), text.size());
    } else if (rest.starts_with("/*")) {
      const size_t end = rest.find("*/", 2);
      if (end == std::string_view::npos) return at;  // An open comment: more lines belong to it.
      at += end + 2;
    } else {
      break;
    }
  }
  return at;
}

void InputSplitter::AddLine(std::string_view line) {
  ++lines_added_;
  if (buffer_.empty()) line_ = lines_added_;
  buffer_.append(line);
  buffer_ += '\n';
}

void InputSplitter::DropFront(size_t bytes) {
  line_ += static_cast<uint32_t>(std::count(buffer_.begin(), buffer_.begin() + bytes, '\n'));
  buffer_.erase(0, bytes);
  searched_ -= std::min(searched_, bytes);
  if (searched_ == 0) in_batch_ = false;
}

bool InputSplitter::MayHaveEnded() {
  // Splitting a text into statements takes time in proportion to its length. If each line of a long batch caused a
  // split, the time would grow with the square of the number of lines. A batch ends with APPLY BATCH, so a semicolon
  // without APPLY before it does not end the batch. Between APPLY and the semicolon there may be blanks and comments,
  // but hardly a kilobyte of them. So the search for APPLY begins a kilobyte before the semicolon.
  constexpr size_t kApplyBytes = 1'024;
  constexpr std::string_view kApply = "apply";
  const size_t semicolon = buffer_.find(';', searched_);
  if (semicolon == std::string::npos) {
    searched_ = buffer_.size();
    return false;
  }
  if (!in_batch_) return true;
  const auto same = [](char a, char b) { return (a | 0x20) == b; };
  const auto from = buffer_.begin() + static_cast<ptrdiff_t>(semicolon - std::min(semicolon, kApplyBytes));
  if (std::search(from, buffer_.end(), kApply.begin(), kApply.end(), same) != buffer_.end()) return true;
  searched_ = buffer_.size();
  return false;
}

std::optional<InputCommand> InputSplitter::Next() {
  while (true) {
    DropFront(LeadingBlanks(buffer_));
    if (buffer_.empty()) return std::nullopt;
    if (IsLineCommand(buffer_)) {
      const size_t end = LineCommandEnd(buffer_);
      InputCommand command{std::string(TrimRight(std::string_view(buffer_).substr(0, end))), line_};
      DropFront(std::min(end + 1, buffer_.size()));
      return command;
    }
    if (!MayHaveEnded()) return std::nullopt;
    const std::vector<StatementSpan> spans = SplitStatements(buffer_);
    const size_t begin = spans.empty() ? 0 : spans[0].range.begin;
    size_t semicolon = spans.empty() ? 0 : spans[0].range.end;
    semicolon += LeadingBlanks(std::string_view(buffer_).substr(semicolon));
    // A last statement without its semicolon waits for more input, and so does a batch without APPLY BATCH.
    if ((!spans.empty() && !spans[0].complete) || semicolon >= buffer_.size() || buffer_[semicolon] != ';') {
      searched_ = buffer_.size();
      in_batch_ = !spans.empty() && spans[0].in_batch;
      return std::nullopt;
    }
    const auto lines_before = static_cast<uint32_t>(std::count(buffer_.begin(), buffer_.begin() + begin, '\n'));
    InputCommand command{spans.empty() ? "" : buffer_.substr(begin, spans[0].range.end - begin), line_ + lines_before};
    DropFront(semicolon + 1);
    if (!command.text.empty()) return command;  // Otherwise it was an empty statement, as in ";;".
  }
}

std::optional<InputCommand> InputSplitter::Finish() {
  DropFront(LeadingBlanks(buffer_));
  InputCommand command{std::string(TrimRight(buffer_)), line_};
  Clear();
  if (command.text.empty()) return std::nullopt;
  return command;
}

bool InputSplitter::pending() const { return LeadingBlanks(buffer_) < buffer_.size(); }

void InputSplitter::Clear() {
  buffer_.clear();
  searched_ = 0;
  in_batch_ = false;
}

}  // namespace widerow
