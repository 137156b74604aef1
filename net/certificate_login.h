// Logins by the certificate that a client has shown during its TLS handshake.
#pragma once

#include <optional>

#include "exec/access/logins.h"
#include "net/tls/tls_session.h"

namespace widerow {

// Returns the role of the client's certificate. nullopt: there is no TLS, no certificate, or the certificate has no
// identity, so the client must log in with a password. kBadCredentials: no role has the identity, or the role may not
// log in. `tls` is the result of ClientStream::tls(). If `known` is not null and still the right user, it is returned
// again, so that a connection with many requests keeps one user. Safe on any thread.
std::optional<Result<UserPtr>> UserOfCertificate(const TlsFacts* tls, const Logins& logins,
                                                 const UserPtr& known = nullptr);

}  // namespace widerow
