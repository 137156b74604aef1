// The heat map as SVG, without scripts and external styles, so it can be saved and embedded in a page. HeatSvg merges
// the picture's columns into at most kColumnsMax (Drawn), then draws cells, labels and the legend.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>

#include "net/http/heat_handler.h"

namespace widerow {
namespace {

constexpr int kLeft = 190, kTop = 56, kWidth = 720, kHeight = 512, kLegend = 110;
constexpr size_t kColumnsMax = 180, kLabels = 16;

std::string Escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '&': out += "&amp;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;  // Labels contain no control characters.
    }
  }
  return out;
}

template <typename... Arguments>
void Append(std::string& out, const char* format, Arguments... arguments) {
  char text[512];
  const int size = std::snprintf(text, sizeof text, format, arguments...);
  out.append(text, static_cast<size_t>(std::clamp(size, 0, static_cast<int>(sizeof text) - 1)));
}

std::string TimeText(int64_t seconds) {
  char out[32];
  const std::time_t time = seconds;
  std::tm parts{};
  gmtime_r(&time, &parts);
  return {out, std::strftime(out, sizeof out, "%m-%d %H:%M:%S", &parts)};
}

// Returns a color from pale yellow over red to almost black; `share` is relative to the greatest value.
std::string ColorOf(double share) {
  const double x = std::sqrt(std::clamp(share, 0.0, 1.0));  // The square root makes small values visible.
  const auto part = [](double value) { return static_cast<int>(std::clamp(value, 0.0, 255.0)); };
  char out[16];
  std::snprintf(out, sizeof out, "#%02x%02x%02x", part(x < 0.6 ? 255 : 255 - 460 * (x - 0.6)), part(235 - 330 * x),
                part(160 - 300 * x));
  return out;
}

const char* UnitOf(HeatMetric metric) {
  switch (metric) {
    case HeatMetric::kReads: return "reads";
    case HeatMetric::kWrites: return "writes";
    case HeatMetric::kBytes: return "bytes";
    case HeatMetric::kTime: return "us";
  }
  return "";
}

// The picture's columns. Neighbors are merged if there would be too many to draw.
struct Drawn {
  std::vector<std::vector<HeatCell>> columns;  // For each drawn column, its cells by key range.
  std::vector<uint64_t> skipped;               // For each drawn column, the sum of HeatPicture::Column::skipped.
  std::vector<std::pair<int64_t, int64_t>> times;
  uint64_t greatest = 0;  // The greatest number (minus its error) of all cells.

  Drawn(const HeatPicture& picture, HeatMetric metric) {
    const size_t count = std::min(picture.columns.size(), kColumnsMax);
    columns.assign(count, std::vector<HeatCell>(picture.firsts.size()));
    times.resize(count);
    skipped.resize(count);
    for (size_t c = 0; c < picture.columns.size(); ++c) {
      const HeatPicture::Column& column = picture.columns[c];
      const size_t to = c * count / picture.columns.size();
      if (times[to].first == 0) times[to].first = column.begin_seconds;
      times[to].second = column.begin_seconds + column.seconds;
      skipped[to] += column.skipped;
      for (size_t i = 0; i < column.cells.size(); ++i) columns[to][i].Add(column.cells[i]);
    }
    for (size_t c = 0; c < count; ++c) {
      for (const HeatCell& cell : columns[c]) greatest = std::max(greatest, CertainOf(cell, metric, skipped[c]));
    }
  }
};

