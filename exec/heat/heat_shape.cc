// Describes the shape of a heat map in words. It recognizes four shapes: even; hot keys (lines along time); sequential
// keys or a scan (diagonals); bands at intervals. It also names maps that are too small to have a shape. Measured holds
// the operations by key range and by slices of equal length; each shape has a test on these numbers. All tests except
// Drift take the errors of the numbers into account.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/text.h"
#include "exec/heat/heat_picture.h"

namespace widerow {
namespace {

constexpr uint64_t kOperationsMin = 20;  // A map with fewer operations has no shape.
constexpr size_t kRangesMin = 8;
// For ADVISE, 64 partition keys or fewer are few (kFewKeys). 64 keys are in about 57 of the 256 token ranges, so a map
// with operations in at most 57 ranges has few keys. It must have a hundred operations for each of the 64 keys.
constexpr size_t kFewPartitionsMax = 57;
constexpr uint64_t kFewPartitionsOperationsMin = 6'400;

std::string Percent(double share) { return std::to_string(static_cast<int>(std::lround(100 * share))) + " %"; }

struct Measured {
  // The newest columns are some seconds long, the oldest some hours. To judge time, all slices must have one length:
  // that of the longest.
  struct Slice {
    uint64_t operations = 0, error = 0;
    double places = 0;  // The sum, over all operations, of the index of the key range.
  };
  std::vector<uint64_t> ranges;     // The certain operations of each key range.
  size_t used = 0;                  // Ranges that surely have operations, or may have over a thousandth of all.
  std::map<int64_t, Slice> slices;  // By slice number since the epoch; slices without operations may be missing.
  uint64_t all = 0, error = 0, appended = 0;

