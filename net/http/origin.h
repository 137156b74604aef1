// Checks the Host and Origin headers. A page of another site must not reach a database on localhost. The check of
// Origin stops the page's cross-site requests. The check of Host stops the page's requests to its own site's name,
// which may point to 127.0.0.1.
#pragma once

#include <string_view>

#include "base/result.h"

namespace widerow {

// True if `host` is the value of a Host header: "name[:port]", where the name is a host name or an IP address.
bool IsHost(std::string_view host);
// True if `host`, "name[:port]", is an IP address, localhost, a name below localhost, `listen`, or the machine's name.
bool IsOwnHost(std::string_view host, std::string_view listen);
// True if `origin` is "http://HOST" or "https://HOST" with exactly the host of the Host header; false if `host` is
// empty. If the request came with TLS (`secure`), only "https://HOST" counts, because anybody on the network can forge
// a page of http://HOST. Otherwise both count, because a proxy may have removed the TLS.
bool IsOwnOrigin(std::string_view origin, std::string_view host, bool secure);

}  // namespace widerow
