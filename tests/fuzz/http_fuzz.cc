// Tests HTTP requests with a real database, but without sockets: the parser, the check of the framing, the API and its
// answers. The first byte says how the rest is read: as the bytes of a client that sends several requests, or as the
// body of a request whose head is right. In the second way, a change of one byte reaches the JSON, the statement and
// its values.
#include <boost/beast/http.hpp>

#include "base/check.h"
#include "net/http/basic_credentials.h"
#include "net/http/framing.h"
#include "net/http/http_api.h"
#include "tests/fuzz/fuzz_database.h"
#include "tests/fuzz/fuzz_target.h"

using namespace widerow;
namespace http = boost::beast::http;

namespace {

constexpr uint32_t kHeaderBytesMax = 16u << 10;
constexpr size_t kBodyBytesMax = 20'000;
constexpr int kPartsMax = 50;

using Request = http::request<http::string_body>;

std::string_view View(boost::beast::string_view text) { return {text.data(), text.size()}; }

HttpRequest HeadOf(const Request& message) {
  HttpRequest head;
  head.method = View(message.method_string());
  head.target = View(message.target());
  head.host = View(message[http::field::host]);
  head.content_type = View(message[http::field::content_type]);
  head.accept = View(message[http::field::accept]);
  head.origin = View(message[http::field::origin]);
  head.authorization = View(message[http::field::authorization]);
  head.fetch_site = View(message["Sec-Fetch-Site"]);
  head.has_origin = message.count(http::field::origin) > 0;
  return head;
}

// Reads an answer to its end. A client must be able to read its status and its headers.
void Take(HttpReply reply) {
  WR_CHECK(reply.status >= 200 && reply.status < 600);
  WR_CHECK(reply.content_type.find_first_of("\r\n") == std::string::npos);
  for (const auto& [name, value] : reply.headers) WR_CHECK((name + value).find_first_of("\r\n") == std::string::npos);
  std::string part;
  for (int i = 0; reply.rest != nullptr && i < kPartsMax; ++i) {
    if (reply.rest->Next(part) != BodySource::State::kMore) return;
  }
}

void Answer(HttpApi& api, const Request& message) {
  if (!FramingFault(message).empty()) return;
  HttpRequest request = HeadOf(message);
  (void)ReadBasicCredentials(request.authorization);
  if (std::optional<HttpReply> refusal = api.Refuse(request)) return Take(std::move(*refusal));
  request.body = message.body();
  Take(api.Answer(request));
}

// Reads requests one after the other, as a connection does.
void RunStream(HttpApi& api, std::string_view bytes) {
  while (!bytes.empty()) {
    http::request_parser<http::string_body> parser;
    parser.header_limit(kHeaderBytesMax);
    parser.body_limit(kBodyBytesMax);
    boost::beast::error_code error;
    parser.eager(true);
    while (!parser.is_done() && !bytes.empty() && !error) {
      const size_t taken = parser.put(boost::asio::const_buffer(bytes.data(), bytes.size()), error);
      bytes.remove_prefix(taken);
      if (taken == 0) break;
    }
    if (error || !parser.is_done()) return;
    Answer(api, parser.get());
  }
}

void RunBody(HttpApi& api, uint8_t how, FuzzInput input) {
  static constexpr const char* kTargets[] = {"/v1/query",   "/v1/query", "/v1/query",   "/v1/snapshots",
                                             "/v1/advise?", "/v1/heat?", "/v1/schema?", "/v1/snapshots/"};
  const uint8_t which = how / 2 % 8;
  Request message(which < 4   ? http::verb::post
                  : which < 7 ? http::verb::get
                              : http::verb::delete_,
                  kTargets[which], 11);
  message.set(http::field::host, "127.0.0.1:8042");
  if ((how & 64) != 0) message.set(http::field::accept, std::string(input.Line()));
  if (which < 4) {
    message.set(http::field::content_type, "application/json");
    message.body() = std::string(input.rest());
  } else {
    message.target(kTargets[which] + std::string(input.rest()));
  }
  Answer(api, message);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // Never destroyed, because the database's threads run until the process ends.
  static FuzzDatabase* const database = new FuzzDatabase;
  database->BeginInput();
  HttpApi api(database->engine(), "127.0.0.1:8042", 1, nullptr);
  FuzzInput input(data, size);
  const uint8_t how = input.Byte();
  if ((how & 1) != 0)
    RunBody(api, how, input);
  else
    RunStream(api, input.rest());
  return 0;
}
