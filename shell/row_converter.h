// Converts rows of a CSV file: they are copied out of the reader's buffer and then turned into the values of an INSERT.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "planner/evaluate/evaluate.h"
#include "shell/bad_rows.h"
#include "shell/copy_mapping.h"

namespace widerow {

// The primary key of a row (row_keys.h).
struct RowKey {
  Bytes bytes;                // Empty if the key is not known.
  size_t partition_size = 0;  // `bytes` begins with the partition key, which has this size.
};

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
    size_t key_begin = 0, key_size = 0, partition_size = 0;
  };
  std::string text;
  std::vector<Cell> cells;
  std::vector<Row> rows;

  void Add(const CsvRecord& record, uint64_t number, int64_t timestamp = 0, const RowKey& key = {});
  std::string_view Raw(const Row& row) const { return std::string_view(text).substr(row.raw_begin, row.raw_size); }
  CsvField Field(const Row& row, size_t field) const {
    const Cell& cell = cells[row.first_cell + field];
    return {std::string_view(text).substr(cell.begin, cell.size), cell.quoted};
  }
  ByteView Key(const Row& row) const { return std::string_view(text).substr(row.key_begin, row.key_size); }
  ByteView Partition(const Row& row) const { return Key(row).substr(0, row.partition_size); }
};

// True if the field is null in a column of the slot's type.
bool IsNull(const CopySlot& slot, std::string_view null_text, const CsvField& field);
// Converts a field to the slot's type. kInvalid if the text is no value of this type, and for a null in the key.
Status ConvertCell(const CopySlot& slot, std::string_view null_text, const CsvField& field, BoundValue& value);

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

  enum class Converted : uint8_t {
    kRow,
    kStatics,  // The record has only static columns. Those of CopyMapping::OfPartition are to be written.
    kRefused,  // The row is bad; it has been reported.
  };
  // Appends the row's values to `values`, one per slot. Appends nothing if the row is bad.
  Result<Converted> Convert(const RowBatch& batch, const RowBatch::Row& row, std::vector<BoundValue>& values) const;
  bool IsNullIn(const CopySlot& slot, const CsvField& field) const { return IsNull(slot, command_.null_text, field); }
  // Reports a bad row. Returns an error if there are too many.
  Status Refuse(const RowBatch& batch, const RowBatch::Row& row, std::string_view column,
                const std::string& reason) const;

 private:
  bool HasStaticsAlone(const RowBatch& batch, const RowBatch::Row& row) const;

  const CopyMapping& mapping_;
  const CopyCommand& command_;
  BadRows& bad_;
};

}  // namespace widerow
