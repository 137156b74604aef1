// Checks the Host and Origin headers. A page of another site must not reach a database on localhost, neither by a
// cross-site request (Origin) nor by pointing its own name to 127.0.0.1 (Host).
#pragma once

#include <string_view>

#include "base/result.h"

namespace widerow {

// True if `host`, "name[:port]", is an IP address, localhost, a name below localhost, or `listen`.
bool IsOwnHost(std::string_view host, std::string_view listen);
// True if `origin` is "http://HOST" or "https://HOST" with exactly the host of the Host header.
bool IsOwnOrigin(std::string_view origin, std::string_view host);

}  // namespace widerow
