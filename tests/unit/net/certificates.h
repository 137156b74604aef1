// The certificates of tests/tls/make_certificates, made once for a test program.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "net/tls/tls_options.h"

namespace widerow {

class Certificates {
 public:
  // Returns the file with the certificate, or the key, of a name such as "server".
  static std::string Pem(const std::string& name) { return Instance().directory_ + "/" + name + ".pem"; }
  static std::string Key(const std::string& name) { return Instance().directory_ + "/" + name + ".key"; }
  // Returns the options of a server with the certificate `name`.
  static TlsOptions For(const std::string& name, ClientCertificates clients = ClientCertificates::kNotAsked) {
    return {.certificate_file = Pem(name),
            .key_file = Key(name),
            .ca_file = clients == ClientCertificates::kNotAsked ? "" : Pem("ca"),
            .client_certificates = clients};
  }

 private:
  Certificates() {
    directory_ = (std::filesystem::temp_directory_path() / "widerow-certificates-XXXXXX").string();
    EXPECT_NE(mkdtemp(directory_.data()), nullptr);
    const std::string script = WR_TEST_DATA "/../tls/make_certificates";
    EXPECT_EQ(std::system((script + " " + directory_).c_str()), 0) << script;
  }
  ~Certificates() { std::filesystem::remove_all(directory_); }
  static const Certificates& Instance() {
    static const Certificates instance;
    return instance;
  }

  std::string directory_;
};

}  // namespace widerow
