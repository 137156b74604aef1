#include "exec/heat/heat_picture.h"

#include <algorithm>
#include <array>

#include "exec/heat/heat_key.h"
#include "storage/format/key_codec.h"

namespace widerow {
namespace {

constexpr std::array<std::string_view, 2> kAxisNames = {"key", "token"};
constexpr std::array<std::string_view, 4> kMetricNames = {"reads", "writes", "bytes", "time"};

template <typename Enum, size_t kCount>
std::optional<Enum> FromName(std::string_view name, const std::array<std::string_view, kCount>& names) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

std::string TokenText(const Bytes& first) {
  Bytes position = first;
  position.resize(sizeof(uint64_t));
  return std::to_string(TokenOfPosition(position));
}

}  // namespace

std::string_view HeatAxisName(HeatAxis axis) { return kAxisNames[static_cast<size_t>(axis)]; }
std::optional<HeatAxis> HeatAxisFromName(std::string_view name) { return FromName<HeatAxis>(name, kAxisNames); }
std::string_view HeatMetricName(HeatMetric metric) { return kMetricNames[static_cast<size_t>(metric)]; }
std::optional<HeatMetric> HeatMetricFromName(std::string_view name) { return FromName<HeatMetric>(name, kMetricNames); }

uint64_t MetricOf(const HeatCell& cell, HeatMetric metric) {
  switch (metric) {
    case HeatMetric::kReads: return cell.reads;
    case HeatMetric::kWrites: return cell.writes;
    case HeatMetric::kBytes: return cell.bytes;
    case HeatMetric::kTime: return cell.micros;
  }
  return 0;
}

uint64_t ErrorOf(const HeatCell& cell, HeatMetric metric, uint64_t skipped) {
  if (metric == HeatMetric::kReads) return cell.ReadsError(skipped);
  return metric == HeatMetric::kWrites ? cell.WritesError() : 0;
}

uint64_t CertainOf(const HeatCell& cell, HeatMetric metric, uint64_t skipped) {
  const uint64_t number = MetricOf(cell, metric);
  return number - std::min(number, ErrorOf(cell, metric, skipped));
}

HeatCell HeatPicture::Sum() const {
  HeatCell sum;
  for (const Column& column : columns) sum.Add(column.all);
  return sum;
}

std::vector<HeatCell> HeatPicture::ByRange() const {
  std::vector<HeatCell> sums(firsts.size());
  for (const Column& column : columns) {
    for (size_t i = 0; i < sums.size(); ++i) sums[i].Add(column.cells[i]);
  }
  return sums;
}

uint64_t HeatPicture::Skipped() const {
  uint64_t skipped = 0;
  for (const Column& column : columns) skipped += column.skipped;
  return skipped;
}

namespace {

// Limits writes_guessed: the true number of rows written in a range is between 0 and the number written in the whole
// slice.
void LimitGuesses(std::vector<HeatCell>& cells) {
  uint64_t writes = 0;
  for (const HeatCell& cell : cells) writes += cell.writes;
  for (HeatCell& cell : cells) {
    cell.writes_guessed = std::min(cell.writes_guessed, std::max(cell.writes, writes - cell.writes));
  }
}

}  // namespace

HeatPicture MakeHeatPicture(const TableSchema& table, const HeatSnapshot& snapshot, HeatAxis axis,
                            int64_t since_seconds) {
  HeatPicture picture{.axis = axis, .distinct_keys = snapshot.distinct_keys};
  const KeyAxis& to = axis == HeatAxis::kKey ? *snapshot.axis : *TokenAxis();
  for (const Bytes& first : to.firsts()) {
    picture.firsts.push_back(first.empty()            ? ""
                             : axis == HeatAxis::kKey ? OrderedKeyText(table, first)
                                                      : TokenText(first));
  }
  for (const HeatSlice& slice : snapshot.slices) {
    if (slice.begin_seconds + slice.seconds <= since_seconds) continue;
    HeatPicture::Column column{.begin_seconds = slice.begin_seconds,
                               .seconds = slice.seconds,
                               .appended = slice.appended,
                               .skipped = slice.skipped,
                               .cells = std::vector<HeatCell>(to.size())};
    if (axis == HeatAxis::kToken) {
      (void)AddEncodedCells(slice.by_token, column.cells);
    } else if (slice.axis == snapshot.axis) {
      (void)AddEncodedCells(slice.by_key, column.cells);
    } else {
      std::vector<HeatCell> cells(slice.axis->size());
      (void)AddEncodedCells(slice.by_key, cells);
      Project({*slice.axis, cells, slice.low, slice.high}, to, column.cells);
      LimitGuesses(column.cells);
    }
    std::vector<HeatCell> by_token(kHeatBuckets);
    (void)AddEncodedCells(slice.by_token, by_token);
    for (const HeatCell& cell : by_token) column.all.Add(cell);
    picture.columns.push_back(std::move(column));
  }
  return picture;
}

}  // namespace widerow
