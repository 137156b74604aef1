// Errors as HTTP answers: a status and the JSON object that docs/reference/http.md describes.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "net/http/request.h"

namespace widerow {

// Returns {"error":{"code":…,"name":…,"message":…,…}}. error.range refers to `statement`, which may be empty.
std::string ErrorJson(const Error& error, std::string_view statement);

// Returns the HTTP status for an error code.
unsigned HttpStatusOf(ErrorCode code);
HttpReply ErrorReply(const Error& error, std::string_view statement);
// Returns the reply for an error of the HTTP request itself, not of its CQL.
HttpReply HttpErrorReply(unsigned status, std::string message, std::string hint = {});

}  // namespace widerow
