// `widerow serve`: opens the data, starts the native and the HTTP server, waits for a signal, and stops in reverse
// order.
#pragma once

#include "base/result.h"
#include "server/config.h"

namespace widerow {

// Returns after SIGINT or SIGTERM. With TLS, SIGHUP reads the certificate again. Serve blocks these signals in the
// calling thread and in all threads that it starts, so the main thread must call it before it starts any other thread.
Status Serve(const ServeOptions& options);

}  // namespace widerow
