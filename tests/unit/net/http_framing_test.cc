// Tests requests whose length a proxy and a server could understand differently (RFC 9112, section 6). Each request
// must get one right answer, or 400 and the end of the connection. The bytes after such a request must never be
// answered as a request of their own.
#include <string>
#include <vector>

#include "tests/unit/net/http_test.h"

namespace widerow {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kMarker = "GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n";
const std::string kUse = R"({"query": "USE k"})";  // This body has 18 bytes.
const std::string kChunks = "12\r\n" + kUse + "\r\n0\r\n\r\n";

std::string Post(const std::string& headers, const std::string& body) {
  return "POST /v1/query HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n" + body;
}

class HttpFramingTest : public HttpTest {
 protected:
  // Sends the bytes and then the request kMarker. Returns the status of each answer, until the connection ends or
  // kMarker is answered.
  std::vector<int> Statuses(const std::string& bytes) {
    HttpClient client(server_->port());
    client.Send(bytes + kMarker);
    std::vector<int> statuses;
    for (;;) {
      const HttpResponse answer = client.Read();
      if (answer.status == 0) break;
      statuses.push_back(answer.status);
      if (answer.header("connection") == "close") {
        EXPECT_TRUE(client.WaitForClose(5'000));
        break;
      }
      if (answer.body == "ok\n") break;
    }
    return statuses;
  }
};

struct Framing {
  const char* what;
  std::string bytes;
};

TEST_F(HttpFramingTest, UnambiguousRequestsHaveOneAnswer) {
  const std::string json = "Content-Type: application/json\r\n";
  const Framing right[] = {
      {"a length", Post(json + "Content-Length: 18\r\n", kUse)},
      {"a length with zeros before it", Post(json + "Content-Length: 0018\r\n", kUse)},
      {"spaces around the value", Post(json + "Content-Length:  \t18 \t\r\n", kUse)},
      {"chunks", Post(json + "Transfer-Encoding: chunked\r\n", kChunks)},
      {"names of encodings have no case", Post(json + "transfer-encoding: Chunked\r\n", kChunks)},
      {"two chunks",
       Post(json + "Transfer-Encoding: chunked\r\n", "1\r\n{\r\n11\r\n" + kUse.substr(1) + "\r\n000\r\n\r\n")},
      {"an extension of a chunk",
       Post(json + "Transfer-Encoding: chunked\r\n", "12;a=b;c=\"d\"\r\n" + kUse + "\r\n0;e\r\n\r\n")},
      {"a trailer", Post(json + "Transfer-Encoding: chunked\r\n", "12\r\n" + kUse + "\r\n0\r\nX: y\r\n\r\n")},
      {"a trailer with fields that only a head has",
       Post(json + "Transfer-Encoding: chunked\r\n", "12\r\n" + kUse + "\r\n0\r\nHost: evil\r\nAccept: a/b\r\n\r\n")},
      {"a folded line, which counts as a space", Post(json + "X: a\r\n b\r\nContent-Length: 18\r\n", kUse)},
      {"a folded encoding", Post(json + "Transfer-Encoding:\r\n chunked\r\n", kChunks)},
      {"no type", Post("Content-Length: 18\r\n", kUse)},
      {"an empty Host", "POST /v1/query HTTP/1.1\r\nHost:\r\nContent-Length: 18\r\n\r\n" + kUse},
      {"HTTP/1.0 that goes on",
       "POST /v1/query HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 18\r\n\r\n" + kUse},
  };
  for (const Framing& request : right) EXPECT_THAT(Statuses(request.bytes), ElementsAre(200, 200)) << request.what;
  EXPECT_THAT(Statuses("POST /v1/query HTTP/1.0\r\nContent-Length: 18\r\n\r\n" + kUse), ElementsAre(200))
      << "HTTP/1.0 ends the connection";
}

TEST_F(HttpFramingTest, AmbiguousRequestsEndTheConnection) {
  const Framing wrong[] = {
      {"an unknown encoding", Post("Transfer-Encoding: xchunked\r\n", kChunks)},
      {"identity after chunked", Post("Transfer-Encoding: chunked, identity\r\n", kChunks)},
      {"identity before chunked", Post("Transfer-Encoding: identity, chunked\r\n", kChunks)},
      {"identity", Post("Transfer-Encoding: identity\r\n", kChunks)},
      {"another encoding before chunked", Post("Transfer-Encoding: gzip, chunked\r\n", kChunks)},
      {"chunked twice", Post("Transfer-Encoding: chunked, chunked\r\n", kChunks)},
      {"chunked with a parameter", Post("Transfer-Encoding: chunked;a=b\r\n", kChunks)},
      {"chunked in quotes", Post("Transfer-Encoding: \"chunked\"\r\n", kChunks)},
      {"an empty item before chunked", Post("Transfer-Encoding: , chunked\r\n", kChunks)},
      {"an empty item after chunked", Post("Transfer-Encoding: chunked,\r\n", kChunks)},
      {"an empty encoding", Post("Transfer-Encoding:\r\n", kChunks)},
      {"a vertical tab before chunked", Post("Transfer-Encoding: \vchunked\r\n", kChunks)},
      {"two lines of encodings", Post("Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n", kChunks)},
      {"chunked on two lines", Post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", kChunks)},
      {"an encoding before a length", Post("Transfer-Encoding: chunked\r\nContent-Length: 18\r\n", kChunks)},
      {"an encoding after a length", Post("Content-Length: 18\r\nTransfer-Encoding: chunked\r\n", kChunks)},
      {"an unknown encoding and a length", Post("Content-Length: 18\r\nTransfer-Encoding: x\r\n", kUse)},
      {"an encoding in HTTP/1.0",
       "POST /v1/query HTTP/1.0\r\nConnection: keep-alive\r\n"
       "Transfer-Encoding: chunked\r\n\r\n" +
           kChunks},
      {"an encoding of a request without a body", "GET /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: x\r\n\r\n"},
      {"an encoding of a request to nowhere", "GET /nowhere HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: x\r\n\r\n"},
      {"two lengths", Post("Content-Length: 18\r\nContent-Length: 0\r\n", kUse)},
      {"two equal lengths", Post("Content-Length: 18\r\nContent-Length: 18\r\n", kUse)},
      {"a list of lengths", Post("Content-Length: 18, 18\r\n", kUse)},
      {"a list with one length", Post("Content-Length: 18,\r\n", kUse)},
      {"a sign", Post("Content-Length: +18\r\n", kUse)},
      {"a negative length", Post("Content-Length: -18\r\n", kUse)},
      {"a hexadecimal length", Post("Content-Length: 0x12\r\n", kUse)},
      {"a length with a fraction", Post("Content-Length: 18.0\r\n", kUse)},
      {"a length in two words", Post("Content-Length: 1 8\r\n", kUse)},
      {"a folded length", Post("Content-Length: 1\r\n 8\r\n", kUse)},
      {"an empty length", Post("Content-Length:\r\n", kUse)},
      {"a length beyond 64 bits", Post("Content-Length: 18446744073709551634\r\n", kUse)},
      {"a space before the colon", Post("Transfer-Encoding : chunked\r\n", kChunks)},
      {"a tab before the colon", Post("Content-Length\t: 18\r\n", kUse)},
      {"a name without a colon", Post("Content-Length 18\r\n", kUse)},
      {"no name", Post(": 18\r\n", kUse)},
      {"a folded first line", "POST /v1/query HTTP/1.1\r\n Content-Length: 18\r\nHost: localhost\r\n\r\n" + kUse},
      {"a bare LF after a field", Post("Content-Length: 18\nX: y\r\n", kUse)},
      {"a bare LF before a field", Post("X: y\nTransfer-Encoding: chunked\r\n", kChunks)},
      {"a bare CR in a field", Post("X: y\rTransfer-Encoding: chunked\r\n", kChunks)},
      {"a zero byte in a field", Post(std::string("X: a\0b\r\n", 8), "")},
      {"a bare LF after the first line", "GET /healthz HTTP/1.1\nHost: localhost\r\n\r\n"},
      {"bare LFs", "GET /healthz HTTP/1.1\nHost: localhost\n\n"},
      {"a bare LF at the end of the head", "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\n"},
      {"two spaces in the first line", "GET  /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"},
      {"a target with a space", "GET /healthz /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n"},
      {"no version", "GET /healthz\r\nHost: localhost\r\n\r\n"},
      {"another version", "GET /healthz HTTP/1.2\r\nHost: localhost\r\n\r\n"},
      {"no Host", "GET /healthz HTTP/1.1\r\n\r\n"},
      {"two Hosts", "GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n"},
      {"two Hosts in HTTP/1.0", "GET /healthz HTTP/1.0\r\nHost: localhost\r\nHost: localhost\r\n\r\n"},
      {"a malformed Host", "GET /healthz HTTP/1.1\r\nHost: localhost, localhost\r\n\r\n"},
      {"a Host with a user", "GET /healthz HTTP/1.1\r\nHost: localhost@evil\r\n\r\n"},
  };
  for (const Framing& request : wrong) EXPECT_THAT(Statuses(request.bytes), ElementsAre(400)) << request.what;
}

TEST_F(HttpFramingTest, WrongChunksEndTheConnection) {
  const std::string head = "Transfer-Encoding: chunked\r\n";
  const Framing wrong[] = {
      {"a size with a sign", Post(head, "+12\r\n" + kUse + "\r\n0\r\n\r\n")},
      {"a size with 0x", Post(head, "0x12\r\n" + kUse + "\r\n0\r\n\r\n")},
      {"a size that is no number", Post(head, "xy\r\n" + kUse + "\r\n0\r\n\r\n")},
      {"an empty size", Post(head, "\r\n" + kUse + "\r\n0\r\n\r\n")},
      {"a size beyond 64 bits", Post(head, "10000000000000012\r\n" + kUse + "\r\n0\r\n\r\n")},
      {"a size that is too small", Post(head, "11\r\n" + kUse + "\r\n0\r\n\r\n")},
      {"a bare LF after the size", Post(head, "12\n" + kUse + "\r\n0\r\n\r\n")},
      {"a bare LF in an extension", Post(head, "12;a\n" + kUse + "\r\n0\r\n\r\n")},
      {"a bare LF after the chunk", Post(head, "12\r\n" + kUse + "\n0\r\n\r\n")},
      {"a length in the trailer", Post(head, "12\r\n" + kUse + "\r\n0\r\nContent-Length: 5\r\n\r\n")},
      {"an encoding in the trailer", Post(head, "12\r\n" + kUse + "\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n")},
      {"a trailer that is none", Post(head, "12\r\n" + kUse + "\r\n0\r\nGET / HTTP/1.1\r\n\r\n")},
  };
  for (const Framing& request : wrong) EXPECT_THAT(Statuses(request.bytes), ElementsAre(400)) << request.what;
}

TEST_F(HttpFramingTest, EndlessLinesOfChunksAreCutOff) {
  const std::string chunked = "POST /v1/query HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const char* const begin : {"1;", "1\r\n{\r\n0\r\n", "1\r\n{\r\n0\r\nX: "}) {
    const std::string line = begin == std::string("1\r\n{\r\n0\r\n") ? "X: y\r\n" : "yyyyyy";
    HttpClient client(server_->port());
    client.Send(chunked + begin);
    std::string part;
    for (int i = 0; i < 2'000; ++i) part += line;
    size_t sent = 0;
    while (sent < (16u << 20) && !client.HasAnswer() && client.Send(part)) sent += part.size();
    const HttpResponse answer = client.Read();
    EXPECT_EQ(answer.status, 431) << begin;
    EXPECT_THAT(answer.body, HasSubstr("longer than 131072 bytes"));
    EXPECT_LT(sent, 8u << 20) << "the server has not kept what it was sent";
  }
}

TEST_F(HttpFramingTest, OldClientsAreNotAskedToContinue) {
  EXPECT_THAT(Statuses("POST /v1/query HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 18\r\n\r\n" + kUse),
              ElementsAre(200));
}

// In a browser, a page of another site can send a body without a content type, from a Blob. The browser then names the
// origin of the page, or says at least that the page is of another site. The server must refuse such requests.
TEST_F(HttpFramingTest, PagesOfOtherSitesAreRefusedWithoutAType) {
  const std::string length = "Content-Length: 18\r\n";
  EXPECT_THAT(Statuses(Post(length + "Origin: http://localhost\r\n", kUse)), ElementsAre(200, 200));
  EXPECT_THAT(Statuses(Post(length + "Sec-Fetch-Site: same-origin\r\n", kUse)), ElementsAre(200, 200));
  EXPECT_THAT(Statuses(Post(length + "Sec-Fetch-Site: none\r\n", kUse)), ElementsAre(200, 200));
  for (const char* const foreign : {"Origin: http://evil.example\r\n", "Origin: null\r\n", "Origin:\r\n",
                                    "Sec-Fetch-Site: cross-site\r\n", "Sec-Fetch-Site: same-site\r\n"}) {
    EXPECT_THAT(Statuses(Post(length + foreign, kUse)), ElementsAre(403)) << foreign;
  }
  for (const char* const type :
       {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"}) {
    EXPECT_THAT(Statuses(Post(length + "Content-Type: " + type + "\r\n", kUse)), ElementsAre(415)) << type;
  }
  EXPECT_THAT(Statuses("GET /healthz HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\n\r\n"),
              ElementsAre(200))
      << "a link on a page of another site";
}

}  // namespace
}  // namespace widerow
