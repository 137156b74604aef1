// exp, log and log10 of decimals and varints. The result has 32 digits. If the argument has more, the result has as
// many as the argument, up to 100. Pure functions.
#pragma once

#include "base/result.h"
#include "types/decimal.h"

namespace widerow::functions {

enum class Transcendent : uint8_t { kExp, kLog, kLog10 };

// Returns the result. Errors: the logarithm of a number that is not positive, and results that overflow.
Result<Decimal> ExactTranscendent(Transcendent function, const Decimal& value);

}  // namespace widerow::functions
