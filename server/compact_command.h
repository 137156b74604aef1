// `widerow compact`: shows progress and prints the result. storage/engine/compact.h does the work.
#pragma once

#include "base/result.h"
#include "server/config.h"

namespace widerow {

// Compacts the data directory. After an error the data is unchanged.
Status Compact(const CompactOptions& options);

}  // namespace widerow
