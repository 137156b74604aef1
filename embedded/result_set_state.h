// What a ResultSet holds: one page, and how to get the next.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "exec/engine.h"
#include "widerow/database.h"

namespace widerow {

struct ResultSetState {
  ResultSetState() : row(this) {}
  ResultSetState(const ResultSetState&) = delete;
  ResultSetState& operator=(const ResultSetState&) = delete;

  // An empty one: the one that this thread gave back last, with its memory, or a new one.
  static std::unique_ptr<ResultSetState> Take();
  static void GiveBack(std::unique_ptr<ResultSetState> state);

  // Goes to before the first row of `page`.
  void BeginPage() {
    at = page.body.data();
    rows_left = page.row_count;
  }
  // Makes `outcome` the current page. False if it holds no rows.
  bool TakeOutcome(Outcome outcome);
  // Fetches the page after the current one. False if there is none or on a failure.
  bool FetchNext();

  RowsPage page;
  const char* at = nullptr;  // Of the page's next row.
  uint32_t rows_left = 0;
  // The current row: `columns` values, null data() for null. Of a page's row so far `known` of them, the others from `rest` on.
  size_t columns = 0;
  const ByteView* values = nullptr;
  mutable size_t known = 0;
  mutable const char* rest = nullptr;
  ByteView Value(size_t column) const {
    while (known <= column) TakeValue();
    return values[column];
  }
  // Goes to the row of a page that begins at `begin`.
  void BeginRow(const char* begin) {
    columns = page.columns->size();
    taken.resize(columns);
    values = taken.data();
    known = 0;
    rest = begin;
  }
  // Goes to a row that lies elsewhere.
  void LookAt(std::span<const ByteView> row_values) {
    columns = known = row_values.size();
    values = row_values.data();
  }
  // The next value of a page's row.
  void TakeValue() const {
    const auto size = ReadBigEndian<int32_t>(rest);
    rest += sizeof size;
    taken[known++] = size < 0 ? ByteView() : ByteView(rest, static_cast<size_t>(size));
    rest += std::max(size, 0);
  }
  mutable std::vector<ByteView> taken;  // Of a page's row.
  const Row row;
  RequestParameters parameters;    // Of the statement, for further pages too.

  // What most results do without.
  struct Rare {
    std::vector<std::string> warnings;
    std::optional<Failure> failure;
    std::vector<Column> columns;  // Made when first asked for.
    // For further pages only.
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
  // Too large to be kept.
  bool large() const;

  std::unique_ptr<Rare> rare_;
};

// As the public API prints them.
std::vector<Column> ToColumns(const ResultColumns& columns);

}  // namespace widerow
