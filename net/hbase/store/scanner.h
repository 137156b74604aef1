// A scan that a client continues request by request. It keeps no snapshot: each request reads on after the last row
// that was shown. Used by one thread at a time.
#pragma once

#include <chrono>
#include <deque>

#include "net/hbase/store/row_source.h"

namespace widerow::hbase {

struct ScanSpec {
  ReadSpec read;
  RowRangeSpec range;
  int32_t batch = 0;  // The most cells of a result; 0: whole rows.
};

struct ScanLimits {
  size_t results = 1;
  size_t rows = 0;  // The greatest number of complete rows; 0: any number.
  size_t bytes = 2u << 20;
  AnswerRoom* room = nullptr;  // Counts the memory of what is read; may be null.
  bool may_cut_rows = false;   // The client accepts a part of a row.
  bool may_encode = false;     // The caller takes ScanAnswer::cell_block instead of results.
  // With a filter: an answer ends after this time, even if it has no result yet.
  std::chrono::milliseconds time = std::chrono::seconds(5);
};

// All cells of a row, or some of them.
struct ScanResult {
  RowCells cells;
  bool cut = false;  // More cells of the row may follow.
};

// An answer has either results, or whole rows in a cell block.
struct ScanAnswer {
  std::vector<ScanResult> results;
  Bytes cell_block;                     // In the encoding of cells/key_value.h.
  std::vector<uint32_t> cells_of_rows;  // The number of cells of each row in cell_block.
  bool more = false;                    // False: the scan is finished.
  bool limit_reached = false;           // The limit of rows is reached.
  bool out_of_time = false;             // The answer ends early because it has taken long.
};

class Scanner {
 public:
  Scanner(HTablePtr table, std::unique_ptr<RowSource> source, std::vector<ReadFamily> families,
          std::unique_ptr<ScanSpec> spec);

  Result<ScanAnswer> Next(const ScanLimits& limits, int64_t now_ms);
  // The memory of rows that are read and not shown yet.
  size_t held_bytes() const { return held_bytes_; }
  // Forgets the rows that have been read but not examined yet. The next request reads them again.
  void DropRows();

 private:
  // Encodes the next rows into the answer. Returns false if the scan or its next row cannot be encoded.
  Result<bool> EncodeRows(const ScanLimits& limits, int64_t now_ms, ScanAnswer& answer);
  // Takes the next rows as results.
  Status TakeResults(const ScanLimits& limits, int64_t now_ms, ScanAnswer& answer);
  // Fills pending_ with the next row that is shown. False if there is none, or if the request has examined as much as
  // it may. `rows_wanted` is the number of rows that the client wants in all; 0: unknown.
  Result<bool> Advance(int64_t now_ms, size_t rows_wanted, AnswerRoom* room);
  // True if the request has examined as much as it may.
  bool examined_enough() const;
  // Returns how many cells the next chunk may have.
  uint32_t NextChunkCells(size_t rows_wanted);
  // Reads the next rows into rows_. False at the end of the range.
  Result<bool> ReadMore(size_t rows_wanted, AnswerRoom* room);
  // Leaves out the rows before `row`.
  void SkipTo(const Bytes& row);
  // Appends a result, and returns its size as HBase counts it.
  size_t TakeResult(const ScanLimits& limits, size_t bytes_left, ScanAnswer& answer);

  const HTablePtr table_;
  const std::unique_ptr<RowSource> source_;
  const std::unique_ptr<ScanSpec> spec_;
  RowMatcher matcher_;
  bool fits_encoder_;
  std::deque<StoredRow> rows_;
  uint32_t chunk_cells_ = 0;  // The size of the last chunk; 0: nothing has been read.
  size_t rows_read_ = 0, cells_read_ = 0;
  bool range_ended_ = false, ended_ = false;
  RowCells pending_;  // The present row; pending_shown_ of its cells have been shown.
  size_t pending_shown_ = 0;
  bool in_row_ = false;
  size_t held_bytes_ = 0;
  // The cells and bytes that this request has read, and the time at which it must end.
  size_t cells_examined_ = 0, bytes_examined_ = 0;
  std::chrono::steady_clock::time_point deadline_;
};

// Reads a stored table.
std::unique_ptr<RowSource> MakeTableSource(Database database, HTablePtr table, std::vector<ReadFamily> families);

}  // namespace widerow::hbase
