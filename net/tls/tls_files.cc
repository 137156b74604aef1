#include "net/tls/tls_files.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>
#include <sstream>

#include "base/text.h"

namespace widerow {

namespace {

constexpr int64_t kDaySeconds = 86'400, kSoonDays = 14;
// Forward-secret suites with authenticated encryption, for TLS 1.2. All suites of TLS 1.3 are of this kind.
constexpr const char* kTls12Ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20";

using BioPtr = std::unique_ptr<BIO, decltype(&BIO_free)>;
using X509Ptr = std::unique_ptr<X509, decltype(&X509_free)>;
using KeyPtr = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;

std::string OpenSslReason() {
  const char* const reason = ERR_reason_error_string(ERR_peek_last_error());
  std::string text = reason == nullptr ? "unknown error of OpenSSL" : reason;
  ERR_clear_error();
  return text;
}

Result<std::string> ReadFile(const char* what, const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file || text.str().empty()) {
    const std::string reason = errno != 0 ? std::strerror(errno) : "the file is empty";
    return ServerError(StrCat("cannot read ", what, " ", path, ": ", reason),
                       "the file must exist, and the user that runs the server must be able to read it");
  }
  return text.str();
}

BioPtr Open(const std::string& pem) { return {BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())), BIO_free}; }

// OpenSSL would ask at the terminal for a passphrase. With this function it fails instead.
int NoPassphrase(char*, int, int, void* asked) {
  *static_cast<bool*>(asked) = true;
  return -1;
}

// Calls `take` for each certificate of the file.
template <typename Take>
Status ReadCertificates(const char* what, const std::string& path, const Take& take) {
  WR_ASSIGN_OR_RETURN(const std::string pem, ReadFile(what, path));
  const BioPtr text = Open(pem);
  size_t count = 0;
  for (;; ++count) {
    const X509Ptr certificate(PEM_read_bio_X509(text.get(), nullptr, nullptr, nullptr), X509_free);
    if (certificate == nullptr) break;
    if (!take(certificate.get())) { return ServerError(StrCat("cannot use ", what, " ", path, ": ", OpenSslReason())); }
  }
  const bool at_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  if (at_end && count > 0) {
    ERR_clear_error();
    return OkStatus();
  }
  return ServerError(StrCat(what, " ", path, at_end ? " has no certificate" : " is damaged: " + OpenSslReason()),
                     "the file must be PEM: blocks that begin with -----BEGIN CERTIFICATE-----");
}

Result<KeyPtr> ReadKey(const std::string& path) {
  WR_ASSIGN_OR_RETURN(const std::string pem, ReadFile("the key", path));
  const BioPtr text = Open(pem);
  bool asked = false;
  KeyPtr key(PEM_read_bio_PrivateKey(text.get(), nullptr, NoPassphrase, &asked), EVP_PKEY_free);
  if (key != nullptr) return key;
  const std::string reason = OpenSslReason();
  if (asked) {
    return ServerError(StrCat("the key ", path, " has a passphrase, which nobody could type when the server starts"),
                       StrCat("write it without one: openssl pkey -in ", path, " -out NEW_FILE"));
  }
  return ServerError(StrCat("the key ", path, " has no usable private key: ", reason),
                     "the file must be PEM: a block that begins with -----BEGIN PRIVATE KEY-----");
}

int64_t UnixTime(const ASN1_TIME* time) {
  std::tm parts{};
  return ASN1_TIME_to_tm(time, &parts) == 1 ? static_cast<int64_t>(timegm(&parts)) : 0;
}

std::string Day(int64_t seconds) {
  const std::time_t time = seconds;
  std::tm parts{};
  char text[64] = {};
  gmtime_r(&time, &parts);
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &parts);
  return text;
}

void WarnOfTimes(const X509* certificate, const std::string& path, int64_t now, TlsFiles& files) {
  const int64_t begins = UnixTime(X509_get0_notBefore(certificate));
  files.certificate_ends = UnixTime(X509_get0_notAfter(certificate));
  if (files.certificate_ends < now) {
    files.warnings.push_back(StrCat("the certificate ", path, " expired on ", Day(files.certificate_ends),
                                    "; clients that check it will refuse to connect"));
  } else if (files.certificate_ends < now + kSoonDays * kDaySeconds) {
    files.warnings.push_back(StrCat("the certificate ", path, " expires on ", Day(files.certificate_ends)));
  }
  if (begins > now) {
    files.warnings.push_back(StrCat("the certificate ", path, " is valid from ", Day(begins),
                                    " only; clients that check it will refuse to connect until then"));
  }
}

void WarnOfPermissions(const std::string& path, TlsFiles& files) {
  struct stat facts {};
  if (stat(path.c_str(), &facts) == 0 && (facts.st_mode & S_IRWXO) != 0) {
    files.warnings.push_back(
        StrCat("the key ", path, " can be read or changed by every user of this machine: chmod o-rwx ", path,
               "; the server's user must own the file, or be in its group and be able to read it"));
  }
}

void SetRules(SSL_CTX* context, const TlsOptions& options) {
  SSL_CTX_set_min_proto_version(context, options.only_tls13 ? TLS1_3_VERSION : TLS1_2_VERSION);
  SSL_CTX_set_cipher_list(context, kTls12Ciphers);
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  // Every connection has a full handshake. A resumed session would not check the client's certificate again, and would
  // still be accepted after its authority was removed.
  SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
  SSL_CTX_set_num_tickets(context, 0);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
  if (options.client_certificates == ClientCertificates::kNotAsked) return;
  const bool required = options.client_certificates == ClientCertificates::kRequired;
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | (required ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0), nullptr);
}

Status ReadAuthorities(SSL_CTX* context, const std::string& path) {
  return ReadCertificates("the authorities' file", path, [&](X509* certificate) {
    return X509_STORE_add_cert(SSL_CTX_get_cert_store(context), certificate) == 1 &&
           SSL_CTX_add_client_CA(context, certificate) == 1;
  });
}

}  // namespace

Result<TlsFiles> ReadTlsFiles(const TlsOptions& options, int64_t now_seconds) {
  ERR_clear_error();
  TlsFiles files;
  files.context.reset(SSL_CTX_new(TLS_server_method()), SSL_CTX_free);
  SSL_CTX* const context = files.context.get();
  if (context == nullptr) return ServerError("OpenSSL cannot be used: " + OpenSslReason());
  SetRules(context, options);

  bool is_first = true;
  const std::string& path = options.certificate_file;
  WR_RETURN_IF_ERROR(ReadCertificates("the certificate", path, [&](X509* certificate) {
    if (!std::exchange(is_first, false)) return SSL_CTX_add1_chain_cert(context, certificate) == 1;
    WarnOfTimes(certificate, path, now_seconds, files);
    return SSL_CTX_use_certificate(context, certificate) == 1;
  }));
  WR_ASSIGN_OR_RETURN(const KeyPtr key, ReadKey(options.key_file));
  if (X509_check_private_key(SSL_CTX_get0_certificate(context), key.get()) != 1) {
    ERR_clear_error();
    return ServerError(StrCat("the key ", options.key_file, " does not belong to the certificate ", path),
                       "the first certificate of the file must be the server's own, and the key must be its key");
  }
  if (SSL_CTX_use_PrivateKey(context, key.get()) != 1) {
    return ServerError(StrCat("cannot use the key ", options.key_file, ": ", OpenSslReason()));
  }
  WarnOfPermissions(options.key_file, files);
  if (!options.ca_file.empty()) WR_RETURN_IF_ERROR(ReadAuthorities(context, options.ca_file));
  return files;
}

}  // namespace widerow
