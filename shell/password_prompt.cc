#include "shell/password_prompt.h"

#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

#include <cstdlib>

namespace widerow {

namespace {

// Turns the terminal's echo off during its lifetime.
class QuietTerminal {
 public:
  explicit QuietTerminal(int terminal) : terminal_(terminal), known_(tcgetattr(terminal, &before_) == 0) {
    if (!known_) return;
    termios quiet = before_;
    quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    tcsetattr(terminal_, TCSAFLUSH, &quiet);
  }
  ~QuietTerminal() {
    if (known_) tcsetattr(terminal_, TCSAFLUSH, &before_);
  }
  QuietTerminal(const QuietTerminal&) = delete;
  QuietTerminal& operator=(const QuietTerminal&) = delete;

 private:
  const int terminal_;
  termios before_ = {};
  const bool known_;
};

void WriteTo(int terminal, std::string_view text) {
  if (::write(terminal, text.data(), text.size()) < 0) return;  // The terminal is gone.
}

}  // namespace

Result<std::string> AskPassword(const std::string& user) {
  if (const char* const set = std::getenv("WIDEROW_PASSWORD"); set != nullptr) return std::string(set);
  const int terminal = ::open("/dev/tty", O_RDWR | O_CLOEXEC);
  if (terminal < 0) {
    return InvalidError("No password for user " + user + " is known, and there is no terminal to ask for it",
                        "set the environment variable WIDEROW_PASSWORD");
  }
  WriteTo(terminal, "Password for " + user + ": ");
  std::string password;
  {
    const QuietTerminal quiet(terminal);
    for (char c = 0; ::read(terminal, &c, 1) == 1 && c != '\n' && c != '\r';) password += c;
  }
  WriteTo(terminal, "\n");
  ::close(terminal);
  return password;
}

}  // namespace widerow
