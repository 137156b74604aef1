// A table's heat as a picture: what was done in each key range in each slice of time, on one axis for all slices. A plain
// value; maps in text, SVG and JSON, the rows of system_views.heat and the words about its shape are made of it.
#pragma once

#include <string>
#include <vector>

#include "exec/heat/table_heat.h"
#include "types/schema.h"

namespace widerow {

enum class HeatAxis : uint8_t { kKey, kToken };
// "key", "token".
std::string_view HeatAxisName(HeatAxis axis);
std::optional<HeatAxis> HeatAxisFromName(std::string_view name);

enum class HeatMetric : uint8_t { kReads, kWrites, kBytes, kTime };
// "reads", "writes", "bytes", "time".
std::string_view HeatMetricName(HeatMetric metric);
std::optional<HeatMetric> HeatMetricFromName(std::string_view name);
uint64_t MetricOf(const HeatCell& cell, HeatMetric metric);

struct HeatPicture {
  struct Column {
    int64_t begin_seconds = 0;
    int32_t seconds = 0;
    uint64_t appended = 0;        // As HeatSlice has it.
    std::vector<HeatCell> cells;  // By key range.
  };
  HeatAxis axis = HeatAxis::kKey;
  std::vector<std::string> firsts;  // Where each key range begins, for people; the first one is empty.
  uint64_t distinct_keys = 0;       // Different keys met, of rows.
  std::vector<Column> columns;      // Oldest first; slices in which nothing was done are not there.

  // Of all columns and key ranges.
  HeatCell Sum() const;
  // Of all columns, by key range.
  std::vector<HeatCell> ByRange() const;
};

// Slices that end after `since_seconds`.
HeatPicture MakeHeatPicture(const TableSchema& table, const HeatSnapshot& snapshot, HeatAxis axis, int64_t since_seconds);

// What the picture looks like, in words.
struct HeatShape {
  HeatAxis axis = HeatAxis::kKey;
  HeatMetric metric = HeatMetric::kWrites;  // kReads or kWrites.
  // "none", "few", "even", "sequential", "hot keys", "scan", "bands", "few keys".
  std::string name;
  double share = 0;       // Of the operations, that the words are about.
  uint64_t operations = 0;
  std::string words;      // "92 % of writes went beyond all keys written before: sequential keys".
};
// Of reads and writes on each axis.
std::vector<HeatShape> HeatShapesOf(const HeatPicture& picture);

// The map as lines of text, the greatest keys at the bottom, time from left to right: one of " .:-=+*#%@" for each place, each a
// fixed share of the greatest, which the last line names.
struct HeatTextOptions {
  HeatMetric metric = HeatMetric::kWrites;
  size_t width = 64, height = 24;  // At most so many places.
};
std::vector<std::string> DrawHeat(const HeatPicture& picture, const HeatTextOptions& options);

}  // namespace widerow