void DrawCells(const HeatPicture& picture, const Drawn& drawn, HeatMetric metric, std::string& out) {
  const double width = static_cast<double>(kWidth) / static_cast<double>(drawn.columns.size());
  const double height = static_cast<double>(kHeight) / static_cast<double>(picture.firsts.size());
  for (size_t c = 0; c < drawn.columns.size(); ++c) {
    const std::vector<HeatCell>& column = drawn.columns[c];
    for (size_t i = 0; i < column.size(); ++i) {
      const uint64_t number = MetricOf(column[i], metric), error = ErrorOf(column[i], metric, drawn.skipped[c]);
      if (number == 0) continue;
      const double share = static_cast<double>(CertainOf(column[i], metric, drawn.skipped[c])) /
                           static_cast<double>(std::max<uint64_t>(drawn.greatest, 1));
      Append(out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"><title>",
             kLeft + static_cast<double>(c) * width, kTop + static_cast<double>(i) * height, width + 0.3, height + 0.3,
             ColorOf(share).c_str());
      out += Escaped(picture.firsts[i].empty() ? "(least)" : picture.firsts[i]) + " …, " +
             TimeText(drawn.times[c].first) + ": " + std::to_string(number) +
             (error == 0 ? "" : " ± " + std::to_string(error)) + " " + UnitOf(metric) + "</title></rect>\n";
    }
  }
}

void DrawLabels(const HeatPicture& picture, const Drawn& drawn, std::string& out) {
  const size_t ranges = picture.firsts.size();
  for (size_t label = 0; label < std::min(kLabels, ranges); ++label) {
    const size_t i = label * ranges / std::min(kLabels, ranges);
    std::string text = picture.firsts[i].empty() ? "(least)" : picture.firsts[i];
    if (text.size() > 28) {
      size_t end = 27;
      while (end > 0 && (static_cast<uint8_t>(text[end]) & 0xC0) == 0x80) --end;
      text = text.substr(0, end) + "…";
    }
    Append(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", kLeft - 6,
           kTop + 9 + static_cast<double>(i) * kHeight / static_cast<double>(ranges));
    out += Escaped(text) + "</text>\n";
  }
  if (drawn.times.empty()) return;
  Append(out, "<text x=\"%d\" y=\"%d\">%s UTC</text>\n", kLeft, kTop + kHeight + 16,
         TimeText(drawn.times.front().first).c_str());
  Append(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s UTC</text>\n", kLeft + kWidth, kTop + kHeight + 16,
         TimeText(drawn.times.back().second).c_str());
}

// Draws the numbers for the colors, so that a quiet table does not look like a busy one.
void DrawLegend(const Drawn& drawn, HeatMetric metric, std::string& out) {
  constexpr int kSteps = 5;
  for (int step = 0; step <= kSteps && drawn.greatest > 0; ++step) {
    const double share = static_cast<double>(kSteps - step) / kSteps;
    const int y = kTop + 20 * step;
    Append(out, "<rect x=\"%d\" y=\"%d\" width=\"14\" height=\"18\" fill=\"%s\"/>", kLeft + kWidth + 14, y,
           step == kSteps ? "#ffffff" : ColorOf(share).c_str());
    Append(out, "<text x=\"%d\" y=\"%d\">%.0f</text>\n", kLeft + kWidth + 34, y + 13,
           std::round(share * static_cast<double>(drawn.greatest)));
  }
  Append(out, "<text x=\"%d\" y=\"%d\">%s</text>\n", kLeft + kWidth + 14, kTop + 20 * kSteps + 34, UnitOf(metric));
}

}  // namespace

std::string HeatSvg(const TableSchema& table, const HeatPicture& picture, HeatMetric metric) {
  const Drawn drawn(picture, metric);
  const int width = kLeft + kWidth + kLegend, height = kTop + kHeight + 30;
  std::string out;
  Append(out,
         "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
         "font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
         width, height, width, height);
  out += "<text x=\"8\" y=\"20\" font-size=\"15\">" + Escaped(table.keyspace + "." + table.name) + ": " +
         std::string(HeatMetricName(metric)) + " by " + std::string(HeatAxisName(picture.axis)) + " and time</text>\n";
  int y = 36;
  for (const HeatShape& shape : HeatShapesOf(picture)) {
    Append(out, "<text x=\"8\" y=\"%d\">", y);
    out += Escaped(shape.words) + "</text>\n";
    y += 14;
  }
  Append(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#fafafa\" stroke=\"#999999\"/>\n", kLeft, kTop,
         kWidth, kHeight);
  DrawCells(picture, drawn, metric, out);
  DrawLabels(picture, drawn, out);
  DrawLegend(drawn, metric, out);
  return out + "</svg>\n";
}

}  // namespace widerow
