// `widerow serve`: opens the data, starts the doors, waits for a signal, stops them in reverse order.
#pragma once

#include "base/result.h"
#include "server/config.h"

namespace widerow {

// Returns after SIGINT or SIGTERM. Blocks both in the calling thread and all it starts, so call it from the main thread
// before any other is started.
Status Serve(const ServeOptions& options);

}  // namespace widerow
