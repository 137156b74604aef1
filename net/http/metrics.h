// What GET /metrics answers: counters and gauges of the whole server as Prometheus reads them, text format 0.0.4.
#pragma once

#include <string>

#include "exec/engine.h"

namespace widerow {

inline constexpr std::string_view kMetricsContentType = "text/plain; version=0.0.4; charset=utf-8";
// As they are now.
std::string MetricsText(Engine& engine);

}  // namespace widerow
