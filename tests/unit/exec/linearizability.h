// Decides whether operations that ran at the same time on one object could have run one after another. Each operation
// must take effect at some moment between its begin and its end. The algorithm is the search of Wing and Gong. As Lowe
// proposed, it remembers the states from which the search has failed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

namespace widerow {

// Model describes the object. It has three members:
// - `State`: a state of the object. The default value is the state before all operations. States have an order;
// - `Operation`: an operation with its answer;
// - `bool Step(const Operation&, State&)`: applies the operation to the state. Returns false if the operation cannot
// have had its answer in that state.
template <typename Model>
class LinearizabilityChecker {
 public:
  using State = typename Model::State;
  using Operation = typename Model::Operation;

  // Adds an operation. `begin` and `end` are moments of one clock. No moment may be used twice.
  void Add(Operation operation, uint64_t begin, uint64_t end) {
    events_.push_back({begin, operations_.size(), false});
    events_.push_back({end, operations_.size(), true});
    operations_.push_back(std::move(operation));
  }
  size_t size() const { return operations_.size(); }

  bool Check() {
    Link();
    std::set<std::pair<std::vector<uint64_t>, State>> tried;
    std::vector<uint64_t> done((operations_.size() + 63) / 64);
    std::vector<std::pair<size_t, State>> path;  // The chosen operations, each with the state before it.
    State state{};
    size_t at = next_[0];
    while (next_[0] != 0) {
      const Event& event = events_[at - 1];
      // The operation ended before the search has chosen it. So the last choice was wrong.
      if (event.is_end) {
        if (path.empty()) return false;
        const auto [operation, before] = path.back();
        path.pop_back();
        state = before;
        Flip(operation, done);
        PutBack(operation);
        at = next_[begin_of_[operation]];
        continue;
      }
      State after = state;
      const size_t operation = event.operation;
      if (Model::Step(operations_[operation], after)) {
        Flip(operation, done);
        if (tried.insert({done, after}).second) {
          path.emplace_back(operation, state);
          state = std::move(after);
          Take(operation);
          at = next_[0];
          continue;
        }
        Flip(operation, done);
      }
      at = next_[at];
    }
    return true;
  }

 private:
  struct Event {
    uint64_t moment = 0;
    size_t operation = 0;
    bool is_end = false;
  };

  // Links all events in the order of time. Events are numbered from 1, and 0 is both ends of the list.
  void Link() {
    std::sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) { return a.moment < b.moment; });
    next_.assign(events_.size() + 1, 0);
    previous_.assign(events_.size() + 1, 0);
    begin_of_.assign(operations_.size(), 0);
    end_of_.assign(operations_.size(), 0);
    for (size_t i = 0; i < events_.size(); ++i) {
      (events_[i].is_end ? end_of_ : begin_of_)[events_[i].operation] = i + 1;
      next_[i] = i + 1;
      previous_[i + 1] = i;
    }
    next_[events_.size()] = 0;
    previous_[0] = events_.size();
  }
  void Unlink(size_t at) {
    next_[previous_[at]] = next_[at];
    previous_[next_[at]] = previous_[at];
  }
  void Relink(size_t at) { next_[previous_[at]] = previous_[next_[at]] = at; }
  void Take(size_t operation) {
    Unlink(begin_of_[operation]);
    Unlink(end_of_[operation]);
  }
  void PutBack(size_t operation) {
    Relink(end_of_[operation]);
    Relink(begin_of_[operation]);
  }
  static void Flip(size_t operation, std::vector<uint64_t>& done) {
    done[operation / 64] ^= uint64_t{1} << (operation % 64);
  }

  std::vector<Operation> operations_;
  std::vector<Event> events_;
  std::vector<size_t> next_, previous_, begin_of_, end_of_;
};

}  // namespace widerow
