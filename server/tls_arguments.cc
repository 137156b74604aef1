#include "server/tls_arguments.h"

#include <CLI/CLI.hpp>
#include <charconv>

namespace widerow {

namespace {

constexpr const char* kSeeServeHelp = "see widerow serve --help";

// Checks --tls-clients, which needs --tls-ca.
Status CheckClientCertificates(const TlsArguments& arguments, ServeOptions& options) {
  const std::string& mode = arguments.clients;
  if (options.tls.ca_file.empty()) {
    if (mode.empty()) return OkStatus();
    return InvalidError("--tls-clients needs --tls-ca FILE",
                        "FILE has the authorities that sign the certificates of clients");
  }
  if (!mode.empty() && mode != "required" && mode != "optional") {
    return InvalidError("--tls-clients must be required or optional, not \"" + mode + "\"", kSeeServeHelp);
  }
  const bool optional = mode == "optional";
  if (!optional && options.security == PortSecurity::kOptional) {
    return InvalidError("with --tls optional, clients connect without a certificate",
                        "add --tls-clients optional, or take --tls required");
  }
  options.tls.client_certificates = optional ? ClientCertificates::kOptional : ClientCertificates::kRequired;
  return OkStatus();
}

}  // namespace

bool ParsePort(const std::string& text, uint16_t& port) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), port);
  return code == std::errc() && end == text.data() + text.size();
}

void DeclareServeTls(CLI::App& serve, TlsArguments& arguments, TlsOptions& options) {
  serve.add_option("--tls-certificate", options.certificate_file);
  serve.add_option("--tls-key", options.key_file);
  serve.add_option("--tls", arguments.mode);
  serve.add_option("--tls-port", arguments.port);
  serve.add_option("--tls-ca", options.ca_file);
  serve.add_option("--tls-clients", arguments.clients);
  serve.add_option("--tls-min", arguments.min);
}

Status CheckServeTls(const TlsArguments& arguments, ServeOptions& options) {
  constexpr uint16_t kTlsPort = 9142;
  if (options.tls.certificate_file.empty() || options.tls.key_file.empty()) {
    const bool none = options.tls.certificate_file.empty() && options.tls.key_file.empty() &&
                      options.tls.ca_file.empty() && arguments.mode.empty() && arguments.port.empty() &&
                      arguments.clients.empty() && arguments.min.empty();
    if (none) return OkStatus();
    return InvalidError("TLS needs --tls-certificate FILE and --tls-key FILE", kSeeServeHelp);
  }
  if (!arguments.mode.empty() && arguments.mode != "required" && arguments.mode != "optional") {
    return InvalidError("--tls must be required or optional, not \"" + arguments.mode + "\"", kSeeServeHelp);
  }
  options.security = arguments.mode == "optional" ? PortSecurity::kOptional : PortSecurity::kTls;
  if (arguments.port != "none") {
    options.tls_port = kTlsPort;
    if (!arguments.port.empty() && !ParsePort(arguments.port, *options.tls_port)) {
      return InvalidError("--tls-port must be a number from 0 to 65535, or none, not \"" + arguments.port + "\"",
                          kSeeServeHelp);
    }
  }
  if (!arguments.min.empty() && arguments.min != "1.2" && arguments.min != "1.3") {
    return InvalidError("--tls-min must be 1.2 or 1.3, not \"" + arguments.min + "\"", kSeeServeHelp);
  }
  options.tls.only_tls13 = arguments.min == "1.3";
  return CheckClientCertificates(arguments, options);
}

void DeclareClientTls(CLI::App& command, ClientTls& tls) {
  command.add_flag("--tls", tls.on);
  command.add_option("--tls-ca", tls.ca_file);
  command.add_option("--tls-certificate", tls.certificate_file);
  command.add_option("--tls-key", tls.key_file);
}

Status CheckClientTls(const ClientTls& tls, bool on_directory, const std::string& see_help) {
  if (!tls.on && !(tls.ca_file.empty() && tls.certificate_file.empty() && tls.key_file.empty())) {
    return InvalidError("--tls-ca, --tls-certificate and --tls-key need --tls", see_help);
  }
  if (tls.on && on_directory) {
    return InvalidError("--tls is for a server: a data directory needs no connection", see_help);
  }
  if (tls.certificate_file.empty() == tls.key_file.empty()) return OkStatus();
  return InvalidError("--tls-certificate and --tls-key belong together", see_help);
}

}  // namespace widerow
