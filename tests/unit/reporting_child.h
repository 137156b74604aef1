// A child process that works until it is killed, and reports its progress through a pipe.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace widerow {

class ReportingChild {
 public:
  // Starts a child that calls `work(report)`. `report` is the end of the pipe to which the child writes. The child ends
  // when `work` returns.
  template <typename Work>
  explicit ReportingChild(Work&& work) {
    int ends[2];
    if (pipe(ends) != 0) std::abort();
    child_ = fork();
    if (child_ == 0) {
      close(ends[0]);
      work(ends[1]);
      _exit(0);
    }
    close(ends[1]);
    reports_ = ends[0];
    EXPECT_GE(child_, 0);
  }
  ~ReportingChild() {
    if (child_ > 0) Kill();
    close(reports_);
  }
  ReportingChild(const ReportingChild&) = delete;
  ReportingChild& operator=(const ReportingChild&) = delete;

  // Waits for the next report. Returns false if the child has ended and there is no more report.
  template <typename Report>
  bool Read(Report& report) {
    return read(reports_, &report, sizeof report) == sizeof report;
  }
  // Kills the child (kill -9). The reports that the child wrote before this call can still be read.
  void Kill() {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
    child_ = -1;
  }

 private:
  pid_t child_ = -1;
  int reports_ = -1;
};

}  // namespace widerow
