// The storage behind an engine, for tests that look at stored rows or change limits. Programs get it as const.
#pragma once

#include "exec/engine/engine.h"

namespace widerow {

inline StorageEngine& StorageOf(Engine& engine) { return const_cast<StorageEngine&>(engine.storage()); }

}  // namespace widerow
