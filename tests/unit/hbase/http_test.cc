// The HTTP form of HBase's operations, without sockets.
#include "net/hbase/http/hbase_http.h"
#include "net/http/metrics_writer.h"
#include "net/http/request.h"
#include "tests/unit/hbase/hbase_test.h"

namespace widerow::hbase {
namespace {

class HttpTest : public HBaseTest {
 protected:
  HttpReply Send(std::string_view method, std::string_view path, std::string_view query = {},
                 std::string_view body = {}, std::string_view accept = {}) {
    return http_->Answer({.method = method, .accept = accept, .body = body}, path, query);
  }
  // Sends a request. Returns the status and the body of the answer.
  std::string Ask(std::string_view method, std::string_view path, std::string_view query = {},
                  std::string_view body = {}) {
    const HttpReply reply = Send(method, path, query, body);
    return std::to_string(reply.status) + " " + reply.body;
  }

  Services services_{*engine_, {.host = "127.0.0.1", .port = 16'020, .start_code = 1}};
  const std::unique_ptr<HttpExtension> http_ = MakeHttpExtension(services_);
};

TEST_F(HttpTest, CellsOfARow) {
  Create({{.name = "f", .attributes = {{"VERSIONS", "3"}}}});
  EXPECT_EQ(Ask("PUT", "t/row%2F1/f:q", "timestamp=5", "old"), "200 {}\n");
  EXPECT_EQ(Ask("PUT", "t/row%2F1/f:q", "timestamp=6", "new"), "200 {}\n");
  EXPECT_EQ(Ask("PUT", "t/row%2F1/f:p+1", "timestamp=5", "x"), "200 {}\n");
  EXPECT_EQ(
      Ask("GET", "t/row%2F1", "versions=2&column=f:q"),
      "200 {\"row\":\"row/1\",\"cells\":[{\"family\":\"f\",\"qualifier\":\"q\",\"timestamp\":6,\"value\":\"new\"},"
      "{\"family\":\"f\",\"qualifier\":\"q\",\"timestamp\":5,\"value\":\"old\"}]}\n");
  EXPECT_THAT(Ask("GET", "t/row%2F1", "filter=ValueFilter(%3D,'binary:x')"), ::testing::HasSubstr("\"p+1\""));
  EXPECT_THAT(Ask("GET", "t/row%2F1", "from=5&to=6&column=f:q"), ::testing::HasSubstr("\"old\""));
  const HttpReply raw = Send("GET", "t/726F772F31/f:71", "encoding=hex", {}, "application/octet-stream");
  EXPECT_EQ(raw.body, "new");
  EXPECT_THAT(raw.headers, ::testing::Contains(::testing::Pair("Widerow-Timestamp", "6")));
  EXPECT_EQ(Ask("DELETE", "t/row%2F1/f:q"), "200 {}\n");
  EXPECT_THAT(Ask("GET", "t/row%2F1/f:q"), ::testing::StartsWith("404 "));
  EXPECT_EQ(Ask("DELETE", "t/row%2F1"), "200 {}\n");
  EXPECT_THAT(Ask("GET", "t/row%2F1"), ::testing::StartsWith("404 "));
}

TEST_F(HttpTest, ScansAndBatches) {
  Create({{.name = "f", .attributes = {}}});
  EXPECT_EQ(
      Ask("POST", "t", {}, R"({"batch": [
      {"row": "a", "put": [{"family": "f", "qualifier": "q", "timestamp": 1, "value": "1"}]},
      {"row": "b", "put": [{"family": "f", "qualifier": "q", "timestamp": 1, "value": "2"}]},
      {"row": "b", "append": [{"family": "f", "qualifier": "r", "timestamp": 1, "value": "3"}]},
      {"row": "c", "put": [{"family": "f", "qualifier": "q", "timestamp": 1, "value": "4"}]}]})"),
      "200 {\"results\":[{\"row\":\"a\",\"cells\":[]},{\"row\":\"b\",\"cells\":[]},{\"row\":\"b\",\"cells\":["
      "{\"family\":\"f\",\"qualifier\":\"r\",\"timestamp\":1,\"value\":\"3\"}]},{\"row\":\"c\",\"cells\":[]}]}\n");
  EXPECT_THAT(Ask("POST", "t", {}, R"({"scan": {"limit": 2, "columns": ["f:q"]}})"),
              ::testing::AllOf(::testing::HasSubstr("\"2\""), ::testing::HasSubstr("\"next_after\":\"b\""),
                               ::testing::Not(::testing::HasSubstr("\"3\""))));
  EXPECT_THAT(Ask("POST", "t", {}, R"x({"scan": {"after": "b", "filter": "KeyOnlyFilter()"}})x"),
              ::testing::StartsWith("200 {\"rows\":[{\"row\":\"c\",\"cells\":[{\"family\":\"f\",\"qualifier\":\"q\","
                                    "\"timestamp\":1,\"value\":\"\"}]}]"));
  EXPECT_THAT(Ask("POST", "t", {}, R"({"scan": {"prefix": "b", "reversed": true}})"),
              ::testing::AllOf(::testing::HasSubstr("\"b\""), ::testing::Not(::testing::HasSubstr("\"c\""))));
}

TEST_F(HttpTest, BoundsAndPrefixOfAScanMeet) {
  Create({{.name = "f"}});
  for (const char* row : {"a", "p", "p1", "p2", "q"}) Put(row, "q", 1, "v");
  const auto rows = [&](const char* scan) {
    std::string text = Ask("POST", "t", {}, std::string("{\"scan\": ") + scan + "}"), found;
    for (size_t at = 0; (at = text.find("\"row\":\"", at)) != std::string::npos;) {
      at += 7;
      found += text.substr(at, text.find('"', at) - at) + " ";
    }
    return found;
  };
  EXPECT_EQ(rows(R"({"prefix": "p"})"), "p p1 p2 ");
  EXPECT_EQ(rows(R"({"prefix": "p", "after": "a"})"), "p p1 p2 ");
  EXPECT_EQ(rows(R"({"prefix": "p", "after": "p"})"), "p1 p2 ");
  EXPECT_EQ(rows(R"({"after": "p", "start": "b"})"), "p1 p2 q ");
  EXPECT_EQ(rows(R"({"start": "p1", "after": "p"})"), "p1 p2 q ");
  EXPECT_EQ(rows(R"({"reversed": true, "after": "p1", "start": "p2"})"), "p a ");
  EXPECT_EQ(rows(R"({"prefix": "p", "stop": "p2"})"), "p p1 ");
  EXPECT_EQ(rows(R"({"prefix": "p", "stop": "q"})"), "p p1 p2 ");
  EXPECT_EQ(rows(R"({"prefix": "p", "reversed": true})"), "p2 p1 p ");
  EXPECT_EQ(rows(R"({"prefix": "p", "reversed": true, "after": "q"})"), "p2 p1 p ");
  EXPECT_EQ(rows(R"({"prefix": "p", "reversed": true, "after": "p2"})"), "p1 p ");
  EXPECT_EQ(rows(R"({"prefix": "p", "reversed": true, "stop": "a"})"), "p2 p1 p ");
}

TEST_F(HttpTest, AmountsAreWholeNumbers) {
  Create({{.name = "f"}});
  const auto increment = [&](const char* amount) {
    return Ask("POST", "t", {},
               std::string(R"({"encoding": "hex", "batch": [{"row": "72", "increment": )") +
                   R"([{"family": "f", "qualifier": "6e", "amount": )" + amount + "}]}]}");
  };
  EXPECT_THAT(increment("9223372036854775807"), ::testing::HasSubstr("\"7fffffffffffffff\""));
  EXPECT_THAT(increment("-9223372036854775808"), ::testing::HasSubstr("\"ffffffffffffffff\""));
  for (const char* wrong : {"1e3", "1.5", "9223372036854775808", "-9223372036854775809", "\"1\"", "true"}) {
    EXPECT_THAT(increment(wrong), ::testing::AllOf(::testing::StartsWith("400 "), ::testing::HasSubstr("amount")));
  }
  EXPECT_THAT(increment("1"), ::testing::HasSubstr("\"0000000000000000\""));
}

TEST_F(HttpTest, MutationsOfABatchFollowEachOther) {
  Create({{.name = "f"}});
  std::string row = "72";
  const auto mutation = [&](const std::string& kind, const std::string& content) {
    return R"({"row": ")" + row + R"(", ")" + kind + R"(": [{"family": "f", "qualifier": "6e")" + content + "}]}";
  };
  const auto add = [&](int amount) { return mutation("increment", R"(, "amount": )" + std::to_string(amount)); };
  const auto append = [&](const std::string& value) { return mutation("append", R"(, "value": ")" + value + '"'); };
  const auto put = [&] { return mutation("put", R"(, "value": "0000000000000064")"); };
  const auto erase = [&] { return mutation("delete", ""); };
  // Runs the batch in the row and returns its answer.
  const auto run = [&](const std::vector<std::string>& batch) {
    std::string text;
    for (const std::string& each : batch) text += (text.empty() ? "" : ", ") + each;
    return Ask("POST", "t", {}, R"({"encoding": "hex", "batch": [)" + text + "]}");
  };
  const auto stored = [&] { return Ask("GET", "t/" + row + "/f:6e", "encoding=hex"); };
  const auto has = [](const std::string& value) { return ::testing::HasSubstr("\"value\":\"" + value + "\""); };

  EXPECT_THAT(run({add(5), add(7)}), ::testing::AllOf(has("0000000000000005"), has("000000000000000c")));
  EXPECT_THAT(stored(), has("000000000000000c"));
  row = "75";  // As in HBase, increments can lie ahead of the clock, and then hide a put of the next request.
  EXPECT_THAT(run({add(5), put(), add(1)}), has("0000000000000065"));
  row = "73";
  EXPECT_THAT(run({append("61"), append("62")}), has("6162"));
  EXPECT_THAT(stored(), has("6162"));
  row = "74";
  std::vector<std::string> many(300, add(1));
  many.insert(many.end(), {erase(), add(2), add(1)});
  EXPECT_THAT(run(many), ::testing::StartsWith("200 "));
  EXPECT_THAT(stored(), has("0000000000000003"));
  // Each batch has a row of its own. Some of their mutations are in the same millisecond.
  for (int i = 1000; i < 1100; i += 4) {
    row = std::to_string(i);
    EXPECT_THAT(run({put(), add(1), erase(), add(3)}), has("0000000000000003"));
    EXPECT_THAT(stored(), has("0000000000000003"));
    row = std::to_string(i + 1);
    EXPECT_THAT(run({erase(), add(1)}), has("0000000000000001"));
    EXPECT_THAT(stored(), has("0000000000000001"));
    row = std::to_string(i + 2);
    EXPECT_THAT(run({add(1), add(1), put()}), ::testing::StartsWith("200 "));
    EXPECT_THAT(stored(), has("0000000000000064"));
    row = std::to_string(i + 3);
    EXPECT_THAT(run({add(1), add(1), erase()}), ::testing::StartsWith("200 "));
    EXPECT_THAT(stored(), ::testing::StartsWith("404 "));
  }
}

TEST_F(HttpTest, AColumnIsOnceInAnIncrement) {
  Create({{.name = "f"}});
  EXPECT_THAT(Ask("POST", "t", {}, R"({"batch": [{"row": "r", "increment": [
      {"family": "f", "qualifier": "n", "amount": 1}, {"family": "f", "qualifier": "n", "amount": 2}]}]})"),
              ::testing::AllOf(::testing::StartsWith("400 "), ::testing::HasSubstr("f:n is given twice")));
  EXPECT_THAT(Ask("POST", "t", {}, R"({"batch": [{"row": "r", "append": [
      {"family": "f", "qualifier": "a", "value": "x"}, {"family": "f", "qualifier": "a", "value": "y"}]}]})"),
              ::testing::AllOf(::testing::StartsWith("400 "), ::testing::HasSubstr("in the append of row r")));
  EXPECT_THAT(Ask("GET", "t/r"), ::testing::StartsWith("404 "));
}

