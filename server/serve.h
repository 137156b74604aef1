// `widerow serve`: opens the data, starts the native server, the HTTP server and the HBase servers that the options
// name, waits for a signal, and stops in reverse order.
#pragma once

#include "base/result.h"
#include "server/config.h"

namespace widerow {

// Returns after SIGINT or SIGTERM. It blocks signals (server/signals.h), so the main thread must call it before it
// starts any other thread. If it fails and has logged the error on standard error, it sets `told` to true.
Status Serve(const ServeOptions& options, bool& told);

}  // namespace widerow
