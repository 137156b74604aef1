// The possible contents of a database, given the answers to its workload. For each thread this is a prefix of its
// operations that includes all answered ones. An operation in the prefix may be missing if it failed, or was running
// when a process died.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "imports.h"
#include "operations.h"
#include "trace.h"

namespace widerow::powercut {

enum class Durability { kSync, kPeriodic, kNone };  // The promise of the database's durability mode.
std::optional<Durability> DurabilityFromName(std::string_view name);

// The content that a checker read, by owning thread.
using Observed = std::vector<Contents>;

class History {
 public:
  History(WorkloadShape shape, Durability durability);

  const WorkloadShape& shape() const { return shape_; }
  // Adds a mark. `index` grows with time, and so shows which operations followed which.
  void Take(const Mark& mark, std::string_view text, uint64_t index);
  // Returns the contradiction; empty if there is none.
  std::string Contradiction(const Observed& observed, bool keyspace_there, bool wide_there) const;
  // Does what Contradiction does. Without a contradiction, the content becomes the new base, and operations before it
  // are forgotten. Only for databases that have lost no operation.
  std::string Settle(const Observed& observed, bool keyspace_there, bool wide_there);

  uint64_t answered() const { return answered_; }
  const OperationCounts& counts() const { return counts_; }  // Of the answered operations.
  uint64_t next_number(uint32_t thread) const {
    return threads_[thread].settled + threads_[thread].operations.size() + 1;
  }
  // Returns the numbers with which the next process continues: next_number of each thread, then of the imports.
  std::vector<uint64_t> NextNumbers() const;
  const ImportHistory& imports() const { return imports_; }
  const std::vector<std::string>& failures() const { return failures_; }
  const std::vector<std::string>& findings() const { return findings_; }

 private:
  // Refused operations have changed nothing, even if a CREATE TABLE of unknown fate turns out to have happened.
  enum class Fate : uint8_t { kUnderWay, kAnswered, kRefused, kUnknown };
  struct Issued {
    Fate fate = Fate::kUnderWay;
    uint64_t begun = 0, answered = UINT64_MAX;  // Times of the events.
  };
  struct Thread {
    uint64_t settled = 0;  // The number of operations before `operations`, which are in `base`.
    Contents base;
    std::vector<Issued> operations;
  };
  // The prefixes of a thread's operations that explain the content.
  struct Match {
    std::optional<size_t> shortest, longest;
    std::string nearest;  // If no prefix does: the smallest difference, in words.
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

// The setup's statements are operations 0 and 1 of this thread.
inline constexpr uint32_t kSetupThread = 1'000;

}  // namespace widerow::powercut