TEST_F(HttpTest, BytesThatAreNotUtf8) {
  Create({{.name = "f"}});
  for (const char* row : {"a", "b\xFE", "b\xFF", "c"}) Put(row, "q\xC3", 1, "v\x80");
  std::string rows, after;
  for (int pages = 0; pages < 10; ++pages) {
    const std::string page = Ask("POST", "t", {}, R"({"scan": {"limit": 1)" + after + "}}");
    const size_t row = page.find("\"row\":"), next = page.find("\"next_after\":");
    if (row == std::string::npos) break;
    rows += page.substr(row + 6, page.find(",\"cells\"") - row - 6) + " ";
    if (next == std::string::npos) break;
    after = ",\"after\":" + page.substr(next + 13, page.rfind('}') - next - 13);
  }
  EXPECT_EQ(rows, R"("a" {"hex":"62fe"} {"hex":"62ff"} "c" )");
  EXPECT_EQ(Ask("GET", "t/b%FF"),
            "200 {\"row\":{\"hex\":\"62ff\"},\"cells\":[{\"family\":\"f\",\"qualifier\":{\"hex\":\"71c3\"},"
            "\"timestamp\":1,\"value\":{\"hex\":\"7680\"}}]}\n");
  const auto add = [&](const char* amount) {
    return Ask("POST", "t", {},
               std::string(R"({"batch": [{"row": {"hex": "62FF"}, "increment": [{"family": "f", "qualifier": "n", )") +
                   "\"amount\": " + amount + "}]}]}");
  };
  EXPECT_THAT(add("1"), ::testing::HasSubstr(R"("value":"\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0001")"));
  EXPECT_THAT(add("199"), ::testing::HasSubstr(R"("value":{"hex":"00000000000000c8"})"));
  for (const char* wrong : {R"({"hex": "0"})", R"({"hex": 1})", R"({"base64": ""})", "{}", "1"}) {
    EXPECT_THAT(Ask("POST", "t", {}, std::string(R"({"scan": {"after": )") + wrong + "}}"),
                ::testing::StartsWith("400 "));
  }
}

