// Which Host and Origin headers are ours. A page of another site must not reach a database on localhost, neither by a
// cross-site request (Origin) nor by rebinding its own name to 127.0.0.1 (Host).
#pragma once

#include <string_view>

#include "base/result.h"

namespace widerow {

// `host` is "name[:port]": an IP literal, localhost or a name below it, or `listen`.
bool IsOwnHost(std::string_view host, std::string_view listen);
// `origin` is "http://HOST" or "https://HOST" with the very host of the Host header.
bool IsOwnOrigin(std::string_view origin, std::string_view host);

}  // namespace widerow
