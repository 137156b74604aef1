// The content of a PreparedQuery.
#pragma once

#include "exec/engine/engine.h"
#include "widerow/database.h"

namespace widerow {

struct PreparedQuery::State {
  PreparedPtr statement;
};

}  // namespace widerow
