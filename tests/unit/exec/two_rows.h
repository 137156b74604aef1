// A model of two rows in one partition. It applies conditional statements one after another, and says what each must
// answer.
#pragma once

#include <array>
#include <optional>

namespace widerow {

struct TwoRows {
  // The values of the two rows. nullopt means that the row does not exist.
  using State = std::array<std::optional<int>, 2>;

  struct Operation {
    // A read has no condition. The others have IF NOT EXISTS, IF EXISTS (update and delete), and IF v = `expected`.
    enum class Kind { kRead, kInsert, kUpdate, kDelete, kCompare };
    Kind kind = Kind::kRead;
    // True for each row that the operation reads or writes. An operation on both rows is a batch. A read reads both
    // rows.
    std::array<bool, 2> rows = {};
    std::array<int, 2> values = {};
    // kCompare compares v with these values. nullopt is null, and the v of a missing row is null, too.
    State expected;
    bool applied = false;
    State seen;  // The rows that the answer has shown.
  };

  static bool Step(const Operation& operation, State& state) {
    if (operation.kind == Operation::Kind::kRead) return operation.seen == state;
    const bool wanted = operation.kind != Operation::Kind::kInsert;
    bool holds = true;
    State found;
    for (size_t row = 0; row < 2; ++row) {
      if (!operation.rows[row]) continue;
      holds = holds && (operation.kind == Operation::Kind::kCompare ? state[row] == operation.expected[row]
                                                                    : state[row].has_value() == wanted);
      found[row] = state[row];
    }
    if (operation.applied != holds) return false;
    if (!holds) return operation.seen == found;
    for (size_t row = 0; row < 2; ++row) {
      if (!operation.rows[row]) continue;
      state[row] =
          operation.kind == Operation::Kind::kDelete ? std::nullopt : std::optional<int>(operation.values[row]);
    }
    return true;
  }
};

}  // namespace widerow
