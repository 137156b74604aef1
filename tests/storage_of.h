// Returns the storage of an engine. Tests need it to look at stored rows and to change limits. Other code gets the
// storage only as const.
#pragma once

#include "exec/engine/engine.h"

namespace widerow {

inline StorageEngine& StorageOf(Engine& engine) { return const_cast<StorageEngine&>(engine.storage()); }

}  // namespace widerow
