// The content of a ResultSet: one page, and what is needed to fetch the next one. A thread keeps one unused state, so
// that most statements allocate no memory for theirs.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "exec/engine/engine.h"
#include "widerow/database.h"

namespace widerow {

struct ResultSetState {
  ResultSetState() : row(this) {}
  ResultSetState(const ResultSetState&) = delete;
  ResultSetState& operator=(const ResultSetState&) = delete;

  // Returns an empty state: the one that this thread gave back last, with its memory, or a new one.
  static std::unique_ptr<ResultSetState> Take();
  static void GiveBack(std::unique_ptr<ResultSetState> state);

  // Moves before the first row of `page`.
  void BeginPage() {
    at = page.body.data();
    rows_left = page.row_count;
  }
  // Makes `outcome` the current page. False if it is not a page of rows.
  bool TakeOutcome(Outcome outcome);
  // Fetches the next page. False if there is none, or on a failure.
  bool FetchNext();

  RowsPage page;
  const char* at = nullptr;  // The beginning of the page's next row.
  uint32_t rows_left = 0;
  // The current row has `columns` values; if the data() of a value is null, the value is null. If the row belongs to
  // `page`, only its first `known` values are in `values` yet; the bytes of the others begin at `rest`.
  size_t columns = 0;
  const ByteView* values = nullptr;
  mutable size_t known = 0;
  mutable const char* rest = nullptr;
  ByteView Value(size_t column) const {
    while (known <= column) TakeValue();
    return values[column];
  }
  // Moves to the page's row that begins at `begin`.
  void BeginRow(const char* begin) {
    columns = page.columns->size();
    taken.resize(columns);
    values = taken.data();
    known = 0;
    rest = begin;
  }
  // Moves to a row outside the page, whose values the caller owns.
  void LookAt(std::span<const ByteView> row_values) {
    columns = known = row_values.size();
    values = row_values.data();
  }
  // Finds the next value of a page's row.
  void TakeValue() const {
    const auto size = ReadBigEndian<int32_t>(rest);
    rest += sizeof size;
    taken[known++] = size < 0 ? ByteView() : ByteView(rest, static_cast<size_t>(size));
    rest += std::max(size, 0);
  }
  mutable std::vector<ByteView> taken;  // The values of a page's row.
  const Row row;
  RequestParameters parameters;  // The parameters of the statement. Fetching further pages uses them too.

  // State that most results do not need.
  struct Rare {
    std::vector<std::string> warnings;
    std::optional<Failure> failure;
    std::vector<Column> columns;  // Made on the first call of columns().
    // The following are for further pages only.
    Engine* engine = nullptr;
    std::string text;
    PreparedPtr prepared;
  };
  Rare& rare() {
    if (rare_ == nullptr) rare_ = std::make_unique<Rare>();
    return *rare_;
  }
  const Rare* find_rare() const { return rare_.get(); }

 private:
  void Clear();
  // True if the state has too much memory to be kept.
  bool large() const;

  std::unique_ptr<Rare> rare_;
};

// Converts columns to the form of the public API.
std::vector<Column> ToColumns(const ResultColumns& columns);

}  // namespace widerow
