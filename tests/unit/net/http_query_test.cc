// Tests POST /v1/query over a real socket: values, formats, pages, errors.
#include <chrono>
#include <ctime>
#include <thread>

#include "net/http/query_handler.h"
#include "net/http/query_request.h"
#include "net/http/request.h"
#include "tests/unit/net/http_test.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

class HttpQueryTest : public HttpTest {
 protected:
  // Sends a query. Checks the status of the answer, and that its error contains `part`.
  void ExpectError(const std::string& json, int status, const std::string& part) {
    const HttpResponse response = Query(json);
    EXPECT_EQ(response.status, status) << json << " gave " << response.body;
    EXPECT_THAT(response.body, HasSubstr(part)) << json;
    EXPECT_EQ(response.body.rfind("{\"error\":{\"code\":", 0), 0u);
  }
};

TEST_F(HttpQueryTest, NumbersAreExactBothWays) {
  MustCql("CREATE TABLE exact (id int PRIMARY KEY, b bigint, d decimal, v varint)");
  Must(R"j({"query": "INSERT INTO k.exact (id, b, d, v) VALUES (?, ?, ?, ?)",
           "params": [1, 9007199254740993, 1.10, 1234567890123456789012345678901234567890]})j");
  Must(R"j({"query": "INSERT INTO k.exact (id, b, d, v) VALUES (?, ?, ?, ?)",
           "params": ["2", "-9223372036854775808", "-0.00000000000000000001", "-99999999999999999999"]})j");
  EXPECT_THAT(MustCql("SELECT b, d, v FROM exact WHERE id = 1"),
              HasSubstr("\"rows\":[[9007199254740993,1.10,1234567890123456789012345678901234567890]]}"));
  const std::string second = MustCql("SELECT b, v FROM exact WHERE id = 2");
  EXPECT_THAT(second, HasSubstr("[[-9223372036854775808,-99999999999999999999]]"));
}

TEST_F(HttpQueryTest, GeneratedColumns) {
  MustCql("CREATE TABLE logs (bucket int GENERATED ALWAYS AS (bucket(ts, 4)), ts bigint, PRIMARY KEY ((bucket), ts))");
  for (int ts = 10; ts < 16; ++ts) {
    Must(R"j({"query": "INSERT INTO k.logs (ts) VALUES (?)", "params": [)j" + std::to_string(ts) + "]}");
  }
  const std::string all =
      Must(R"j({"query": "SELECT bucket, ts FROM k.logs WHERE ts >= ? ORDER BY ts DESC LIMIT 3", "params": [11]})j");
  EXPECT_THAT(all, HasSubstr("\"rows\":[[3,15],\n[2,14],\n[1,13]]"));
  const std::string page =
      Must(R"j({"query": "SELECT ts FROM k.logs WHERE ts >= ?", "params": [11], "page_size": 2})j");
  EXPECT_THAT(page, HasSubstr("[[11],\n[12]]"));
  ExpectError(R"j({"query": "INSERT INTO k.logs (bucket, ts) VALUES (0, 11)"})j", 400,
              "Generated column bucket is 3 for this row");
}

// A SELECT has IN on the partition key and ORDER BY. Cassandra's drivers get an error if they ask for pages of it. Over
// HTTP, all rows come in one page.
TEST_F(HttpQueryTest, SortedPartitionsAreOnePage) {
  MustCql("CREATE TABLE sorted (p int, c int, PRIMARY KEY (p, c))");
  for (int c = 0; c < 4; ++c) {
    MustCql("INSERT INTO sorted (p, c) VALUES (" + std::to_string(c % 2) + ", " + std::to_string(c) + ")");
  }
  const std::string statement = R"j("query": "SELECT c FROM k.sorted WHERE p IN (0, 1) ORDER BY c DESC")j";
  for (const std::string& request : {"{" + statement + "}", "{" + statement + R"j(, "page_size": 1})j"}) {
    const std::string answer = Must(request);
    EXPECT_THAT(answer, HasSubstr("[[3],\n[2],\n[1],\n[0]]")) << request;
    EXPECT_THAT(answer, Not(HasSubstr("page_state"))) << request;
  }
}

