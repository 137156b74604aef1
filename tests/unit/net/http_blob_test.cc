// /v1/blob over real sockets: uploads in parts, ranges, refusals, and what an aborted upload leaves.
#include "net/http/blob_handler.h"
#include "storage/statistics.h"
#include "tests/unit/net/http_test.h"

namespace widerow {
namespace {

using ::testing::HasSubstr;

constexpr const char* kFilm = "/v1/blob/k/files/data?key=[7]";

std::string Letters(size_t size, char seed = 'a') {
  std::string bytes(size, '\0');
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(seed + i * 31 % 251 + i / 65'536);
  return bytes;
}

class HttpBlobTest : public HttpTest {
 protected:
  void SetUp() override {
    HttpTest::SetUp();
    MustCql("CREATE TABLE files (id int PRIMARY KEY, name text, data longblob, small varbinary(10))");
  }
  static std::string Head(const std::string& method, const std::string& target, const std::string& headers = {}) {
    return method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n";
  }
  HttpResponse Put(const std::string& target, const std::string& body) {
    return Raw(Head("PUT", target, "Content-Length: " + std::to_string(body.size()) + "\r\n") + body);
  }
  HttpResponse Get(const std::string& target, const std::string& headers = {}) {
    return Raw(Head("GET", target, headers));
  }
  // Waits until no value is being written, and nothing waits to be swept.
  void WaitUntilNothingIsLoose() {
    for (int tries = 0; Loose() > 0 && tries < 300; ++tries) usleep(100'000);
    EXPECT_EQ(Loose(), 0u);
  }
  uint64_t Loose() { return engine_->storage().Statistics().large_objects_loose; }
};

TEST_F(HttpBlobTest, ValuesOfEverySizeComeBack) {
  for (const size_t size : {0, 1, 1'000, 262'124, 262'125, 5'000'000}) {
    const std::string value = Letters(size);
    const HttpResponse put = Put(kFilm, value);
    EXPECT_EQ(put.status, 200) << put.body;
    EXPECT_EQ(put.body, "{\"bytes\":" + std::to_string(size) + "}\n");
    const HttpResponse get = Get(kFilm);
    EXPECT_EQ(get.status, 200);
    EXPECT_TRUE(get.body == value) << size;
    EXPECT_EQ(get.header("content-type"), "application/octet-stream");
    EXPECT_EQ(get.header("content-length"), std::to_string(size));
    EXPECT_EQ(get.header("accept-ranges"), "bytes");
  }
  EXPECT_EQ(engine_->storage().Statistics().large_objects_written, 2u) << "only long values are stored in pieces";
}

TEST_F(HttpBlobTest, ABodyInChunksAndAConnectionThatGoesOn) {
  const std::string value = Letters(700'000);
  std::string request = Head("PUT", kFilm, "Transfer-Encoding: chunked\r\n");
  for (size_t at = 0; at < value.size(); at += 70'000) request += "11170\r\n" + value.substr(at, 70'000) + "\r\n";
  HttpClient client(server_->port());
  client.Send(request + "0\r\n\r\n");
  EXPECT_EQ(client.Read().status, 200);
  client.Send(Head("GET", kFilm));
  EXPECT_TRUE(client.Read().body == value);
  client.Send(Head("HEAD", kFilm));
  const HttpResponse head = client.Read(true);
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.header("content-length"), "700000");
  client.Send(Head("PUT", kFilm, "Expect: 100-continue\r\nContent-Length: 3\r\n"));
  EXPECT_EQ(client.Read(true).status, 100);
  client.Send("abc");
  EXPECT_EQ(client.Read().status, 200);
  EXPECT_EQ(client.Get(kFilm).body, "abc");
}

TEST_F(HttpBlobTest, Ranges) {
  const std::string value = Letters(1'000'000);
  ASSERT_EQ(Put(kFilm, value).status, 200);
  struct Case {
    const char* range;
    size_t from, count;
  };
  for (const Case& c : {Case{"bytes=0-0", 0, 1}, Case{"bytes=262123-262125", 262'123, 3},
                        Case{"bytes=999999-", 999'999, 1}, Case{"bytes=500000-5000000", 500'000, 500'000},
                        Case{"bytes=-10", 999'990, 10}, Case{"bytes=-5000000", 0, 1'000'000}}) {
    const HttpResponse get = Get(kFilm, std::string("Range: ") + c.range + "\r\n");
    EXPECT_EQ(get.status, 206) << c.range;
    EXPECT_TRUE(get.body == value.substr(c.from, c.count)) << c.range;
    EXPECT_EQ(get.header("content-range"),
              "bytes " + std::to_string(c.from) + "-" + std::to_string(c.from + c.count - 1) + "/1000000");
  }
  for (const char* ignored : {"bytes=5-1", "bytes=a-b", "bytes=0-1,5-6", "lines=1-2", "bytes=-", "bytes="}) {
    EXPECT_EQ(Get(kFilm, std::string("Range: ") + ignored + "\r\n").status, 200) << ignored;
  }
  for (const char* outside : {"bytes=1000000-", "bytes=1000000-1000001", "bytes=-0"}) {
    const HttpResponse get = Get(kFilm, std::string("Range: ") + outside + "\r\n");
    EXPECT_EQ(get.status, 416) << outside;
    EXPECT_EQ(get.header("content-range"), "bytes */1000000");
  }
  const std::string tag = Get(kFilm).header("etag");
  EXPECT_EQ(Get(kFilm, "Range: bytes=0-9\r\nIf-Range: " + tag + "\r\n").status, 206);
  ASSERT_EQ(Put(kFilm, value).status, 200);
  EXPECT_EQ(Get(kFilm, "Range: bytes=0-9\r\nIf-Range: " + tag + "\r\n").status, 200) << "the value was written again";
  HttpClient client(server_->port());
  client.Send(Head("HEAD", kFilm, "Range: bytes=0-9\r\n"));
  EXPECT_EQ(client.Read(true).header("content-length"), "1000000") << "HEAD has no ranges";
}

TEST_F(HttpBlobTest, TheTagTellsValuesOfOneTimestampApart) {
  const std::string target = std::string(kFilm) + "&timestamp=5";
  for (const size_t size : {8, 600'000}) {  // A value in the row, and one in pieces.
    ASSERT_EQ(Put(target, std::string(size, 'a')).status, 200);
    const std::string tag = Get(kFilm).header("etag");
    const std::string headers = "Range: bytes=4-7\r\nIf-Range: " + tag + "\r\n";
    EXPECT_EQ(Get(kFilm, headers).body, "aaaa");
    ASSERT_EQ(Put(target, std::string(size, 'b')).status, 200);
    const HttpResponse get = Get(kFilm, headers);
    EXPECT_EQ(get.status, 200) << size;
    EXPECT_TRUE(get.body == std::string(size, 'b')) << "of two values with one timestamp, the greater one stays";
    EXPECT_NE(get.header("etag"), tag);
    MustCql("TRUNCATE files");
  }
}

TEST_F(HttpBlobTest, CqlSeesTheSameValue) {
  MustCql("INSERT INTO files (id, name) VALUES (7, 'film')");
  ASSERT_EQ(Put(std::string(kFilm) + "&timestamp=1000&ttl=5000", Letters(600'000)).status, 200);
  EXPECT_THAT(MustCql("SELECT name, WRITETIME(data), TTL(data) FROM files"), HasSubstr("[[\"film\",1000,"));
  const std::string selected = MustCql("SELECT data FROM files WHERE id = 7");
  EXPECT_GT(selected.size(), 1'200'000u);
  EXPECT_THAT(MustCql("SELECT count(*) FROM files WHERE data = 0x00 ALLOW FILTERING"), HasSubstr("[[0]]"));
  MustCql("UPDATE files SET data = 0x616263 WHERE id = 7");
  EXPECT_EQ(Get(kFilm).body, "abc") << "a value that CQL has written";
  MustCql("DELETE data FROM files WHERE id = 7");
  EXPECT_EQ(Get(kFilm).status, 404);
}

TEST_F(HttpBlobTest, KeysAndNames) {
  MustCql("CREATE TABLE \\\"Ab\\\" (p text, c timestamp, \\\"V w\\\" longblob, PRIMARY KEY (p, c))");
  const std::string path = "/v1/blob/k/Ab/V%20w?key=";
  ASSERT_EQ(Put(path + R"(["a%26b","2026-01-02"])", "one").status, 200);
  EXPECT_EQ(Get(path + R"({"c":"2026-01-02T00:00:00Z","p":"a%26b"})").body, "one");
  EXPECT_EQ(Get(path + R"(["other","2026-01-02"])").status, 404);
}

TEST_F(HttpBlobTest, RefusalsComeBeforeTheBody) {
  MustCql("CREATE TABLE others (id int PRIMARY KEY, s text, l list<int>)");
  MustCql("CREATE TABLE statics (p int, c int, s longblob static, PRIMARY KEY (p, c))");
  struct Case {
    const char* target;
    int status;
    const char* message;
  };
  for (const Case& c : {Case{"/v1/blob/k/files/data", 400, "the key of the row is missing"},
                        Case{"/v1/blob/k/files?key=[7]", 400, "does not name a column"},
                        Case{"/v1/blob/k/none/data?key=[7]", 404, "no table k.none"},
                        Case{"/v1/blob/k/files/none?key=[7]", 404, "has no column none"},
                        Case{"/v1/blob/k/files/data?key=[7,8]", 400, "the key has 2 values and must have 1"},
                        Case{"/v1/blob/k/files/data?key=7", 400, "must be a JSON array or object"},
                        Case{"/v1/blob/k/files/data?key=[\"x\"]", 400, "parameter 2 (int)"},
                        Case{"/v1/blob/k/files/data?key={\"name\":\"x\"}", 400, "name"},
                        Case{"/v1/blob/k/files/data?key=[7]&ttl=x", 400, "ttl must be a whole number"},
                        Case{"/v1/blob/k/files/data?key=[7]&ttl=1&ttl=2", 400, "ttl is unknown or given twice"},
                        Case{"/v1/blob/k/files/data?key=[7]&timestamp=1&timestamp=1", 400, "timestamp is unknown or"},
                        Case{"/v1/blob/k/files/data?key=[7]&size=1", 400, "parameter size is unknown"},
                        Case{"/v1/blob/k/files/small?key=[7]", 400, "0 markers of type longblob"},
                        Case{"/v1/blob/k/others/s?key=[7]", 400, "0 markers of type longblob"},
                        Case{"/v1/blob/k/statics/s?key={\"p\":7}", 400, "into a static column"}}) {
    // The client has announced a body and sends none: a server that waits for it would not answer.
    const HttpResponse put = Raw(Head("PUT", c.target, "Content-Length: 100\r\n"));
    EXPECT_EQ(put.status, c.status) << c.target << put.body;
    EXPECT_THAT(put.body, HasSubstr(c.message)) << c.target;
  }
  const HttpResponse long_body = Raw(Head("PUT", kFilm, "Content-Length: 536870913\r\n"));
  EXPECT_EQ(long_body.status, 413);
  EXPECT_THAT(long_body.body, HasSubstr("536870912"));
  EXPECT_EQ(Raw(Head("POST", kFilm, "Content-Length: 0\r\n")).status, 405);
  EXPECT_EQ(Raw(Head("POST", "/v1/query", "Content-Length: 67108865\r\n")).status, 413);
  EXPECT_EQ(Get("/v1/blob/k/others/s?key=[7]").status, 400) << "only values of blobs can be read in parts";
}

TEST_F(HttpBlobTest, AnAbortedUploadLeavesNothing) {
  ASSERT_EQ(Put(kFilm, "old").status, 200);
  const auto pages = [&] {
    const auto usage = engine_->storage().Usage();
    return usage->pages - usage->free_pages;
  };
  const uint64_t before = pages();
  for (int i = 0; i < 3; ++i) {
    {
      HttpClient client(server_->port());
      client.Send(Head("PUT", kFilm, "Content-Length: 20000000\r\n") + Letters(9'000'000));
      for (int tries = 0; pages() < before + 2'000 && tries < 500; ++tries) usleep(20'000);
      EXPECT_GE(pages(), before + 2'000) << "pieces are stored while the body arrives";
      EXPECT_EQ(Loose(), 1u);
    }
    WaitUntilNothingIsLoose();
  }
  EXPECT_EQ(Get(kFilm).body, "old");
  EXPECT_LT(pages(), before + 100);
}

TEST_F(HttpBlobTest, AReaderSeesOneValueWhileOthersWrite) {
  const std::string old = Letters(40'000'000);
  ASSERT_EQ(Put(kFilm, old).status, 200);
  HttpClient slow(server_->port());
  slow.Send(Head("GET", kFilm));  // The answer does not fit into the buffers of the sockets.
  ASSERT_EQ(Put(kFilm, Letters(1'000'000, 'z')).status, 200);
  ASSERT_TRUE(engine_->Flush().ok());
  usleep(1'500'000);  // Time for the sweeper.
  EXPECT_TRUE(slow.Read().body == old);
  WaitUntilNothingIsLoose();
}

TEST_F(HttpBlobTest, ADroppedTableEndsTheAnswerBeforeItsLength) {
  ASSERT_EQ(Put(kFilm, Letters(40'000'000)).status, 200);
  HttpClient slow(server_->port());
  slow.Send(Head("GET", kFilm));
  usleep(300'000);
  MustCql("DROP TABLE files");
  ASSERT_TRUE(engine_->Flush().ok());
  usleep(2'500'000);
  const HttpResponse answer = slow.Read();
  EXPECT_EQ(answer.status, 200);
  EXPECT_FALSE(answer.complete);
}

TEST_F(HttpBlobTest, ATableThatIsMadeAgainDuringAnUpload) {
  HttpClient client(server_->port());
  client.Send(Head("PUT", kFilm, "Expect: 100-continue\r\nContent-Length: 6\r\n"));
  ASSERT_EQ(client.Read(true).status, 100);
  MustCql("DROP TABLE files");
  MustCql("CREATE TABLE files (id text PRIMARY KEY, data longblob)");
  client.Send("abcdef");
  const HttpResponse put = client.Read();
  EXPECT_EQ(put.status, 400) << put.body;
  EXPECT_THAT(put.body, HasSubstr("write the value again"));
}

TEST_F(HttpBlobTest, AViewIsNotReadInParts) {
  MustCql(
      "CREATE MATERIALIZED VIEW named AS SELECT * FROM files WHERE name IS NOT NULL AND id IS NOT NULL "
      "PRIMARY KEY (name, id)");
  const HttpResponse get = Get("/v1/blob/k/named/data?key=[\"film\",7]");
  EXPECT_EQ(get.status, 400);
  EXPECT_THAT(get.body, HasSubstr("from the base table k.files"));
}

TEST_F(HttpBlobTest, UploadsCountInTheMemoryOfAllClients) {
  Start({.port = 0, .total_bytes_max = 4u << 20});
  const HttpResponse put = Put(kFilm, Letters(5'000'000));
  EXPECT_EQ(put.status, 503) << put.body;
}

TEST(ReadRangeTest, BytesOfABody) {
  EXPECT_FALSE(ReadRange("", 10));
  EXPECT_FALSE(ReadRange("bytes=99999999999999999999-", 10)) << "no number";
  EXPECT_EQ(ReadRange("bytes=3-3", 10)->from, 3u);
  EXPECT_EQ(ReadRange("bytes=0-", 0)->count, 0u);
}

}  // namespace
}  // namespace widerow
