#include "net/http/metrics_writer.h"

#include <charconv>

namespace widerow {

namespace {

// Upper bounds of a histogram's buckets, as powers of two in microseconds.
constexpr uint32_t kFirstPower = 4, kLastPower = 24;

std::string SecondsOf(uint64_t micros) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, static_cast<double>(micros) / 1e6).ptr};
}

}  // namespace

MetricsWriter& MetricsWriter::Metric(std::string_view name, std::string_view type, std::string_view help) {
  name_ = name;
  out_.append("# HELP ").append(name_).append(" ").append(help).append("\n# TYPE ").append(name_);
  out_.append(" ").append(type).append("\n");
  return *this;
}

MetricsWriter& MetricsWriter::Sample(double value, std::string_view labels, std::string_view suffix) {
  out_.append(name_).append(suffix);
  if (!labels.empty()) out_.append("{").append(labels).append("}");
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  out_.append(" ").append(digits, end).append("\n");
  return *this;
}

void MetricsWriter::Histogram(const LatencyHistogram::Counts& counts, const std::string& label) {
  for (uint32_t power = kFirstPower; power <= kLastPower; ++power) {
    const std::string end = MetricsLabel("le", SecondsOf(uint64_t{1} << power));
    Sample(static_cast<double>(counts.BelowPowerOfTwo(power)), label + "," + end, "_bucket");
  }
  Sample(static_cast<double>(counts.count), label + "," + MetricsLabel("le", "+Inf"), "_bucket");
  Sample(static_cast<double>(counts.total_micros) / 1e6, label, "_sum");
  Sample(static_cast<double>(counts.count), label, "_count");
}

std::string MetricsLabel(std::string_view name, std::string_view value) {
  std::string out(name);
  out += "=\"";
  for (const char c : value) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

}  // namespace widerow
