// Logins by the certificate that a client has shown during its TLS handshake.
#pragma once

#include <optional>

#include "exec/access/logins.h"
#include "net/tls/tls_session.h"

namespace widerow {

// Returns the user to whom the client's certificate belongs. nullopt: there is no TLS, no certificate, or the
// certificate has no identity, so the client must log in with a password. kBadCredentials: no role has the identity, or
// the role may not log in. `tls` is the result of ClientStream::tls(). If `known` is the same user, `known` itself is
// returned, so all requests of a connection share one object. Safe on any thread.
std::optional<Result<UserPtr>> UserOfCertificate(const TlsFacts* tls, const Logins& logins,
                                                 const UserPtr& known = nullptr);

}  // namespace widerow
