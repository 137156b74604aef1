// A wrapper of libedit. ReadCharacter replaces libedit's input function so that Ctrl-C ends a line; OnTab asks the
// completer and either inserts the common prefix or lists the candidates. The destructor saves the history in a file
// that only its owner can read.
#include "shell/line_editor.h"

#include <histedit.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cwchar>

#include "shell/interrupt.h"
#include "shell/lexer.h"
#include "shell/text_width.h"

namespace widerow {
namespace {

constexpr int kHistoryLines = 10'000;

int TerminalColumns() {
  winsize size = {};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

// Reads one character. Returns -1 on Ctrl-C, which makes libedit end the line, and 0 at the end of the input.
int ReadCharacter(EditLine*, wchar_t* to) {
  mbstate_t state = {};
  while (true) {
    char byte = 0;
    if (Interrupted()) return errno = EINTR, -1;
    const ssize_t got = ::read(STDIN_FILENO, &byte, 1);
    if (got == 0) return 0;
    if (got < 0 && (errno == EAGAIN || (errno == EINTR && !Interrupted()))) continue;
    if (got < 0) return -1;
    const size_t used = std::mbrtowc(to, &byte, 1, &state);
    if (used == static_cast<size_t>(-2)) continue;
    if (used != static_cast<size_t>(-1)) return 1;
    state = {};  // The bytes are not valid text and are dropped.
  }
}

void PrintInColumns(const std::vector<std::string>& words) {
  size_t width = 0;
  for (const std::string& word : words) width = std::max(width, DisplayWidth(word) + 2);
  const size_t columns = std::max<size_t>(1, static_cast<size_t>(TerminalColumns()) / width);
  const size_t lines = (words.size() + columns - 1) / columns;
  std::string text = "\n";
  for (size_t line = 0; line < lines; ++line) {
    for (size_t i = line; i < words.size(); i += lines) {
      text += words[i] + (i + lines < words.size() ? std::string(width - DisplayWidth(words[i]), ' ') : "");
    }
    text += '\n';
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

}  // namespace

struct LineEditor::State {
  std::string history_file, prompt;
  Completer completer;
  EditLine* edit = nullptr;
  History* history = nullptr;

  static State& Of(EditLine* edit) {
    void* data = nullptr;
    el_get(edit, EL_CLIENTDATA, &data);
    return *static_cast<State*>(data);
  }
  static char* Prompt(EditLine* edit) { return Of(edit).prompt.data(); }

  static unsigned char OnTab(EditLine* edit, int) {
    State& state = Of(edit);
    const LineInfo* info = el_line(edit);
    const std::string line(info->buffer, info->lastchar);
    const auto cursor = static_cast<size_t>(info->cursor - info->buffer);
    const Completion completion = state.completer(line, cursor);
    if (completion.candidates.empty()) return CC_REFRESH_BEEP;
    const size_t typed = cursor - completion.begin;
    std::string text = CommonPrefix(completion.candidates);
    const bool single = completion.candidates.size() == 1;
    if (single && !text.ends_with('.')) text += ' ';
    if (text.size() > typed || (single && text.size() == typed)) {
      // The candidate may differ from the typed word in upper and lower case, so the whole word is replaced.
      el_deletestr(edit, static_cast<int>(typed));
      el_insertstr(edit, text.c_str());
      return CC_REFRESH;
    }
    PrintInColumns(completion.candidates);
    return CC_REDISPLAY;
  }
};

LineEditor::LineEditor(std::string history_file, Completer completer) : state_(std::make_unique<State>()) {
  State& state = *state_;
  state.history_file = std::move(history_file);
  state.completer = std::move(completer);
  state.edit = el_init("widerow", stdin, stdout, stderr);
  state.history = history_init();
  HistEvent event;
  history(state.history, &event, H_SETSIZE, kHistoryLines);
  history(state.history, &event, H_SETUNIQUE, 1);
  if (!state.history_file.empty()) history(state.history, &event, H_LOAD, state.history_file.c_str());
  el_set(state.edit, EL_CLIENTDATA, &state);
  el_set(state.edit, EL_EDITOR, "emacs");
  el_set(state.edit, EL_PROMPT, &State::Prompt);
  el_set(state.edit, EL_HIST, history, state.history);
  el_set(state.edit, EL_GETCFN, &ReadCharacter);
  el_set(state.edit, EL_ADDFN, "widerow-complete", "complete", &State::OnTab);
  el_source(state.edit, nullptr);  // Reads the user's ~/.editrc.
  el_set(state.edit, EL_BIND, "^I", "widerow-complete", nullptr);
  el_set(state.edit, EL_BIND, "^R", "em-inc-search-prev", nullptr);
}

LineEditor::~LineEditor() {
  State& state = *state_;
  if (!state.history_file.empty()) {
    HistEvent event;
    const mode_t before = ::umask(077);  // Statements may contain private data.
    history(state.history, &event, H_SAVE, state.history_file.c_str());
    ::umask(before);
  }
  history_end(state.history);
  el_end(state.edit);
}

LineEditor::Read LineEditor::ReadLine(const std::string& prompt, std::string& line) {
  State& state = *state_;
  state.prompt = prompt;
  // Leaves the terminal's line mode now. el_gets leaves it only after it has shown the prompt, and a Ctrl-D typed
  // before that would arrive as a NUL.
  el_set(state.edit, EL_PREP_TERM, 1);
  int count = 0;
  const char* text = el_gets(state.edit, &count);
  if (Interrupted()) {
    ClearInterrupt();
    el_reset(state.edit);
    std::fputs("^C\n", stdout);
    std::fflush(stdout);
    return Read::kInterrupted;
  }
  if (text == nullptr || count <= 0) {
    std::fputs("\n", stdout);
    std::fflush(stdout);
    return Read::kEnd;
  }
  line.assign(text, static_cast<size_t>(count));
  while (line.ends_with('\n') || line.ends_with('\r')) line.pop_back();
  return Read::kLine;
}

void LineEditor::AddHistory(const std::string& command) {
  // Commands that set a password are not added. A command with line comments keeps its line breaks.
  if (ToUpper(command).find("PASSWORD") != std::string::npos) return;
  std::string line = command;
  if (line.find("--") == std::string::npos && line.find("//") == std::string::npos) {
    std::replace(line.begin(), line.end(), '\n', ' ');
  }
  while (line.ends_with(' ') || line.ends_with('\n')) line.pop_back();
  if (line.empty()) return;
  HistEvent event;
  history(state_->history, &event, H_ENTER, line.c_str());
}

}  // namespace widerow
