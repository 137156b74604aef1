// Converts parameters of the public API to bind values of the markers' types.
#pragma once

#include <vector>

#include "base/result.h"
#include "exec/rows/outcome.h"
#include "widerow/database.h"

namespace widerow {

// Fills `values` and reuses its memory. kInvalid if the number of parameters is wrong, or if a parameter is out of the
// range of its type, has a kind that the type does not accept, or is a text that is no value of the type. The error
// names the parameter, its type and the fault.
Status BindParameters(const std::vector<Parameter>& parameters, const std::vector<MarkerSpec>& markers,
                      std::vector<BoundValue>& values);

}  // namespace widerow
