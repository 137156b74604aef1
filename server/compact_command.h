// `widerow compact`: what it says while it runs, and at its end. The work is storage/compact.h's.
#pragma once

#include "base/result.h"
#include "server/config.h"

namespace widerow {

Status Compact(const CompactOptions& options);

}  // namespace widerow
