// Prometheus' text format 0.0.4.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/latency_histogram.h"

namespace widerow {

class MetricsWriter {
 public:
  // Begins a metric with its whole name; its samples must follow.
  MetricsWriter& Metric(std::string_view name, std::string_view type, std::string_view help);
  // Adds a sample. `suffix` is appended to the metric's name; `labels` is the text between the braces.
  MetricsWriter& Sample(double value, std::string_view labels = {}, std::string_view suffix = {});
  template <typename Number>
  void One(std::string_view name, std::string_view type, std::string_view help, Number value) {
    Metric(name, type, help).Sample(static_cast<double>(value));
  }
  // Adds the samples of a histogram of seconds. `label` is its label, from MetricsLabel. The buckets end at powers of
  // two in microseconds, from 16 us to 17 s.
  void Histogram(const LatencyHistogram::Counts& counts, const std::string& label);
  std::string Take() && { return std::move(out_); }

 private:
  std::string name_, out_;
};

// Returns NAME="VALUE", with the characters escaped that need it.
std::string MetricsLabel(std::string_view name, std::string_view value);

// Writes the metrics process_*, which every client library of Prometheus writes: processor time, memory, descriptors.
void WriteProcessMetrics(MetricsWriter& out);

}  // namespace widerow
