#include "history.h"

#include <algorithm>

namespace widerow::powercut {
namespace {

constexpr size_t kUnknownMax = 8;
constexpr size_t kDifferencesShown = 4;

const RowState* Find(const Contents& contents, const RowKey& key) {
  const auto found = contents.find(key);
  return found == contents.end() ? nullptr : &found->second;
}

bool Same(const Contents& a, const Contents& b, const RowKey& key) {
  const RowState *left = Find(a, key), *right = Find(b, key);
  return left == nullptr || right == nullptr ? left == right : *left == *right;
}

std::set<RowKey> Differences(const Contents& a, const Contents& b) {
  std::set<RowKey> keys;
  for (const Contents* each : {&a, &b}) {
    for (const auto& [key, state] : *each) {
      if (!Same(a, b, key)) keys.insert(key);
    }
  }
  return keys;
}

std::string Describe(const Contents& expected, const Contents& observed, const std::set<RowKey>& differences) {
  std::string text;
  size_t shown = 0;
  for (const RowKey& key : differences) {
    if (++shown > kDifferencesShown) break;
    text += "\n    expected " + Text(key, Find(expected, key)) + "\n    found    " + Text(key, Find(observed, key));
  }
  return text;
}

}  // namespace

std::optional<Durability> DurabilityFromName(std::string_view name) {
  if (name == "sync") return Durability::kSync;
  if (name == "periodic") return Durability::kPeriodic;
  if (name == "none") return Durability::kNone;
  return std::nullopt;
}

History::History(WorkloadShape shape, Durability durability)
    : shape_(shape), durability_(durability), threads_(shape.threads) {}

void History::Take(const Mark& mark, std::string_view text, uint64_t index) {
  if (mark.kind == Mark::kFinding) findings_.emplace_back(text);
  if (mark.kind == Mark::kFailed || mark.kind == Mark::kOpenFailed) failures_.emplace_back(text);
  if (mark.kind == Mark::kLife) {
    for (Thread& thread : threads_) {
      if (!thread.operations.empty() && thread.operations.back().fate == Fate::kUnderWay) {
        thread.operations.back().fate = Fate::kUnknown;
      }
    }
  }
  if (mark.thread == kSetupThread && mark.number < 2) {
    if (mark.kind == Mark::kBegun) setup_begun_[mark.number] = true;
    if (mark.kind == Mark::kAnswered) setup_[mark.number] = Fate::kAnswered;
    return;
  }
  if (mark.thread == kImportThread) imports_.Take(mark);
  if (mark.thread >= threads_.size()) return;
  Thread& thread = threads_[mark.thread];
  if (mark.kind == Mark::kBegun) thread.operations.push_back({.begun = index});
  if (mark.kind == Mark::kAnswered || mark.kind == Mark::kRefused) {
    thread.operations.back().fate = mark.kind == Mark::kAnswered ? Fate::kAnswered : Fate::kRefused;
    thread.operations.back().answered = index;
    ++answered_;
    if (mark.kind == Mark::kAnswered) counts_.Add(MakeOperation(shape_, mark.thread, mark.number));
  }
  if (mark.kind == Mark::kFailed) thread.operations.back().fate = Fate::kUnknown;
}

std::vector<uint64_t> History::NextNumbers() const {
  std::vector<uint64_t> numbers;
  for (uint32_t i = 0; i < threads_.size(); ++i) numbers.push_back(next_number(i));
  numbers.push_back(imports_.next_number());
  return numbers;
}

void History::MatchPrefixes(uint32_t number, const Contents& observed, const std::set<size_t>& missing, Match& match,
                            size_t& fewest) const {
  const Thread& thread = threads_[number];
  size_t least = 0;  // The number of operations in the shortest prefix that is possible.
  if (durability_ == Durability::kSync) {
    for (size_t i = 0; i < thread.operations.size(); ++i) {
      const Fate fate = thread.operations[i].fate;
      if (fate == Fate::kAnswered || fate == Fate::kRefused) least = i + 1;
    }
  }
  Contents contents = thread.base;
  std::vector<RowKey> touched;
  std::set<RowKey> differences;
  for (size_t length = 0;; ++length) {
    if (length == least) differences = Differences(contents, observed);
    if (length >= least) {
      if (differences.empty()) {
        match.shortest = std::min(match.shortest.value_or(length), length);
        match.longest = std::max(match.longest.value_or(length), length);
      } else if (differences.size() < fewest) {
        fewest = differences.size();
        match.nearest = "thread " + std::to_string(number) + ", first " + std::to_string(thread.settled + length) +
                        " operations (answered up to " + std::to_string(thread.settled + least) +
                        "), without unanswered " + std::to_string(missing.size()) +
                        " of them: " + std::to_string(differences.size()) + " rows differ" +
                        Describe(contents, observed, differences);
      }
    }
    if (length == thread.operations.size()) break;
    if (missing.contains(length) || thread.operations[length].fate == Fate::kRefused) continue;
    touched.clear();
    ApplyTo(contents, MakeOperation(shape_, number, thread.settled + length + 1), touched);
    if (length < least) continue;
    for (const RowKey& key : touched) {
      if (Same(contents, observed, key))
        differences.erase(key);
      else
        differences.insert(key);
    }
  }
}

History::Match History::MatchThread(uint32_t number, const Contents& observed) const {
  std::vector<size_t> unknown;
  for (size_t i = 0; i < threads_[number].operations.size(); ++i) {
    if (threads_[number].operations[i].fate == Fate::kUnknown) unknown.push_back(i);
  }
  Match match;
  if (unknown.size() > kUnknownMax) {
    match.nearest = "thread " + std::to_string(number) + " has too many unanswered operations to try";
    return match;
  }
  size_t fewest = SIZE_MAX;
  for (uint64_t subset = 0; subset < (uint64_t{1} << unknown.size()); ++subset) {
    std::set<size_t> missing;
    for (size_t i = 0; i < unknown.size(); ++i) {
      if ((subset >> i & 1) != 0) missing.insert(unknown[i]);
    }
    MatchPrefixes(number, observed, missing, match, fewest);
  }
  return match;
}

// In every durability mode, only the last operations may be lost. So if an operation of any thread exists, all
// operations that were answered before it began must exist too. Returns the contradiction, or nothing.
std::string History::OrderContradiction(const std::vector<Match>& matches) const {
  for (size_t a = 0; a < matches.size(); ++a) {
    if (*matches[a].shortest == 0) continue;
    const uint64_t begun = threads_[a].operations[*matches[a].shortest - 1].begun;
    for (size_t b = 0; b < matches.size(); ++b) {
      for (size_t lost = *matches[b].longest; lost < threads_[b].operations.size(); ++lost) {
        if (threads_[b].operations[lost].answered >= begun) continue;
        return "operation " + std::to_string(*matches[a].shortest) + " of thread " + std::to_string(a) +
               " is there, but operation " + std::to_string(lost + 1) + " of thread " + std::to_string(b) +
               ", answered before the former began, is lost";
      }
    }
  }
  return {};
}

std::string History::Contradiction(const Observed& observed, bool keyspace_there, bool wide_there) const {
  if (durability_ == Durability::kSync) {
    if (setup_[0] == Fate::kAnswered && !keyspace_there) return "the keyspace is lost";
    if (setup_[1] == Fate::kAnswered && !wide_there) return "the table wide is lost";
  }
  if (keyspace_there && !setup_begun_[0]) return "a keyspace that nobody made";
  std::vector<Match> matches;
  for (uint32_t i = 0; i < threads_.size(); ++i) {
    matches.push_back(MatchThread(i, observed[i]));
    if (!matches.back().shortest) return matches.back().nearest;
  }
  return OrderContradiction(matches);
}

std::string History::Settle(const Observed& observed, bool keyspace_there, bool wide_there) {
  std::string wrong = Contradiction(observed, keyspace_there, wide_there);
  if (!wrong.empty()) return wrong;
  for (uint32_t i = 0; i < threads_.size(); ++i) {
    threads_[i].settled += threads_[i].operations.size();
    threads_[i].operations.clear();
    threads_[i].base = observed[i];
  }
  return {};
}

}  // namespace widerow::powercut
