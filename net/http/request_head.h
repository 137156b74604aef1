// Reads heads of requests, as Beast has parsed them.
#pragma once

#include <boost/beast/core/error.hpp>
#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/message.hpp>
#include <optional>
#include <string_view>

#include "net/http/request.h"

namespace widerow {

// The most bytes of a request's head.
inline constexpr uint32_t kHttpHeaderBytesMax = 16u << 10;

// Returns the value of a header; empty if there is none. Borrows from `head`.
std::string_view HeaderValue(const boost::beast::http::header<true>& head, boost::beast::http::field name);
// Returns a request with the fields that come from the head. Borrows from `head`.
HttpRequest HeadOf(const boost::beast::http::header<true>& head);

// Returns the answer to bytes that are no valid request; nullopt if the client is gone or too slow.
std::optional<HttpReply> ReplyToUnreadable(const boost::beast::error_code& code, size_t body_bytes_max);
HttpReply NoMemoryReply();

}  // namespace widerow
