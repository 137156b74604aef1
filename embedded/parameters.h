// Converts parameters of the public API to bind values of the markers' types.
#pragma once

#include <vector>

#include "base/result.h"
#include "exec/rows/outcome.h"
#include "widerow/database.h"

namespace widerow {

// Fills `values`, whose memory is reused. kInvalid names the parameter, its type and the fault: a value out of the
// type's range, a kind that the type does not accept, text that is no value of the type, a wrong number of parameters.
Status BindParameters(const std::vector<Parameter>& parameters, const std::vector<MarkerSpec>& markers,
                      std::vector<BoundValue>& values);

}  // namespace widerow
