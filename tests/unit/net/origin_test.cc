#include "net/http/origin.h"

#include <gtest/gtest.h>

#include "net/text/base64url.h"

namespace widerow {
namespace {

TEST(OriginTest, HostsOfThisMachine) {
  for (const char* host : {"localhost", "LOCALHOST:8042", "localhost.:80", "db.localhost", "127.0.0.1",
                           "127.0.0.1:8042", "[::1]", "[::1]:8042", "192.168.1.7:1", "db.example"}) {
    EXPECT_TRUE(IsOwnHost(host, "db.example")) << host;
  }
}

TEST(OriginTest, ForeignAndMalformedHosts) {
  for (const char* host :
       {"", "example.com", "example.com:8042", "localhost.example.com", "xlocalhost", "127.0.0.1.example.com", "[::1",
        "[::1]x", "localhost:80x", "localhost:8042:1", "127.0.0.1@example.com", ".", "1.2.3"}) {
    EXPECT_FALSE(IsOwnHost(host, "127.0.0.1")) << host;
  }
}

TEST(OriginTest, ValuesOfHostHeaders) {
  for (const char* host : {"localhost", "db.example:8042", "127.0.0.1:", "[::1]:80", "a_b.c~d", "xn--bcher-kva.de."}) {
    EXPECT_TRUE(IsHost(host)) << host;
  }
  for (const char* host : {"", ":80", "a b", "a@b", "a/b", "[::1", "[::1]x", "[127.0.0.1]", "[localhost]", "a:b",
                           "a:80:1", "\"a\"", "a\tb",
                           "b\xC3\xBC"
                           "cher"}) {
    EXPECT_FALSE(IsHost(host)) << host;
  }
}

TEST(OriginTest, OriginMustBeTheHost) {
  EXPECT_TRUE(IsOwnOrigin("http://localhost:8042", "localhost:8042", false));
  EXPECT_TRUE(IsOwnOrigin("HTTP://LocalHost", "localhost:80", false));
  EXPECT_TRUE(IsOwnOrigin("https://localhost", "localhost", false));
  for (const char* origin : {"null", "", "http://localhost", "http://localhost:8043", "http://evil.example", "file://",
                             "localhost:8042", "http://localhost:8042.evil.example"}) {
    EXPECT_FALSE(IsOwnOrigin(origin, "localhost:8042", false)) << origin;
  }
  EXPECT_FALSE(IsOwnOrigin("http://", "", false));
}

TEST(Base64UrlTest, RoundTripsAndRefuses) {
  for (size_t size = 0; size < 40; ++size) {
    Bytes bytes, back;
    for (size_t i = 0; i < size; ++i) bytes.push_back(static_cast<char>(i * 83 + 250));
    const std::string text = EncodeBase64Url(bytes);
    EXPECT_EQ(text.find_first_of("+/="), std::string::npos);
    ASSERT_TRUE(DecodeBase64Url(text, back));
    EXPECT_EQ(back, bytes);
  }
  Bytes out;
  EXPECT_EQ(EncodeBase64Url("\xFB\xFF"), "-_8");
  EXPECT_TRUE(DecodeBase64Url("-_8=", out));
  for (const char* text : {"a", "a b=", "+/8", "abcde", "\xC3\xA9"}) EXPECT_FALSE(DecodeBase64Url(text, out)) << text;
}

}  // namespace
}  // namespace widerow
