// A table's heat as a picture: the operations in each key range in each slice of time, with one axis for all slices. A
// plain value; the maps in text, SVG and JSON, the rows of system_views.heat and the description of its shape are made
// from it.
#pragma once

#include <string>
#include <vector>

#include "exec/heat/table_heat.h"
#include "types/schema.h"

namespace widerow {

enum class HeatAxis : uint8_t { kKey, kToken };
// The names are "key" and "token".
std::string_view HeatAxisName(HeatAxis axis);
std::optional<HeatAxis> HeatAxisFromName(std::string_view name);

enum class HeatMetric : uint8_t { kReads, kWrites, kBytes, kTime };
// The names are "reads", "writes", "bytes" and "time".
std::string_view HeatMetricName(HeatMetric metric);
std::optional<HeatMetric> HeatMetricFromName(std::string_view name);
uint64_t MetricOf(const HeatCell& cell, HeatMetric metric);
// Returns the greatest error of reads or writes; 0 for bytes and time, whose errors have no bound. `skipped` is the
// argument of HeatCell::ReadsError.
uint64_t ErrorOf(const HeatCell& cell, HeatMetric metric, uint64_t skipped);
// Returns the metric minus its error.
uint64_t CertainOf(const HeatCell& cell, HeatMetric metric, uint64_t skipped);

struct HeatPicture {
  struct Column {
    int64_t begin_seconds = 0;
    int32_t seconds = 0;
    uint64_t appended = 0;        // Rows written whose key was greater than all before (HeatSlice).
    uint64_t skipped = 0;         // Statements that were not measured (HeatSlice).
    HeatCell all;                 // The sum of all ranges. Its reads_guessed and writes_guessed are 0.
    std::vector<HeatCell> cells;  // The cells by key range.
  };
  HeatAxis axis = HeatAxis::kKey;
  std::vector<std::string> firsts;  // The beginning of each key range, as text for people; the first is empty.
  uint64_t distinct_keys = 0;       // The number of different row keys seen.
  std::vector<Column> columns;      // Oldest first; slices without operations are left out.

  // Returns the sum of all columns.
  HeatCell Sum() const;
  // Returns the sum of all columns by key range.
  std::vector<HeatCell> ByRange() const;
  // Returns the sum of the columns' `skipped`, for the errors of the sums above.
  uint64_t Skipped() const;
};

// Makes a picture of the slices that end after `since_seconds`.
HeatPicture MakeHeatPicture(const TableSchema& table, const HeatSnapshot& snapshot, HeatAxis axis,
                            int64_t since_seconds);

// A description of the picture's shape in words.
struct HeatShape {
  HeatAxis axis = HeatAxis::kKey;
  HeatMetric metric = HeatMetric::kWrites;  // kReads or kWrites.
  // One of "none", "few", "even", "sequential", "hot keys", "scan", "bands" and "few keys".
  std::string name;
  // A lower bound of the share of operations in `words`; for "even", the share of ranges that have 80 % of operations.
  double share = 0;
  uint64_t operations = 0;
  uint64_t operations_error = 0;  // The true number of operations differs by at most this.
  std::string words;              // "92 % of writes went beyond all keys written before: sequential keys".
};
// Returns the shapes of reads and of writes on the picture's axis.
std::vector<HeatShape> HeatShapesOf(const HeatPicture& picture);

// DrawHeat draws the map as lines of text: the greatest keys at the bottom, time from left to right. A cell is one of
// the characters " .:-=+*#%@". The character depends on the ratio of the cell's value to the greatest value in the map,
// and the last line shows the greatest value. Only operations that are certain make a cell darker.
struct HeatTextOptions {
  HeatMetric metric = HeatMetric::kWrites;
  size_t width = 64, height = 24;  // The greatest numbers of cells.
};
std::vector<std::string> DrawHeat(const HeatPicture& picture, const HeatTextOptions& options);

}  // namespace widerow