TEST_F(HttpQueryTest, ParametersTakeTheTypeOfTheirMarker) {
  MustCql(
      "CREATE TABLE typed (id uuid PRIMARY KEY, t text, ts timestamp, b blob, l list<int>, m map<text, bigint>, f "
      "boolean)");
  Must(R"j({"query": "INSERT INTO k.typed (id, t, ts, b, l, m, f) VALUES (?, ?, ?, ?, ?, ?, ?)",
           "params": ["01234567-89ab-cdef-0123-456789abcdef", "h\u00e9 \"q\"", "2013-01-01T05:00:00Z", "0x00ff", [1, 2],
                      {"a": 9007199254740993}, true]})j");
  EXPECT_THAT(Must(R"({"query": "SELECT t, b, l, m, f FROM k.typed WHERE id = ?",
                       "params": ["01234567-89ab-cdef-0123-456789abcdef"]})"),
              HasSubstr("[[\"h\xC3\xA9 \\\"q\\\"\",\"0x00ff\",[1, 2],{\"a\": 9007199254740993},true]]"));
}

TEST_F(HttpQueryTest, NamedParameters) {
  MustCql("CREATE TABLE named (id int PRIMARY KEY, v text)");
  Must(R"j({"query": "INSERT INTO k.named (id, v) VALUES (:key, :value)", "params": {"value": "x", "key": 3}})j");
  EXPECT_THAT(Must(R"({"query": "SELECT v FROM k.named WHERE id = ?", "params": {"id": 3}})"), HasSubstr("[[\"x\"]]"));
  ExpectError(R"({"query": "SELECT v FROM k.named WHERE id = :id", "params": {}})", 400,
              "there were 1 markers(?) in CQL but 0 bound");
  ExpectError(R"({"query": "SELECT v FROM k.named WHERE id = :id", "params": {"x": 1}})", 400,
              "parameter \\\"id\\\" is missing");
  ExpectError(R"({"query": "SELECT v FROM k.named WHERE id = :id", "params": {"id": 1, "x": 1}})", 400,
              "no bind marker of the statement is named \\\"x\\\"");
  ExpectError(R"({"query": "SELECT v FROM k.named WHERE id = :id", "params": {"id": 1, "id": 2}})", 400,
              "is given twice");
}

TEST_F(HttpQueryTest, WrongParameters) {
  MustCql("CREATE TABLE p (id int PRIMARY KEY, v text)");
  const std::string select = R"({"query": "SELECT v FROM k.p WHERE id = ?", "params": )";
  ExpectError(select + "[]}", 400, "there were 1 markers(?) in CQL but 0 bound variables");
  ExpectError(select + "[1, 2]}", 400, "there were 1 markers(?) in CQL but 2 bound variables");
  ExpectError(select + "[\"x\"]}", 400, "parameter 1 (int): ");
  ExpectError(select + "[1.5]}", 400, "parameter 1 (int): ");
  ExpectError(select + "[3000000000]}", 400, "parameter 1 (int): ");
  ExpectError(select + "[[1]]}", 400, "parameter 1 (int): ");
  ExpectError(select + "[{\"type\": \"int\"}]}", 400, "parameter 1 (int): ");
  ExpectError(select + "1}", 400, "must be an array or an object, not a number");
  ExpectError(R"({"query": "SELECT v FROM k.p WHERE id = ?"})", 400, "\"name\":\"Invalid\"");
}

TEST_F(HttpQueryTest, EmptyValuesAndZeros) {
  MustCql("CREATE TABLE empty (k int PRIMARY KEY, b boolean, v varint, d duration, f double, l list<boolean>)");
  MustCql(
      "INSERT INTO empty (k, b, v, d, f, l) VALUES (1, blob_as_boolean(0x), blob_as_varint(0x), 0s, NaN, "
      "[blob_as_boolean(0x), false])");
  EXPECT_THAT(MustCql("SELECT b, v, d, f, l, ttl(l) FROM empty"),
              HasSubstr(R"("rows":[["","","0s","NaN",["", false],[null, null]]])"));
  EXPECT_THAT(MustCql("SELECT JSON d, f FROM empty"), HasSubstr(R"("rows":[["{\"d\": \"\", \"f\": null}"]])"));
}