TEST_F(HttpTest, AFamilyContainsItsColumns) {
  Create({{.name = "f"}});
  Put("r", "p", 1, "1");
  Put("r", "q", 1, "2");
  for (const char* query : {"column=f&column=f:p", "column=f:p&column=f", "column=f:p&column=f&column=f:p"}) {
    EXPECT_THAT(Ask("GET", "t/r", query),
                ::testing::AllOf(::testing::HasSubstr("\"p\""), ::testing::HasSubstr("\"q\"")));
  }
  EXPECT_THAT(Ask("POST", "t", {}, R"({"scan": {"columns": ["f", "f:p"]}})"), ::testing::HasSubstr("\"q\""));
  EXPECT_THAT(Ask("GET", "t/r", "column=f:p&column=f:p"), ::testing::Not(::testing::HasSubstr("\"q\"")));
}

TEST_F(HttpTest, AFailedBatchSaysWhatIsStored) {
  Create({{.name = "f"}});
  EXPECT_THAT(Ask("POST", "t", {}, R"({"batch": [
      {"row": "a", "put": [{"family": "f", "qualifier": "p", "value": "1"}]},
      {"row": "a", "put": [{"family": "f", "qualifier": "q", "value": "2"}]},
      {"row": "b", "put": [{"family": "none", "qualifier": "q", "value": "3"}]}]})"),
              ::testing::AllOf(::testing::StartsWith("400 {\"error\":{"), ::testing::EndsWith("},\"stored\":2}\n")));
  EXPECT_THAT(Ask("GET", "t/a"), ::testing::HasSubstr("\"q\""));
  EXPECT_THAT(Ask("POST", "t", {}, R"({"batch": [{"row": "b", "put": [{"family": "none", "value": "3"}]}]})"),
              ::testing::EndsWith("},\"stored\":0}\n"));
}

