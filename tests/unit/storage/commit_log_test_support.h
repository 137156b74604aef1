// A commit log on simulated files. It remembers which groups were appended, and up to which group they are durable.
#pragma once

#include <gmock/gmock.h>

#include <vector>

#include "simulated_log_files.h"
#include "storage/log/commit_log.h"

namespace widerow::storage_test {

struct Group {
  uint64_t sequence = 0;
  int64_t timestamp = 0;
  Bytes body;

  friend bool operator==(const Group&, const Group&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Group& group) {
    return out << group.sequence << ":" << group.body.substr(0, 12) << "(" << group.body.size() << ")";
  }
};

class LogHarness {
 public:
  explicit LogHarness(uint64_t seed, size_t first_segment_bytes = 8192, size_t segment_bytes_max = 32768)
      : files(seed), first_segment_bytes_(first_segment_bytes), segment_bytes_max_(segment_bytes_max) {}

  // Opens the log. Stores the replayed groups in `replayed`, and remembers the log's id, as data.mdb does.
  Status Open() {
    log.reset();
    replayed.clear();
    const CommitLogOptions options{.directory = "data/log",
                                   .first_segment_bytes = first_segment_bytes_,
                                   .segment_bytes_max = segment_bytes_max_,
                                   .expected_id = expected_id,
                                   .accept_loss = accept_loss,
                                   .files = &files,
                                   .log = [this](const LogEvent& event) { lines.push_back(event.message); }};
    auto opened = CommitLog::Open(options, folded_through, [this](const LogGroup& group) {
      replayed.push_back({group.last_sequence, group.last_timestamp, Bytes(group.body)});
      return OkStatus();
    });
    if (!opened.ok()) return opened.error();
    log = std::move(opened).value();
    expected_id = log->id();
    return OkStatus();
  }

  // Appends a new group of about `size` bytes. If this succeeds, adds the group to `appended`.
  Status Append(size_t size, uint64_t sequences = 1) {
    Group group{(appended.empty() ? folded_through : appended.back().sequence) + sequences, ++timestamp_, {}};
    group.body = "body " + std::to_string(timestamp_) + " ";
    group.body.resize(std::max(group.body.size(), size), static_cast<char>('a' + timestamp_ % 26));
    const ByteView body = group.body;
    const std::vector<ByteView> parts = {body.substr(0, 7), body.substr(7)};
    Status status = log->Append(group.sequence, group.timestamp, parts);
    if (status.ok()) appended.push_back(std::move(group));
    return status;
  }

  // Syncs the log. If this succeeds, all appended groups are durable.
  Status Sync() {
    Status status = log->Sync();
    if (status.ok() && !appended.empty()) synced_through = appended.back().sequence;
    return status;
  }

  // Returns the appended groups that are not folded.
  std::vector<Group> Unfolded() const {
    std::vector<Group> groups;
    for (const Group& group : appended) {
      if (group.sequence > folded_through) groups.push_back(group);
    }
    return groups;
  }

  // Remembers that all groups up to `through` are in the data file.
  void Fold(uint64_t through) { folded_through = std::max(folded_through, through); }

  SimulatedLogFiles files;
  std::unique_ptr<CommitLog> log;
  // The appended groups in the order of writing. After a crash, the test removes those that the log has dropped.
  std::vector<Group> appended;
  std::vector<Group> replayed;
  std::vector<std::string> lines;
  uint64_t synced_through = 0;
  uint64_t folded_through = 0;
  std::optional<Uuid> expected_id;
  bool accept_loss = false;

 private:
  const size_t first_segment_bytes_, segment_bytes_max_;
  int64_t timestamp_ = 0;
};

}  // namespace widerow::storage_test