TEST_F(HttpQueryTest, WrongBodies) {
  ExpectError("", 400, "the request body is not JSON");
  ExpectError("{\"query\": ", 400, "the request body is not JSON");
  ExpectError("{\"query\": \"\xFF\"}", 400, "the request body is not JSON");
  ExpectError("[1]", 400, "the request body must be a JSON object");
  ExpectError("{}", 400, "field \\\"query\\\" is missing");
  ExpectError(R"({"query": 1})", 400, "field \\\"query\\\" must be a string, not a number");
  ExpectError(R"({"query": "SELECT", "qeury": "x"})", 400, "unknown field \\\"qeury\\\"");
  ExpectError(R"({"query": "a", "query": "b"})", 400, "field \\\"query\\\" is given twice");
  for (const char* size : {"0", "-1", "1.5", "\"5\"", "100001", "99999999999999999999", "null"}) {
    ExpectError(std::string(R"({"query": "a", "page_size": )") + size + "}", 400, "whole number from 1 to 100000");
  }
  ExpectError(R"({"query": "a", "page_state": "?"})", 400, "is not a paging state");
  ExpectError(R"({"query": "a", "format": "xml"})", 400, "must be \\\"json\\\", \\\"ndjson\\\" or \\\"csv\\\"");
  ExpectError("{\"query\": \"a\", \"params\": " + std::string(100'000, '['), 400, "the request body is not JSON");
  ExpectError("{\"query\": \"a\", \"params\": " + std::string(200, '[') + std::string(200, ']') + "}", 400, "not JSON");
}

TEST_F(HttpQueryTest, ErrorsPointAtTheirPlace) {
  MustCql("CREATE TABLE orders (id int PRIMARY KEY)");
  ExpectError(R"({"query": "SELECT nope FROM k.orders"})", 400,
              "\"code\":8704,\"name\":\"Invalid\",\"message\":\"Undefined column name nope in table k.orders\"");
  ExpectError(R"({"query": "SELECT nope FROM k.orders"})", 400, "\"line\":1,\"column\":8,\"length\":4");
  ExpectError(R"({"query": "SELECT nope FROM k.orders"})", 400, "\\n       ^^^^\"");
  ExpectError(R"({"query": "SELEC id FROM k.orders"})", 400, "\"code\":8192,\"name\":\"SyntaxError\"");
  ExpectError(R"j({"query": "CREATE TABLE k.orders (id int PRIMARY KEY)"})j", 400, "\"name\":\"AlreadyExists\"");
  ExpectError(R"({"query": "SELECT id FROM orders"})", 400, "\"name\":\"Invalid\"");
}

TEST_F(HttpQueryTest, CountersAndConditions) {
  MustCql("CREATE TABLE counted (k int PRIMARY KEY, n counter)");
  const std::string add = R"j({"query": "UPDATE k.counted SET n = n + ? WHERE k = ?", "params": )j";
  EXPECT_EQ(Must(add + "[9007199254740993, 1]}"), "{}\n");
  Must(add + "[\"-2\", 1]}");
  MustCql(
      "BEGIN COUNTER BATCH UPDATE counted SET n = n + 1 WHERE k = 1; UPDATE counted SET n = n - 1 WHERE k = 2; APPLY "
      "BATCH");
  EXPECT_THAT(MustCql("SELECT n FROM counted WHERE k IN (1, 2)"),
              HasSubstr("{\"name\":\"n\",\"type\":\"counter\"}],\"rows\":[[9007199254740992],\n[-1]]"));
  ExpectError(add + "[null, 1]}", 400, "Invalid null value for counter increment");

  MustCql("CREATE TABLE asked (k int PRIMARY KEY, v int, m map<text, int>)");
  const std::string put =
      R"j({"query": "UPDATE k.asked SET v = ?, m[?] = 1 WHERE k = 1 IF v = ? AND m[?] = null", "params": )j";
  const std::string applied = R"({"columns":[{"name":"[applied]","type":"boolean"}],"rows":[[true]]})";
  EXPECT_THAT(Must(put + R"([1, "a", null, "a"]})"), HasSubstr(applied));
  EXPECT_THAT(Must(put + R"([2, "b", 1, "b"]})"), HasSubstr(applied));
  EXPECT_THAT(
      Must(put + R"([3, "b", 2, "b"]})"),
      HasSubstr(
          R"("name":"v","type":"int"},{"name":"m","type":"map<text, int>"}],"rows":[[false,2,{"a": 1, "b": 1}]])"));
}

TEST_F(HttpQueryTest, OutcomesWithoutRows) {
  EXPECT_EQ(MustCql("USE k"), "{\"keyspace\":\"k\"}\n");
  EXPECT_EQ(MustCql("CREATE TABLE o (id int PRIMARY KEY)"),
            "{\"schema_change\":{\"change\":\"CREATED\",\"target\":\"TABLE\",\"keyspace\":\"k\",\"name\":\"o\"}}\n");
  EXPECT_EQ(MustCql("CREATE TABLE IF NOT EXISTS o (id int PRIMARY KEY)"), "{}\n");
  EXPECT_EQ(MustCql("INSERT INTO o (id) VALUES (1)"), "{}\n");
  const HttpResponse csv = Query(R"j({"query": "INSERT INTO k.o (id) VALUES (2)"})j", "text/csv");
  EXPECT_EQ(csv.header("content-type"), "application/json");
}

TEST_F(HttpQueryTest, PagesInEveryFormatGiveEachRowOnce) {
  MakeMany(7, 1);
  for (const std::string format : {"json", "ndjson", "csv"}) {
    std::string state, all;
    int pages = 0;
    do {
      std::string json = R"({"query": "SELECT ck FROM k.many", "page_size": 3, "format": ")" + format + "\"";
      if (!state.empty()) json += ", \"page_state\": \"" + state + "\"";
      const HttpResponse page = Query(json + "}");
      ASSERT_EQ(page.status, 200) << page.body;
      all += page.body;
      const size_t at = page.body.find("\"page_state\":\"");
      state = format != "json"          ? page.header("widerow-page-state")
              : at == std::string::npos ? ""
                                        : page.body.substr(at + 14, page.body.find('"', at + 14) - at - 14);
      ++pages;
    } while (!state.empty() && pages < 10);
    EXPECT_EQ(pages, 3) << format;
    for (int ck = 0; ck < 7; ++ck) {
      const std::string row = format == "json"     ? '[' + std::to_string(ck) + ']'
                              : format == "ndjson" ? "{\"ck\":" + std::to_string(ck) + "}\n"
                                                   : "\n" + std::to_string(ck) + "\r\n";
      EXPECT_THAT(all, HasSubstr(row));
      EXPECT_EQ(all.find(row), all.rfind(row)) << row;
    }
  }
}

TEST_F(HttpQueryTest, APagingStateOfAnotherKindIsRefused) {
  MakeMany(3, 1);
  ExpectError(R"({"query": "SELECT ck FROM k.many", "page_state": "AAAA"})", 400, "\"error\"");
}

TEST_F(HttpQueryTest, WholeResultsAreStreamedInParts) {
  constexpr int kRows = 6'000;
  MakeMany(kRows, 500);
  for (const std::string accept : {"application/json", "application/x-ndjson", "text/csv"}) {
    const HttpResponse all = Query(R"({"query": "SELECT ck, v FROM k.many"})", accept);
    EXPECT_EQ(all.status, 200);
    EXPECT_TRUE(all.complete);
    EXPECT_GE(all.chunks, 3u) << "one part would hold all rows in memory";
    size_t at = 0, found = 0;
    for (; (at = all.body.find(std::string(500, 'x'), at)) != std::string::npos; at += 500) ++found;
    EXPECT_EQ(found, static_cast<size_t>(kRows)) << accept;
  }
  const HttpResponse json = Query(R"({"query": "SELECT ck FROM k.many"})");
  EXPECT_THAT(json.body, ::testing::EndsWith("[5999]]}\n"));
}

// A client reads a result slowly. Meanwhile rows are written and deleted, and the table is altered and dropped. The
// result must show one moment.
TEST_F(HttpQueryTest, AWholeResultIsOfOneMoment) {
  MakeMany(2'000, 4'000);  // The sockets cannot hold so many bytes, so the server has to wait in the middle.
  const std::string select = R"({"query": "SELECT ck, v FROM k.many", "format": "csv"})";
  const auto wait_for_open = [&](size_t wanted) {
    for (int i = 0; i < 200 && engine_->snapshots().open() != wanted; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_EQ(engine_->snapshots().open(), wanted);
  };
  for (const std::string change :
       {"DELETE FROM many WHERE pk = 0 AND ck IN (0, 1999)", "ALTER TABLE many ADD w int", "DROP TABLE many"}) {
    const std::string now = Query(select).body;
    HttpClient client(server_->port());
    client.Send(QueryRequestText(select));
    wait_for_open(1);
    MustCql(change);
    const HttpResponse whole = client.Read();
    EXPECT_TRUE(whole.complete) << change;
    EXPECT_TRUE(whole.body == now) << change;
    wait_for_open(0);
  }
  // After a client closes its connection, the server keeps nothing of its request.
  MakeMany(2'000, 4'000);
  {
    HttpClient client(server_->port());
    client.Send(QueryRequestText(select));
    wait_for_open(1);
  }
  wait_for_open(0);
}

TEST_F(HttpQueryTest, AFailureInALaterPartBreaksTheAnswerOff) {
  MakeMany(2'000, 4'000);
  server_.reset();
  engine_.reset();
  // With this limit, the read must end after the first part of the answer.
  engine_ = OpenEngine(directory_, {}, {.reads = {.age_max = std::chrono::milliseconds(0)}});
  ASSERT_NE(engine_, nullptr);
  Start({.port = 0});
  for (const std::string format : {"json", "ndjson", "csv"}) {
    const HttpResponse broken = Query(R"({"query": "SELECT ck, v FROM k.many", "format": ")" + format + "\"}");
    EXPECT_EQ(broken.status, 200);
    EXPECT_FALSE(broken.complete) << format;
    const std::string end = broken.body.substr(broken.body.size() - 1'000);
    EXPECT_EQ(end.find("\"error\":{\"code\":4608,\"name\":\"ReadTimeout\"") != std::string::npos, format != "csv")
        << end;
  }
}

TEST_F(HttpQueryTest, AcceptAndFormatChoose) {
  MakeMany(1, 1);
  const std::string select = R"({"query": "SELECT ck, v FROM k.many")";
  EXPECT_EQ(Query(select + "}", "text/csv").body, "ck,v\r\n0,x\r\n");
  EXPECT_EQ(Query(select + "}", "text/csv").header("content-type"), "text/csv; charset=utf-8");
  EXPECT_EQ(Query(select + "}", "application/x-ndjson").body, "{\"ck\":0,\"v\":\"x\"}\n");
  EXPECT_EQ(Query(select + R"(, "format": "csv"})", "application/json").body, "ck,v\r\n0,x\r\n");
  const HttpResponse html = Query(select + "}", "text/html");
  EXPECT_EQ(html.status, 406);
  EXPECT_THAT(html.body, HasSubstr("application/x-ndjson"));
}

TEST_F(HttpQueryTest, WarningsTravelInJsonOrInHeaders) {
  MakeMany(1, 1);
  const std::string count = R"({"query": "SELECT count(*) FROM k.many"})";
  const HttpResponse json = Query(count);
  EXPECT_THAT(json.body, HasSubstr("[[1]],\"warnings\":[\"Aggregation query used without partition key\"]}"));
  EXPECT_EQ(json.header("widerow-warning"), "");
  const HttpResponse csv = Query(count, "text/csv");
  EXPECT_EQ(csv.header("widerow-warning"), "Aggregation query used without partition key");
  EXPECT_EQ(csv.body, "count\r\n1\r\n");
  EXPECT_THAT(
      Must(
          R"({"query": "CREATE KEYSPACE three WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3}"})"),
      HasSubstr("\"keyspace\":\"three\"},\"warnings\":[\""));
}

TEST_F(HttpQueryTest, SchemaAsJson) {
  MustCql("CREATE TYPE address (street text)");
  MustCql(
      "CREATE TABLE s (a int, b text, c int, d int static, e frozen<address>, PRIMARY KEY (a, b)) WITH CLUSTERING "
      "ORDER BY (b DESC)");
  MustCql("CREATE TABLEGROUP g");
  MustCql("CREATE TABLE u (a int PRIMARY KEY, b int) TABLEGROUP = g");
  MustCql("CREATE MATERIALIZED VIEW mv AS SELECT * FROM u WHERE a IS NOT NULL AND b IS NOT NULL PRIMARY KEY (b, a)");
  HttpClient client(server_->port());
  const HttpResponse schema = client.Get("/v1/schema?keyspace=k");
  EXPECT_EQ(schema.status, 200);
  for (const char* part :
       {R"({"name":"a","type":"int","kind":"partition_key","position":0})",
        R"({"name":"b","type":"text","kind":"clustering","position":0,"order":"DESC"})",
        R"({"name":"d","type":"int","kind":"static"})", R"({"name":"e","type":"frozen<address>","kind":"regular"})",
        R"("gc_grace_seconds":864000)", R"("cql":"CREATE TABLE k.s ()", R"("tablegroup":"g","cql":"CREATE TABLE k.u ()",
        R"("view_of":"u","cql":"CREATE MATERIALIZED VIEW k.mv AS)", R"("fields":[{"name":"street","type":"text"}])"}) {
    EXPECT_THAT(schema.body, HasSubstr(part));
  }
  EXPECT_EQ(client.Get("/v1/schema").status, 200);
  EXPECT_EQ(client.Get("/v1/schema?keyspace=nope").status, 404);
  EXPECT_EQ(client.Get("/v1/schema?table=k").status, 400);
  EXPECT_EQ(client.Get("/v1/schema?keyspace=%zz").status, 400);
  EXPECT_EQ(client.Get("/v1/schema?keyspace=%6b").status, 200);
}

TEST_F(HttpQueryTest, MetricsForPrometheus) {
  MustCql("CREATE TABLE m (a int PRIMARY KEY)");
  MustCql("INSERT INTO m (a) VALUES (1)");
  HttpClient client(server_->port());
  const HttpResponse metrics = client.Get("/metrics");
  EXPECT_EQ(metrics.status, 200);
  for (const char* part :
       {"# TYPE widerow_write_wait_seconds histogram\n",
        "widerow_write_wait_seconds_bucket{stage=\"sync\",le=\"+Inf\"} 1\n",
        "widerow_write_wait_seconds_count{stage=\"queue\"} 1\n", "\nwiderow_write_groups_total 1\n",
        "\nwiderow_fold_progress 1\n", "\nwiderow_table_writes_total{keyspace=\"k\",table=\"m\"} 1\n",
        "\nwiderow_writes_pending 0\n"}) {
    EXPECT_THAT(metrics.body, HasSubstr(part));
  }
  // Each line is a comment, or it has a name, labels in braces if there are any, and a number.
  EXPECT_THAT(metrics.body, MatchesRegex("((# (HELP|TYPE) .*|[a-z_]+(\\{[^}]*\\})? [0-9.e+-]+)\n)*"));
}

// A request with very many named parameters takes only milliseconds, because each name is looked up in a hash table.
TEST(QueryRequestTest, ManyNamedParameters) {
  const auto thread_seconds = [] {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
  };
  constexpr int kNames = 60'000;
  std::string body = R"({"query": "SELECT 1", "params": {"p0": 0)";
  std::vector<MarkerSpec> markers;
  for (int i = 0; i < kNames; ++i) {
    const std::string name = "p" + std::to_string(i);
    if (i > 0) body += ", \"" + name + "\": " + std::to_string(i);
    markers.push_back({.name = name, .type = ScalarType(TypeKind::kInt)});
  }
  const std::string whole = body + "}}";
  const double begin = thread_seconds();
  const Result<QueryRequest> request = ParseQueryRequest(whole);
  ASSERT_TRUE(request.ok()) << request.error().message;
  const Result<std::vector<BoundValue>> values = BindJsonParameters(*request, markers);
  ASSERT_TRUE(values.ok()) << values.error().message;
  EXPECT_LT(thread_seconds() - begin, 2);
  EXPECT_EQ(values->size(), markers.size());
  EXPECT_EQ(values->back().bytes, EncodeInteger(TypeKind::kInt, kNames - 1));
  const auto twice = ParseQueryRequest(body + R"(, "p7": 1}})");
  ASSERT_FALSE(twice.ok());
  EXPECT_EQ(twice.error().message, "parameter \"p7\" is given twice");
  markers.pop_back();
  EXPECT_EQ(BindJsonParameters(*request, markers).error().message,
            "no bind marker of the statement is named \"p59999\"");
}

}  // namespace
}  // namespace widerow
