// User name and password in the Authorization header (RFC 7617, Basic). The server reads the header, the shell writes
// it.
#pragma once

#include <string>
#include <string_view>

#include "exec/access/logins.h"

namespace widerow {

// Reads the value of the header. kBadCredentials if the header is missing or has another form.
Result<LoginRequest> ReadBasicCredentials(std::string_view header);
// Returns the header's value.
std::string WriteBasicCredentials(const std::string& role, const std::string& password);

}  // namespace widerow
