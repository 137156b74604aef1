// The possible contents of a database, given the answers that a workload got. For each thread, the content results from
// a prefix of the thread's operations. With Durability::kSync the prefix includes all answered operations. An operation
// of the prefix may be missing if it failed, or if it was running when a process died.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "imports.h"
#include "operations.h"
#include "trace.h"

namespace widerow::powercut {

// The database's durability mode, which decides what may be lost.
enum class Durability { kSync, kPeriodic, kNone };
std::optional<Durability> DurabilityFromName(std::string_view name);

// The content that a checker has read. Element i has the content that thread i owns.
using Observed = std::vector<Contents>;

class History {
 public:
  History(WorkloadShape shape, Durability durability);

  const WorkloadShape& shape() const { return shape_; }
  // Adds a mark of the workload. `index` grows with time. It shows which operations began after which answers.
  void Take(const Mark& mark, std::string_view text, uint64_t index);
  // Returns the contradiction between the content and the history, or nothing.
  std::string Contradiction(const Observed& observed, bool keyspace_there, bool wide_there) const;
  // Does the same as Contradiction. If there is no contradiction, the content becomes the new base, and the operations
  // before it are forgotten. Use this only if the database has lost no operation.
  std::string Settle(const Observed& observed, bool keyspace_there, bool wide_there);

  uint64_t answered() const { return answered_; }
  const OperationCounts& counts() const { return counts_; }  // Counts the answered operations.
  uint64_t next_number(uint32_t thread) const {
    return threads_[thread].settled + threads_[thread].operations.size() + 1;
  }
  // Returns the numbers with which the next process continues: that of each thread, and then that of the imports.
  std::vector<uint64_t> NextNumbers() const;
  const ImportHistory& imports() const { return imports_; }
  const std::vector<std::string>& failures() const { return failures_; }
  const std::vector<std::string>& findings() const { return findings_; }

 private:
  // kRefused: the operation has changed nothing, because its table or partition did not exist. This holds even if an
  // earlier CREATE TABLE of unknown fate has made the table on disk, and a restart finds the table.
  enum class Fate : uint8_t { kUnderWay, kAnswered, kRefused, kUnknown };
  struct Issued {
    Fate fate = Fate::kUnderWay;
    uint64_t begun = 0, answered = UINT64_MAX;  // The times at which the operation began and was answered.
  };
  struct Thread {
    uint64_t settled = 0;  // This number of operations is in `base`. They come before those in `operations`.
    Contents base;
    std::vector<Issued> operations;
  };
  // The prefixes of a thread's operations from which the content can result: the shortest and the longest one.
  struct Match {
    std::optional<size_t> shortest, longest;
    std::string nearest;  // If there is no such prefix: the smallest difference, in words.
  };
  Match MatchThread(uint32_t thread, const Contents& observed) const;
  void MatchPrefixes(uint32_t thread, const Contents& observed, const std::set<size_t>& missing, Match& match,
                     size_t& fewest) const;
  std::string OrderContradiction(const std::vector<Match>& matches) const;

  const WorkloadShape shape_;
  const Durability durability_;
  std::vector<Thread> threads_;
  ImportHistory imports_;
  uint64_t answered_ = 0;
  OperationCounts counts_;
  Fate setup_[2] = {Fate::kUnknown, Fate::kUnknown};
  bool setup_begun_[2] = {false, false};
  std::vector<std::string> failures_, findings_;
};

// The operations of this thread are the statements that make the keyspace and the table. They have the numbers 0 and 1.
inline constexpr uint32_t kSetupThread = 1'000;

}  // namespace widerow::powercut
