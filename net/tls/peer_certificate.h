// The facts that the server keeps of a client's certificate after it has verified the certificate.
#pragma once

#include <string>

struct x509_st;

namespace widerow {

struct PeerCertificate {
  std::string subject;  // For messages: "CN = ann, O = Shop".
  // The first URI of the subject's alternative names that begins with "spiffe://", as in Cassandra's
  // SpiffeCertificateValidator. Empty: there is none. ADD IDENTITY gives an identity to a role.
  std::string identity;
};

PeerCertificate ReadPeerCertificate(const x509_st* certificate);

}  // namespace widerow
