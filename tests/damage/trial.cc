// Try forks a child. The child opens the directory, compares answers (Judge) and writes its verdict into a pipe. Its
// standard error goes to a file. If the damage ends the child, the child must have named the place in this file.
#include "tests/damage/trial.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

namespace widerow::damage {
namespace {

namespace fs = std::filesystem;

constexpr int kExitDamaged = 74;
constexpr unsigned kSecondsMax = 120;
constexpr size_t kShown = 300;
constexpr char kFailureMark = '\x01';

// Returns true if the message names a file of the directory, or the table and the key of a record.
bool NamesPlace(const std::string& message, const fs::path& directory) {
  return message.find(directory.string()) != message.npos || message.find("key 0x") != message.npos;
}

class Judge {
 public:
  Judge(const fs::path& directory, const std::vector<Answer>& right, bool may_lack_last)
      : directory_(directory), right_(right), may_lack_last_(may_lack_last) {}

  // Opens the database and compares all answers. Returns false if the start was refused.
  bool Pass() {
    auto opened = Open(directory_);
    if (!opened.ok()) {
      verdict_.refused = true;
      if (!NamesPlace(opened.error().message, directory_)) Find("a start without a place: " + opened.error().message);
      return false;
    }
    for (size_t i = 0; i < Queries().size(); ++i)
      Compare(Queries()[i], right_[i], Ask(*opened.value(), Queries()[i].text));
    return true;
  }
  const Verdict& verdict() const { return verdict_; }

 private:
  void Compare(const Query& query, const Answer& right, const Answer& answer) {
    if (answer.failure.empty()) {
      if (answer.rows == right.rows || (query.last_write && may_lack_last_ && answer.rows.empty())) {
        ++verdict_.right;
      } else {
        Find("WRONG: " + query.text + ": " + std::to_string(answer.rows.size()) + " rows, right are " +
             std::to_string(right.rows.size()) + Difference(right, answer));
      }
      return;
    }
    ++verdict_.failed;
    // The rows before the failure must be right, too.
    const bool begins_right = answer.rows.size() <= right.rows.size() &&
                              std::equal(answer.rows.begin(), answer.rows.end(), right.rows.begin());
    if (!begins_right) Find("WRONG before a failure: " + query.text + Difference(right, answer));
    if (!NamesPlace(answer.failure, directory_)) Find("without a place: " + query.text + ": " + answer.failure);
  }
  static std::string Difference(const Answer& right, const Answer& answer) {
    for (size_t i = 0; i < answer.rows.size() && i < right.rows.size(); ++i) {
      if (answer.rows[i] == right.rows[i]) continue;
      return "; row " + std::to_string(i) + " is " + answer.rows[i].substr(0, kShown) + " and should be " +
             right.rows[i].substr(0, kShown);
    }
    return "";
  }
  void Find(const std::string& finding) {
    if (verdict_.finding.empty()) verdict_.finding = finding;
  }

  const fs::path& directory_;
  const std::vector<Answer>& right_;
  const bool may_lack_last_;
  Verdict verdict_;
};

[[noreturn]] void RunChild(const fs::path& directory, const std::vector<Answer>& right, bool may_lack_last, int out) {
  alarm(kSecondsMax);
  const int errors = open((directory / "stderr").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(errors, STDERR_FILENO);
  Judge judge(directory, right, may_lack_last);
  const auto tell = [&] {
    const Verdict& verdict = judge.verdict();
    std::ostringstream text;
    text << verdict.right << ' ' << verdict.failed << ' ' << verdict.refused << ' ' << verdict.finding << '\n';
    const std::string line = text.str();
    if (write(out, line.data(), line.size()) < 0) _exit(3);
  };
  const bool opened = judge.Pass();
  tell();
  // The second start reads what the first start has written into the damaged files.
  if (opened && judge.verdict().finding.empty()) judge.Pass();
  tell();
  _exit(0);
}

// Reads the last line that the child has written, and stores it in `verdict`.
void Read(int in, Verdict& verdict) {
  std::string text;
  char buffer[4'096];
  for (ssize_t size; (size = read(in, buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<size_t>(size));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    fields >> verdict.right >> verdict.failed >> verdict.refused;
    std::string finding;
    std::getline(fields, finding);
    if (finding.size() > 1) verdict.finding = finding.substr(1);
  }
}

std::string ContentOf(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

void CopyDirectory(const fs::path& from, const fs::path& to) {
  fs::remove_all(to);
  fs::copy(from, to, fs::copy_options::recursive);
}

std::vector<Answer> AnswersOf(const fs::path& directory) {
  int ends[2];
  if (pipe(ends) != 0) Die("no pipe");
  const pid_t child = fork();
  if (child == 0) {
    std::string text;
    {
      auto opened = Open(directory);
      if (!opened.ok()) Die(opened.error().message);
      for (const Query& query : Queries()) {
        const Answer answer = Ask(*opened.value(), query.text);
        if (!answer.failure.empty()) text += kFailureMark + answer.failure.substr(0, answer.failure.find('\n')) + '\n';
        for (const std::string& row : answer.rows) text += row + '\n';
        text += '\f';
      }
    }
    for (size_t at = 0; at < text.size();) {
      const ssize_t size = write(ends[1], text.data() + at, text.size() - at);
      if (size < 0) _exit(3);
      at += static_cast<size_t>(size);
    }
    _exit(0);
  }
  close(ends[1]);
  std::vector<Answer> answers(1);
  std::string row;
  char buffer[65'536];
  for (ssize_t size; (size = read(ends[0], buffer, sizeof buffer)) > 0;) {
    for (const char c : std::string_view(buffer, static_cast<size_t>(size))) {
      if (c == '\f') {
        answers.emplace_back();
      } else if (c == '\n') {
        if (row.starts_with(kFailureMark)) {
          answers.back().failure = row.substr(1);
        } else {
          answers.back().rows.push_back(std::move(row));
        }
        row.clear();
      } else {
        row.push_back(c);
      }
    }
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  answers.pop_back();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || answers.size() != Queries().size()) Die("no answers");
  return answers;
}

std::vector<Answer> RightAnswers(const fs::path& directory, const fs::path& scratch) {
  CopyDirectory(directory, scratch);
  std::vector<Answer> answers = AnswersOf(scratch);
  for (const Answer& answer : answers) {
    if (!answer.failure.empty()) Die(answer.failure);
  }
  return answers;
}

Verdict Try(const fs::path& damaged, const std::vector<Answer>& right, bool may_lack_last) {
  int ends[2];
  if (pipe(ends) != 0) Die("no pipe");
  const pid_t child = fork();
  if (child == 0) RunChild(damaged, right, may_lack_last, ends[1]);
  close(ends[1]);
  Verdict verdict;
  Read(ends[0], verdict);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return verdict;
  const std::string errors = ContentOf(damaged / "stderr");
  verdict.exited = WIFEXITED(status) && WEXITSTATUS(status) == kExitDamaged;
  if (verdict.exited && NamesPlace(errors, damaged) && errors.find("offset") != errors.npos) return verdict;
  if (verdict.finding.empty()) {
    verdict.finding = (WIFSIGNALED(status) ? "ended by signal " + std::to_string(WTERMSIG(status))
                                           : "exit status " + std::to_string(WEXITSTATUS(status))) +
                      ": " + errors.substr(0, kShown);
  }
  return verdict;
}

}  // namespace widerow::damage
