#include "shell/tls_client.h"

#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <boost/asio/ip/address.hpp>

#include "base/text.h"

namespace widerow {

namespace {

namespace ssl = boost::asio::ssl;
using boost::system::error_code;

Error Unusable(const char* what, const std::string& path, const error_code& failure) {
  return InvalidError(StrCat("cannot use ", what, " ", path, ": ", failure.message()),
                      "the file must exist and be PEM; a key must have no passphrase");
}

Status ReadFiles(const ClientTls& tls, ssl::context& context) {
  error_code failure;
  if (tls.ca_file.empty()) {
    context.set_default_verify_paths(failure);
    if (failure) return ServerError("cannot find the system's authorities: " + failure.message(), "give --tls-ca FILE");
  } else {
    context.load_verify_file(tls.ca_file, failure);
    if (failure) return Unusable("the authorities' file", tls.ca_file, failure);
  }
  if (tls.certificate_file.empty()) return OkStatus();
  context.use_certificate_chain_file(tls.certificate_file, failure);
  if (failure) return Unusable("the certificate", tls.certificate_file, failure);
  context.use_private_key_file(tls.key_file, ssl::context::pem, failure);
  if (failure) return Unusable("the key", tls.key_file, failure);
  return OkStatus();
}

}  // namespace

Result<std::shared_ptr<ssl::context>> MakeClientContext(const ClientTls& tls) {
  const auto context = std::make_shared<ssl::context>(ssl::context::tls_client);
  SSL_CTX_set_min_proto_version(context->native_handle(), TLS1_2_VERSION);
  error_code failure;
  context->set_password_callback([](size_t, ssl::context::password_purpose) { return std::string(); }, failure);
  if (!failure) context->set_verify_mode(ssl::verify_peer, failure);
  if (failure) return ServerError("TLS cannot be used: " + failure.message());
  WR_RETURN_IF_ERROR(ReadFiles(tls, *context));
  return context;
}

std::string ShakeHands(TlsStream& stream, const std::string& host) {
  SSL* const handle = stream.native_handle();
  X509_VERIFY_PARAM* const rules = SSL_get0_param(handle);
  error_code not_an_address;
  boost::asio::ip::make_address(host, not_an_address);
  const bool ready =
      not_an_address ? SSL_set_tlsext_host_name(handle, host.c_str()) == 1 && SSL_set1_host(handle, host.c_str()) == 1
                     : X509_VERIFY_PARAM_set1_ip_asc(rules, host.c_str()) == 1;
  if (!ready) return "\"" + host + "\" is not a name of a server";
  error_code failure;
  stream.handshake(ssl::stream_base::client, failure);
  if (!failure) return {};
  const long verified = SSL_get_verify_result(handle);
  if (verified == X509_V_OK) return failure.message();
  return StrCat("the server's certificate is refused: ", X509_verify_cert_error_string(verified));
}

}  // namespace widerow
