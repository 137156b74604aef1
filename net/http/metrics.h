// GET /metrics: counters and gauges of the whole server in Prometheus' text format 0.0.4.
#pragma once

#include <string>

#include "exec/engine/engine.h"

namespace widerow {

class HttpExtension;
class TlsAcceptor;

inline constexpr std::string_view kMetricsContentType = "text/plain; version=0.0.4; charset=utf-8";
// Returns the current values. `tls` is null if the server has no TLS; `extension` may be null too.
std::string MetricsText(Engine& engine, const TlsAcceptor* tls, const HttpExtension* extension);

}  // namespace widerow