TEST_F(HttpTest, FieldsWithoutAMeaningAreRefused) {
  Create({{.name = "f"}});
  struct Case {
    const char *body, *message;
  };
  for (const Case& c :
       {Case{R"({"batch": [{"row": "a", "row": "b", "put": [{"family": "f"}]}]})", "\"row\\\" is given twice"},
        Case{R"({"batch": [{"row": "a", "note": [], "put": [{"family": "f"}]}]})", "unknown field \\\"note"},
        Case{R"({"batch": [{"row": "a", "put": [{"family": "f"}], "put": [{"family": "f"}]}]})", "is given twice"},
        Case{R"({"batch": [{"row": "a", "put": []}]})", "a cell or more"},
        Case{R"({"batch": [{"row": "a", "put": [{"family": "f", "one_version": true}]}]})", "in a cell of put"},
        Case{R"({"batch": [{"row": "a", "put": [{"family": "f", "family": "f"}]}]})", "is given twice"},
        Case{R"({"batch": [{"row": "a", "put": [{"family": "f", "amount": 1}]}]})", "in a cell of put"},
        Case{R"({"batch": [{"row": "a", "delete": [{"family": "f", "value": "1"}]}]})", "in a cell of delete"},
        Case{R"({"batch": [{"row": "a", "increment": [{"family": "f", "value": "1"}]}]})", "in a cell of increment"},
        Case{R"({"batch": {"row": "a"}})", "a list of mutations"},
        Case{R"({"scan": {"limit": 1, "limit": 2}})", "is given twice in scan"},
        Case{R"({"scan": {}, "encoding": "hex", "encoding": "text"})", "is given twice in the request body"},
        Case{R"({"scan": {}, "encoding": null})", "text, hex or base64"},
        Case{R"({"scan": {"versions": 0}})", "versions must be at least 1"}}) {
    const std::string answer = Ask("POST", "t", {}, c.body);
    EXPECT_THAT(answer, ::testing::StartsWith("400 ")) << c.body;
    EXPECT_THAT(answer, ::testing::HasSubstr(c.message)) << c.body;
  }
  EXPECT_THAT(Ask("GET", "t/r", "versions=0"), ::testing::HasSubstr("versions must be at least 1"));
  EXPECT_THAT(Ask("GET", "t/r", "versions=1&versions=2"), ::testing::HasSubstr("is given twice"));
}

