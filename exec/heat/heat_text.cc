// Draws the heat map as text.
#include <algorithm>
#include <ctime>

#include "base/text.h"
#include "exec/heat/heat_picture.h"

namespace widerow {
namespace {

constexpr std::string_view kShades = " .:-=+*#%@";
constexpr size_t kLabelWidth = 24;

std::string Cut(std::string text) {
  if (text.size() <= kLabelWidth) return text + std::string(kLabelWidth - text.size(), ' ');
  size_t end = kLabelWidth - 1;
  while (end > 0 && (static_cast<uint8_t>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "~" + std::string(kLabelWidth - end - 1, ' ');
}

std::string TimeText(int64_t seconds) {
  char out[32];
  const std::time_t time = seconds;
  std::tm parts{};
  gmtime_r(&time, &parts);
  return {out, std::strftime(out, sizeof out, "%Y-%m-%d %H:%M:%S", &parts)};
}

}  // namespace

std::vector<std::string> DrawHeat(const HeatPicture& picture, const HeatTextOptions& options) {
  const size_t ranges = picture.firsts.size(), slices = picture.columns.size();
  const std::string what(options.metric == HeatMetric::kTime ? "us" : HeatMetricName(options.metric));
  if (slices == 0) return {"nothing has been read or written"};
  const size_t height = std::min(options.height, ranges), width = std::min(options.width, slices);
  std::vector<std::vector<HeatCell>> places(height, std::vector<HeatCell>(width));
  std::vector<uint64_t> skipped(width);
  for (size_t c = 0; c < slices; ++c) {
    skipped[c * width / slices] += picture.columns[c].skipped;
    for (size_t i = 0; i < ranges; ++i) {
      places[i * height / ranges][c * width / slices].Add(picture.columns[c].cells[i]);
    }
  }
  const auto certain = [&](size_t row, size_t column) {
    return CertainOf(places[row][column], options.metric, skipped[column]);
  };
  uint64_t greatest = 0;
  for (size_t row = 0; row < height; ++row) {
    for (size_t column = 0; column < width; ++column) greatest = std::max(greatest, certain(row, column));
  }
  std::vector<std::string> lines;
  for (size_t row = 0; row < height; ++row) {
    const size_t first = (row * ranges + height - 1) / height;
    std::string line = Cut(row == 0 ? "(least)" : picture.firsts[first]) + "|";
    for (size_t column = 0; column < width; ++column) {
      const bool none = MetricOf(places[row][column], options.metric) == 0;
      const size_t dark =
          (certain(row, column) * (kShades.size() - 2) + greatest / 2) / std::max<uint64_t>(greatest, 1);
      line += kShades[none ? 0 : std::min(1 + dark, kShades.size() - 1)];
    }
    lines.push_back(line + "|");
  }
  const HeatPicture::Column& last = picture.columns.back();
  lines.push_back(StrCat(TimeText(picture.columns.front().begin_seconds), " to ",
                         TimeText(last.begin_seconds + last.seconds), " UTC, ", slices,
                         slices == 1 ? " slice" : " slices"));
  const HeatCell sum = picture.Sum();
  const uint64_t error = ErrorOf(sum, options.metric, picture.Skipped());
  lines.push_back(StrCat("@ is ", GroupedDigits(greatest), " ", what, "; ",
                         GroupedDigits(MetricOf(sum, options.metric)), error == 0 ? "" : " ± " + GroupedDigits(error),
                         " in all"));
  return lines;
}

}  // namespace widerow