  Measured(const HeatPicture& from, HeatMetric of) {
    const HeatCell sum = from.Sum();
    const uint64_t skipped = from.Skipped();
    all = MetricOf(sum, of);
    error = ErrorOf(sum, of, skipped);
    for (const HeatCell& range : from.ByRange()) {
      ranges.push_back(CertainOf(range, of, skipped));
      const uint64_t most = MetricOf(range, of) + ErrorOf(range, of, skipped);
      used += ranges.back() > 0 || most > all / 1'000 ? 1 : 0;
    }
    int64_t length = 1;
    for (const HeatPicture::Column& column : from.columns) length = std::max<int64_t>(length, column.seconds);
    for (const HeatPicture::Column& column : from.columns) {
      Slice& slice = slices[column.begin_seconds / length];
      slice.operations += MetricOf(column.all, of);
      slice.error += ErrorOf(column.all, of, column.skipped);
      for (size_t i = 0; i < ranges.size(); ++i) {
        slice.places += static_cast<double>(i) * static_cast<double>(MetricOf(column.cells[i], of));
      }
      appended += column.appended;
    }
  }
  // Returns a lower bound of the share that `part` operations have in all operations.
  double ShareOf(uint64_t part) const {
    return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all + error);
  }
};

// Returns the least number of key ranges that have four fifths of all operations.
size_t RangesOfMost(const Measured& measured) {
  std::vector<uint64_t> sorted = measured.ranges;
  std::sort(sorted.rbegin(), sorted.rend());
  uint64_t sum = 0;
  size_t count = 0;
  while (count < sorted.size() && sum * 5 < measured.all * 4) sum += sorted[count++];
  return count;
}

// Returns the correlation of each slice's middle key range with time: near 1 or -1 for a diagonal, 0 if the middle
// hardly moves.
double Drift(const Measured& measured) {
  std::vector<double> middles;
  for (const auto& [number, slice] : measured.slices) {
    if (slice.operations > 0) middles.push_back(slice.places / static_cast<double>(slice.operations));
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

// Counts the bursts: runs of slices with operations, with slices between them that have almost none. If more than a
// third of the slices have operations, the result is 0, unless each burst is one slice long. For example, a shop that
// closes at night has no bursts.
size_t Bursts(const Measured& measured) {
  uint64_t most = 0;
  for (const auto& [number, slice] : measured.slices) {
    most = std::max(most, slice.operations - std::min(slice.operations, slice.error));
  }
  size_t bursts = 0;
  int64_t busy = 0, last_busy = 0;
  for (const auto& [number, slice] : measured.slices) {
    if ((slice.operations + slice.error) * 10 <= most) continue;
    if (busy++ == 0 || number != last_busy + 1) ++bursts;
    last_busy = number;
  }
  const int64_t all = measured.slices.rbegin()->first - measured.slices.begin()->first + 1;
  const bool as_short_as_can_be = busy == static_cast<int64_t>(bursts) && 2 * busy <= all + 1;
  return 3 * busy <= all + 2 || as_short_as_can_be ? bursts : 0;
}

HeatShape ShapeOf(const HeatPicture& picture, HeatMetric metric) {
  const Measured measured(picture, metric);
  const std::string what(HeatMetricName(metric));
  HeatShape shape{
      .axis = picture.axis, .metric = metric, .operations = measured.all, .operations_error = measured.error};
  const auto is = [&](const char* name, double share, std::string words) {
    shape.name = name;
    shape.share = share;
    shape.words = std::move(words);
    return shape;
  };
  if (measured.all == 0) return is("none", 0, "no " + what);
  if (measured.all < kOperationsMin) {
    return is("few", 1, StrCat(measured.all, " ", what, ": too few to tell a shape"));
  }
  const bool by_key = picture.axis == HeatAxis::kKey;
  const double appended = measured.ShareOf(measured.appended);
  if (by_key && metric == HeatMetric::kWrites && appended >= 0.5) {
    return is("sequential", appended,
              Percent(appended) + " of writes went beyond all keys written before: sequential keys");
  }
  const std::string ranges = by_key ? " key ranges" : " token ranges";
  const uint64_t most = *std::max_element(measured.ranges.begin(), measured.ranges.end());
  const size_t keyed = std::min<size_t>(measured.ranges.size(), picture.distinct_keys);
  if (keyed < kRangesMin) {
    return is("few keys", measured.ShareOf(most),
              StrCat("there are only ", keyed, " different keys, the busiest takes ", Percent(measured.ShareOf(most)),
                     " of ", what));
  }
  const double drift = by_key ? Drift(measured) : 0;
  if (std::abs(drift) >= 0.9) {
    return is("scan", 1,
              StrCat(what, " moved through the keys in ", drift > 0 ? "ascending" : "descending", " order",
                     metric == HeatMetric::kWrites ? ": keys that follow time" : ""));
  }
  const size_t few = RangesOfMost(measured);
  const double few_share = static_cast<double>(few) / static_cast<double>(keyed);
  const double busiest = measured.ShareOf(most);
  const double times_its_share = busiest * static_cast<double>(keyed);
  const bool one_is_hot = (busiest >= 0.25 && times_its_share >= 5) || (busiest >= 0.1 && times_its_share >= 10);
  const size_t used = measured.used;
  if (!by_key && busiest < 0.25 && measured.all >= kFewPartitionsOperationsMin && used <= kFewPartitionsMax) {
    return is("few keys", busiest,
              StrCat(what, " fall on ", used, " of ", measured.ranges.size(), ranges, ", the busiest takes ",
                     Percent(busiest), ": few partition keys"));
  }
  if (one_is_hot) {
    return is("hot keys", busiest,
              StrCat("1 of ", keyed, ranges, " takes ", Percent(busiest), " of ", what, ": a hot key"));
  }
  if (few_share <= 0.05 || (few <= 2 && few_share <= 0.25)) {
    return is("hot keys", 0.8,
              StrCat(few, " of ", measured.ranges.size(), ranges, " take 80 % of ", what, ", the busiest ",
                     Percent(measured.ShareOf(most)), ": hot keys"));
  }
  if (const size_t bursts = Bursts(measured); bursts >= 3) {
    return is("bands", 1, StrCat(what, " came in ", bursts, " bursts over all keys: a periodic job"));
  }
  return is("even", few_share,
            StrCat(what, " are spread: ", few, " of ", measured.ranges.size(), ranges, " take 80 %, the busiest ",
                   Percent(measured.ShareOf(most))));
}

}  // namespace

std::vector<HeatShape> HeatShapesOf(const HeatPicture& picture) {
  return {ShapeOf(picture, HeatMetric::kReads), ShapeOf(picture, HeatMetric::kWrites)};
}

}  // namespace widerow
