// exp, log and log10 of decimals and varints: 32 digits, or as many as the number has, up to 100.
#pragma once

#include "base/result.h"
#include "types/decimal.h"

namespace widerow::functions {

enum class Transcendent : uint8_t { kExp, kLog, kLog10 };

// kInvalid for the logarithm of what is not positive, and for a result without bounds.
Result<Decimal> ExactTranscendent(Transcendent function, const Decimal& value);

}  // namespace widerow::functions
