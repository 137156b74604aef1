// Error, as the inside speaks it, to Failure, as the public API does.
#pragma once

#include <string_view>

#include "base/error.h"
#include "widerow/database.h"

namespace widerow {

// `statement` is the text that error.range is about.
Failure ToFailure(const Error& error, std::string_view statement);

}  // namespace widerow
