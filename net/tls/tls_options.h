// The files and rules of TLS, as an operator chooses them.
#pragma once

#include <cstdint>
#include <string>

namespace widerow {

// Says whether the server asks clients for certificates. A certificate that a client sends must always be valid.
enum class ClientCertificates : uint8_t { kNotAsked, kOptional, kRequired };

// The connections that a port accepts.
enum class PortSecurity : uint8_t {
  kPlain,     // Only connections without TLS.
  kOptional,  // Connections with and without TLS. The first bytes of a connection tell which it is.
  kTls,       // Only connections with TLS. Others get an error in their own protocol.
};

struct TlsOptions {
  std::string certificate_file;  // PEM: the server's certificate, then those of its issuers. Empty: there is no TLS.
  std::string key_file;          // PEM, without a passphrase.
  std::string ca_file;           // PEM: the authorities that sign the certificates of clients.
  ClientCertificates client_certificates = ClientCertificates::kNotAsked;
  bool only_tls13 = false;  // False: TLS 1.2 and 1.3.
};

}  // namespace widerow
