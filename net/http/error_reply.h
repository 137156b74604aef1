// Failures as HTTP answers: status, and the JSON object that docs/reference/http.md describes.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "net/http/request.h"

namespace widerow {

// {"error":{"code":…,"name":…,"message":…,…}}. `statement` is the text that error.range is about; may be empty.
std::string ErrorJson(const Error& error, std::string_view statement);

// The status that goes with the error's code.
unsigned HttpStatusOf(ErrorCode code);
HttpReply ErrorReply(const Error& error, std::string_view statement);
// What is wrong with the request as HTTP rather than as CQL.
HttpReply HttpErrorReply(unsigned status, std::string message, std::string hint = {});

}  // namespace widerow
