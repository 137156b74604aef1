// A name and a password in the Authorization header (RFC 7617, Basic): as the server reads it and the shell writes it.
#pragma once

#include <string>
#include <string_view>

#include "exec/access/logins.h"

namespace widerow {

// kBadCredentials if the header is missing or something else.
Result<LoginRequest> ReadBasicCredentials(std::string_view header);
std::string WriteBasicCredentials(const std::string& role, const std::string& password);

}  // namespace widerow
