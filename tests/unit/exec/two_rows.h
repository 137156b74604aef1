// A model of two rows of one partition and of the conditional statements on them, run one after another.
#pragma once

#include <array>
#include <optional>

namespace widerow {

struct TwoRows {
  using State = std::array<std::optional<int>, 2>;  // The values of the two rows; nullopt: the row does not exist.

  struct Operation {
    // All but reads are conditional: IF NOT EXISTS, IF EXISTS twice, and IF v = `expected`.
    enum class Kind { kRead, kInsert, kUpdate, kDelete, kCompare };
    Kind kind = Kind::kRead;
    std::array<bool, 2> rows = {};  // The rows of the operation. Two rows are a batch. A read has both.
    std::array<int, 2> values = {};
    State expected;  // kCompare: the values to compare with; nullopt is null. A missing row equals null.
    bool applied = false;
    State seen;  // The rows that the answer showed.
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
