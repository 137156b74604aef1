// Parameters of the public API as bind values: each takes the type of its marker, or is refused.
#pragma once

#include <vector>

#include "base/result.h"
#include "exec/outcome.h"
#include "widerow/database.h"

namespace widerow {

// Fills `values`, whose memory is used again. kInvalid names the parameter, its type and what is wrong: a value out of the
// type's range, a kind that the type does not take, text that is not a value of it, the wrong number of parameters.
Status BindParameters(const std::vector<Parameter>& parameters, const std::vector<MarkerSpec>& markers,
                      std::vector<BoundValue>& values);

}  // namespace widerow
