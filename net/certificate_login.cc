#include "net/certificate_login.h"

namespace widerow {

std::optional<Result<UserPtr>> UserOfCertificate(const TlsFacts* tls, const Logins& logins, const UserPtr& known) {
  if (tls == nullptr || !tls->client || tls->client->identity.empty()) return std::nullopt;
  return logins.LoginByIdentity(tls->client->identity, known);
}

}  // namespace widerow
