// The shape of a heat map in words. Four shapes that everyone explains (even, hot keys as lines along time, sequential keys and
// scans as diagonals, bands at intervals), and what to call a map that is too small to have one.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "exec/heat/heat_picture.h"

namespace widerow {
namespace {

constexpr uint64_t kOperationsMin = 20;  // Fewer tell nothing.
constexpr size_t kRangesMin = 8;

std::string Percent(double share) { return std::to_string(static_cast<int>(std::lround(100 * share))) + " %"; }

struct Measured {
  const HeatPicture& picture;
  HeatMetric metric;
  std::vector<uint64_t> ranges, columns;  // Operations by key range and by column.
  uint64_t all = 0, appended = 0;

  Measured(const HeatPicture& from, HeatMetric of) : picture(from), metric(of), ranges(from.firsts.size()) {
    for (const HeatPicture::Column& column : from.columns) {
      uint64_t sum = 0;
      for (size_t i = 0; i < ranges.size(); ++i) {
        const uint64_t operations = MetricOf(column.cells[i], of);
        ranges[i] += operations;
        sum += operations;
      }
      columns.push_back(sum);
      all += sum;
      appended += column.appended;
    }
  }
  double ShareOf(uint64_t part) const { return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all); }
};

// How few key ranges have four fifths of all.
size_t RangesOfMost(const Measured& measured) {
  std::vector<uint64_t> sorted = measured.ranges;
  std::sort(sorted.rbegin(), sorted.rend());
  uint64_t sum = 0;
  size_t count = 0;
  while (count < sorted.size() && sum * 5 < measured.all * 4) sum += sorted[count++];
  return count;
}

// How well the middle of each column's operations goes with time: near 1 or -1 on a diagonal. 0 if it hardly moves.
double Drift(const Measured& measured) {
  std::vector<double> middles;
  for (size_t c = 0; c < measured.columns.size(); ++c) {
    if (measured.columns[c] == 0) continue;
    double weighted = 0;
    for (size_t i = 0; i < measured.ranges.size(); ++i) {
      const uint64_t operations = MetricOf(measured.picture.columns[c].cells[i], measured.metric);
      weighted += static_cast<double>(i) * static_cast<double>(operations);
    }
    middles.push_back(weighted / static_cast<double>(measured.columns[c]));
  }
  if (middles.size() < 4) return 0;
  const auto [low, high] = std::minmax_element(middles.begin(), middles.end());
  if (*high - *low < static_cast<double>(measured.ranges.size()) / 4) return 0;
  const auto n = static_cast<double>(middles.size());
  const double mean_time = (n - 1) / 2, mean = std::accumulate(middles.begin(), middles.end(), 0.0) / n;
  double both = 0, of_time = 0, of_middles = 0;
  for (size_t i = 0; i < middles.size(); ++i) {
    const double time = static_cast<double>(i) - mean_time, middle = middles[i] - mean;
    both += time * middle;
    of_time += time * time;
    of_middles += middle * middle;
  }
  return of_middles == 0 ? 0 : both / std::sqrt(of_time * of_middles);
}

// How often it begins again after a time of almost nothing; gaps between columns are such times.
size_t Bursts(const Measured& measured) {
  if (measured.columns.size() < 4) return 0;
  const uint64_t most = *std::max_element(measured.columns.begin(), measured.columns.end());
  size_t bursts = 0;
  bool busy = false;
  int64_t end = 0;
  for (size_t c = 0; c < measured.columns.size(); ++c) {
    const HeatPicture::Column& column = measured.picture.columns[c];
    if (column.begin_seconds > end) busy = false;
    end = column.begin_seconds + column.seconds;
    const bool now = measured.columns[c] * 10 > most;
    bursts += now && !busy ? 1 : 0;
    busy = now;
  }
  return bursts;
}

HeatShape ShapeOf(const HeatPicture& picture, HeatMetric metric) {
  const Measured measured(picture, metric);
  const std::string what(HeatMetricName(metric));
  HeatShape shape{.axis = picture.axis, .metric = metric, .operations = measured.all};
  const auto is = [&](const char* name, double share, std::string words) {
    shape.name = name;
    shape.share = share;
    shape.words = std::move(words);
    return shape;
  };
  if (measured.all == 0) return is("none", 0, "no " + what);
  if (measured.all < kOperationsMin) {
    return is("few", 1, std::to_string(measured.all) + " " + what + ": too few to tell a shape");
  }
  const bool by_key = picture.axis == HeatAxis::kKey;
  const double appended = measured.ShareOf(measured.appended);
  if (by_key && metric == HeatMetric::kWrites && appended >= 0.5) {
    return is("sequential", appended, Percent(appended) + " of writes went beyond all keys written before: sequential keys");
  }
  const std::string ranges = by_key ? " key ranges" : " token ranges";
  const uint64_t most = *std::max_element(measured.ranges.begin(), measured.ranges.end());
  const size_t keyed = std::min<size_t>(measured.ranges.size(), picture.distinct_keys);
  if (keyed < kRangesMin) {
    return is("few keys", measured.ShareOf(most), "there are only " + std::to_string(keyed) +
                                                      " different keys, the busiest takes " + Percent(measured.ShareOf(most)) +
                                                      " of " + what);
  }
  const double drift = by_key ? Drift(measured) : 0;
  if (std::abs(drift) >= 0.9) {
    return is("scan", 1, what + " moved through the keys in " + (drift > 0 ? "ascending" : "descending") + " order");
  }
  const size_t few = RangesOfMost(measured);
  const double few_share = static_cast<double>(few) / static_cast<double>(keyed);
  const double busiest = measured.ShareOf(most);
  if (busiest >= 0.25 && busiest * static_cast<double>(keyed) >= 5) {
    return is("hot keys", busiest, "1 of " + std::to_string(keyed) + ranges + " takes " + Percent(busiest) + " of " + what +
                                       ": a hot key");
  }
  if (few_share <= 0.05 || (few <= 2 && few_share <= 0.25)) {
    return is("hot keys", 0.8, std::to_string(few) + " of " + std::to_string(measured.ranges.size()) + ranges +
                                   " take 80 % of " + what + ", the busiest " + Percent(measured.ShareOf(most)) + ": hot keys");
  }
  if (const size_t bursts = Bursts(measured); bursts >= 3) {
    return is("bands", 1, what + " came in " + std::to_string(bursts) + " bursts over all keys: a periodic job");
  }
  return is("even", few_share, what + " are spread: " + std::to_string(few) + " of " +
                                   std::to_string(measured.ranges.size()) + ranges + " take 80 %, the busiest " +
                                   Percent(measured.ShareOf(most)));
}

}  // namespace

std::vector<HeatShape> HeatShapesOf(const HeatPicture& picture) {
  return {ShapeOf(picture, HeatMetric::kReads), ShapeOf(picture, HeatMetric::kWrites)};
}

}  // namespace widerow
