// Converts an Error, which only the internals use, to a Failure of the public API.
#pragma once

#include <string_view>

#include "base/error.h"
#include "widerow/database.h"

namespace widerow {

// Returns the Failure of `error`. The range of `error` refers to `statement`.
Failure ToFailure(const Error& error, std::string_view statement);

}  // namespace widerow
