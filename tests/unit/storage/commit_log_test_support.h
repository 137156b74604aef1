// A commit log on simulated files, with a record of the groups that were appended and of those that are durable.
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

  // Opens the log, and stores the replayed groups in `replayed`. Remembers the log's id, as data.mdb does.
  Status Open() {
    log.reset();
    replayed.clear();
    const CommitLogOptions options{.directory = "data/log",
                                   .first_segment_bytes = first_segment_bytes_,
                                   .segment_bytes_max = segment_bytes_max_,
                                   .expected_id = expected_id,
                                   .accept_loss = accept_loss,
                                   .files = &files,
                                   .log = [this](const std::string& line) { lines.push_back(line); }};
    auto opened = CommitLog::Open(options, folded_through, [this](const LogGroup& group) {
      replayed.push_back({group.last_sequence, group.last_timestamp, Bytes(group.body)});
      return OkStatus();
    });
    if (!opened.ok()) return opened.error();
    log = std::move(opened).value();
    expected_id = log->id();
    return OkStatus();
  }

  // Appends a new group of about `size` bytes, and adds it to `appended` on success.
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

  // Syncs; on success all appended groups are durable.
  Status Sync() {
    Status status = log->Sync();
    if (status.ok() && !appended.empty()) synced_through = appended.back().sequence;
    return status;
  }

  // Returns the groups of `appended` after the folded ones.
  std::vector<Group> Unfolded() const {
    std::vector<Group> groups;
    for (const Group& group : appended) {
      if (group.sequence > folded_through) groups.push_back(group);
    }
    return groups;
  }

  // Notes that groups through this one are in LMDB.
  void Fold(uint64_t through) { folded_through = std::max(folded_through, through); }

  SimulatedLogFiles files;
  std::unique_ptr<CommitLog> log;
  std::vector<Group> appended;  // In order; the test removes those that a crash dropped.
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
