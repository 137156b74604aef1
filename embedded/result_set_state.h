// What a ResultSet holds: one page, and how to get the next.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "exec/engine.h"
#include "widerow/database.h"

namespace widerow {

struct ResultSet::State {
  State(const ResultSet* owner, Engine& from) : row(owner), engine(&from) {}

  // Makes `outcome` the current page. False if it holds no rows.
  bool Take(Outcome outcome);
  // Fetches the page after the current one. False if there is none or on a failure.
  bool FetchNext();

  RowsPage page;
  const char* at = nullptr;  // Of the page's next row.
  uint32_t rows_left = 0;
  std::vector<const char*> cells;  // Of the current row, in the page: each value with its length before it.
  Row row;
  std::vector<std::string> warnings;
  std::optional<Failure> failure;
  mutable std::vector<Column> columns;  // Made when first asked for.
  mutable bool has_columns = false;

  // For further pages only; left empty when the first page is all.
  Engine* engine;
  std::string text;
  PreparedPtr prepared;
  RequestParameters parameters;
};

// As the public API prints them.
std::vector<Column> ToColumns(const ResultColumns& columns);

}  // namespace widerow