TEST_F(HttpTest, MistakesAreNamed) {
  Create({{.name = "f", .attributes = {}}});
  EXPECT_THAT(Ask("GET", "none/r"), ::testing::StartsWith("404 "));
  EXPECT_THAT(Ask("GET", "t"), ::testing::StartsWith("404 "));
  EXPECT_THAT(Ask("PATCH", "t/r"), ::testing::StartsWith("405 "));
  EXPECT_THAT(Ask("PUT", "t/r/f:q", "versions=2"),
              ::testing::AllOf(::testing::StartsWith("400 "), ::testing::HasSubstr("encoding, timestamp")));
  EXPECT_THAT(Ask("GET", "t/r", "timestamp=2"), ::testing::HasSubstr("unknown parameter \\\"timestamp\\\""));
  EXPECT_THAT(Ask("GET", "t/r", "versions=x"), ::testing::StartsWith("400 "));
  EXPECT_THAT(Ask("GET", "t/xyz", "encoding=hex"), ::testing::StartsWith("400 "));
  EXPECT_THAT(Ask("POST", "t", {}, R"({"scan": {"begin": "a"}})"), ::testing::HasSubstr("unknown field \\\"begin\\\""));
  EXPECT_THAT(Ask("POST", "t", {}, R"({"scan": {"limit": 0}})"), ::testing::HasSubstr("from 1 to"));
  EXPECT_THAT(Ask("POST", "t", {}, R"({"batch": [{"row": "a"}]})"), ::testing::StartsWith("400 "));
  EXPECT_THAT(Ask("POST", "t", {}, R"({"scan": {"columns": [1]}})"), ::testing::HasSubstr("must be a list of columns"));
  EXPECT_THAT(Ask("POST", "t", {}, R"({"batch": [{"row": "a", "put": [{"family": 1}]}]})"),
              ::testing::HasSubstr("must be a string"));
  EXPECT_THAT(Ask("POST", "t", {}, R"({"batch": [{"row": "a", "delete": [{"family": "f", "one_version": 1}]}]})"),
              ::testing::HasSubstr("must be true or false"));
  EXPECT_THAT(Ask("POST", "t", {}, "{}"), ::testing::HasSubstr("one of scan and batch"));
  EXPECT_THAT(Ask("PUT", "t/r/none:q", {}, "v"), ::testing::HasSubstr("none"));
}

TEST_F(HttpTest, RequestsOfHBaseClientsAreCounted) {
  EXPECT_FALSE(services_.Run("ClientService", {.method = "Get", .parameter = "garbage"}).ok());
  EXPECT_TRUE(services_.Run("ClientMetaService", {.method = "GetClusterId"}).ok());
  MetricsWriter out;
  http_->WriteMetrics(out);
  const std::string text = std::move(out).Take();
  EXPECT_THAT(text, ::testing::HasSubstr("widerow_hbase_request_seconds_count{kind=\"get\"} 1"));
  EXPECT_THAT(text, ::testing::HasSubstr("widerow_hbase_request_seconds_count{kind=\"other\"} 1"));
  EXPECT_THAT(text, ::testing::HasSubstr("widerow_hbase_request_seconds_count{kind=\"scan\"} 0"));
  EXPECT_THAT(text, ::testing::HasSubstr("widerow_hbase_request_errors_total{kind=\"get\"} 1"));
  EXPECT_THAT(text, ::testing::HasSubstr("widerow_hbase_request_errors_total{kind=\"other\"} 0"));
}

}  // namespace
}  // namespace widerow::hbase
