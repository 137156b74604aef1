// Decides if a history of operations on one object could have happened one after another: Wing and Gong's search with
// Lowe's memory of configurations that failed. An operation takes effect at some moment between its begin and its end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

namespace widerow {

// Model: `State` (default: the object before all operations; ordered), `Operation`, and `bool Step(const Operation&,
// State&)`, which applies the operation, or returns false if it cannot have had its answer in that state.
template <typename Model>
class LinearizabilityChecker {
 public:
  using State = typename Model::State;
  using Operation = typename Model::Operation;

  // `begin` and `end` are moments of one clock; all moments are different.
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
    std::vector<std::pair<size_t, State>> path;  // The operations taken, and the state before each.
    State state{};
    size_t at = next_[0];
    while (next_[0] != 0) {
      const Event& event = events_[at - 1];
      if (event.is_end) {  // The operation has not been taken in time, so the last choice was wrong.
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

  // Makes a linked list of all events in order, numbered from 1; 0 is both ends.
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
