// Converts rows of a CSV file: they are copied out of the reader's buffer and then turned into the values of an INSERT.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "planner/evaluate/evaluate.h"
#include "shell/bad_rows.h"
#include "shell/copy_mapping.h"

namespace widerow {

// Records of the file, copied out of the reader's buffer. All text is in one string.
struct RowBatch {
  struct Cell {
    size_t begin = 0, size = 0;
    bool quoted = false;
  };
  struct Row {
    uint64_t number = 0, line = 0;  // The number of the data row, from 1, and its line in the file.
    int64_t timestamp = 0;          // Used by bulk loads.
    size_t raw_begin = 0, raw_size = 0;
    size_t first_cell = 0, cell_count = 0;
  };
  std::string text;
  std::vector<Cell> cells;
  std::vector<Row> rows;

  void Add(const CsvRecord& record, uint64_t number, int64_t timestamp = 0);
  std::string_view Raw(const Row& row) const { return std::string_view(text).substr(row.raw_begin, row.raw_size); }
  std::string_view Text(const Cell& cell) const { return std::string_view(text).substr(cell.begin, cell.size); }
};

// Returns the same bytes for records whose key fields have equal values, also if they are written in different ways, as
// 1 and 01.
Bytes KeyOf(const CopyMapping& mapping, const CsvRecord& record);
Bytes KeyOf(const CopyMapping& mapping, const RowBatch& batch, const RowBatch::Row& row);

struct LoaderCounters {
  std::atomic<uint64_t> rows_in{0};  // Acknowledged rows.
};

// Takes batches of rows, on one thread.
class RowSink {
 public:
  virtual ~RowSink() = default;
  // Stores the rows and reports bad ones. OK even if some rows were bad. An error means that rows could not be stored
  // or reported, or that too many were bad.
  virtual Status Load(const RowBatch& batch) = 0;
};

// True if the rows cause the error, not the server or the connection.
bool IsRowFault(const Error& error);
std::string FirstLine(const std::string& text);

class RowConverter {
 public:
  RowConverter(const CopyMapping& mapping, const CopyCommand& command, BadRows& bad)
      : mapping_(mapping), command_(command), bad_(bad) {}

  // Appends the row's values to `values`, one per slot. False if the row is bad; it has been reported then.
  Result<bool> Convert(const RowBatch& batch, const RowBatch::Row& row, std::vector<BoundValue>& values) const;
  // Reports a bad row. Returns an error if there are too many.
  Status Refuse(const RowBatch& batch, const RowBatch::Row& row, std::string_view column,
                const std::string& reason) const;

 private:
  Status ConvertCell(const CopySlot& slot, std::string_view text, bool quoted, BoundValue& value) const;

  const CopyMapping& mapping_;
  const CopyCommand& command_;
  BadRows& bad_;
};

}  // namespace widerow
