// GET /metrics: counters and gauges of the whole server in Prometheus' text format 0.0.4.
#pragma once

#include <string>

#include "exec/engine/engine.h"

namespace widerow {

inline constexpr std::string_view kMetricsContentType = "text/plain; version=0.0.4; charset=utf-8";
// Returns the current values.
std::string MetricsText(Engine& engine);

}  // namespace widerow
