// The password for `--user`: from the environment variable WIDEROW_PASSWORD, or typed on the terminal without echo.
#pragma once

#include <string>

#include "base/result.h"

namespace widerow {

// Returns the password. kInvalid if the variable is not set and there is no terminal.
Result<std::string> AskPassword(const std::string& user);

}  // namespace widerow
