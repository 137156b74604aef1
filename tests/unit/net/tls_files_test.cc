// Tests what an operator is told about the files of TLS, and the order in which the handshake pool serves addresses.
#include "net/tls/tls_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <ctime>
#include <fstream>
#include <future>

#include "net/tls/handshake_pool.h"
#include "tests/unit/net/certificates.h"
#include "tests/unit/scratch_engine.h"

namespace widerow {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class TlsFilesTest : public ::testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& text) {
    const std::string path = directory_.path().string() + "/" + name;
    std::ofstream(path) << text;
    return path;
  }
  static std::string ErrorOf(const TlsOptions& options) {
    const Result<TlsFiles> files = ReadTlsFiles(options, std::time(nullptr));
    EXPECT_FALSE(files.ok());
    return files.ok() ? "" : files.error().message + " hint: " + files.error().hint;
  }
  static std::vector<std::string> WarningsOf(const TlsOptions& options, int64_t now = std::time(nullptr)) {
    Result<TlsFiles> files = ReadTlsFiles(options, now);
    EXPECT_TRUE(files.ok()) << files.error().message;
    return files.ok() ? files->warnings : std::vector<std::string>();
  }

  ScratchDirectory directory_;
};

TEST_F(TlsFilesTest, ErrorsNameTheFileAndTheReason) {
  const TlsOptions good = Certificates::For("server");
  TlsOptions options = good;
  options.certificate_file = "/nowhere/server.pem";
  EXPECT_THAT(ErrorOf(options),
              HasSubstr("cannot read the certificate /nowhere/server.pem: No such file or directory"));
  options.certificate_file = Write("empty", "");
  EXPECT_THAT(ErrorOf(options), HasSubstr("/empty: the file is empty"));
  options.certificate_file = good.key_file;
  EXPECT_THAT(ErrorOf(options), HasSubstr(good.key_file + " has no certificate hint: the file must be PEM"));
  options.certificate_file = Write("bad", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
  EXPECT_THAT(ErrorOf(options), HasSubstr("/bad is damaged"));

  options = good;
  options.key_file = "/nowhere/server.key";
  EXPECT_THAT(ErrorOf(options), HasSubstr("cannot read the key /nowhere/server.key: No such file or directory"));
  options.key_file = good.certificate_file;
  EXPECT_THAT(ErrorOf(options), HasSubstr("has no usable private key"));
  options.key_file = Certificates::Key("ann");
  EXPECT_THAT(ErrorOf(options), HasSubstr("does not belong to the certificate " + good.certificate_file));
  options.key_file = directory_.path().string() + "/locked";
  ASSERT_EQ(
      std::system(
          ("openssl pkey -aes256 -passout pass:secret -in " + good.key_file + " -out " + options.key_file).c_str()),
      0);
  EXPECT_THAT(ErrorOf(options), HasSubstr("has a passphrase"));
  EXPECT_THAT(ErrorOf(options), HasSubstr("openssl pkey -in"));

  options = Certificates::For("server", ClientCertificates::kRequired);
  options.ca_file = "/nowhere/ca.pem";
  EXPECT_THAT(ErrorOf(options), HasSubstr("cannot read the authorities' file /nowhere/ca.pem"));
  options.ca_file = Certificates::Key("ca");
  EXPECT_THAT(ErrorOf(options), HasSubstr("has no certificate"));
}

TEST_F(TlsFilesTest, WarnsOfTimesAndPermissions) {
  EXPECT_THAT(WarningsOf(Certificates::For("server")), IsEmpty());
  EXPECT_THAT(WarningsOf(Certificates::For("expired")), ElementsAre(HasSubstr("expired.pem expired on 20")));
  const int64_t day = 86'400;
  EXPECT_THAT(WarningsOf(Certificates::For("server"), std::time(nullptr) + 20 * day),
              ElementsAre(HasSubstr("server.pem expires on 20")));
  EXPECT_THAT(WarningsOf(Certificates::For("server"), std::time(nullptr) - 2 * day),
              ElementsAre(HasSubstr("is valid from 20")));

  TlsOptions options = Certificates::For("server");
  options.key_file = directory_.path().string() + "/key";
  std::filesystem::copy_file(Certificates::Key("server"), options.key_file);
  ASSERT_EQ(chmod(options.key_file.c_str(), 0640), 0);
  EXPECT_THAT(WarningsOf(options), IsEmpty());
  ASSERT_EQ(chmod(options.key_file.c_str(), 0644), 0);
  EXPECT_THAT(WarningsOf(options), ElementsAre(AllOf(HasSubstr("can be read or changed by every user"),
                                                     HasSubstr("chmod o-rwx " + options.key_file + "; "))));
}

TEST(HandshakePoolTest, AddressesTakeTurns) {
  std::string order;
  std::promise<void> begun, go;
  {
    HandshakePool pool(1);
    pool.Run("flood", [&] {
      begun.set_value();
      go.get_future().wait();
    });
    begun.get_future().wait();
    for (int i = 0; i < 5; ++i) pool.Run("flood", [&] { order += 'f'; });
    pool.Run("ann", [&] { order += 'a'; });
    pool.Run("bob", [&] { order += 'b'; });
    go.set_value();
  }
  EXPECT_EQ(order, "fabffff") << "the destructor runs what waits";
}

}  // namespace
}  // namespace widerow
