// The password of `--user`: from the environment variable WIDEROW_PASSWORD, or asked for on the terminal without showing it.
#pragma once

#include <string>

#include "base/result.h"

namespace widerow {

// kInvalid if the variable is not set and there is no terminal.
Result<std::string> AskPassword(const std::string& user);

}  // namespace widerow
