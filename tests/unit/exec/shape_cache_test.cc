// Texts that differ only in their constants have one *shape*, and the engine runs them all by one plan. The answers
// must be the same as if each text had been planned. Traced requests are always planned, so each test runs every text
// with and without tracing and compares the answers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parser/statement_shape.h"
#include "tests/unit/scratch_engine.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

std::string Describe(const Result<Outcome>& outcome) {
  if (!outcome.ok()) {
    const Error& error = outcome.error();
    std::string text = std::to_string(static_cast<uint32_t>(error.code)) + " " + error.message + " | " + error.hint;
    if (error.range) text += " at " + std::to_string(error.range->begin) + "-" + std::to_string(error.range->end);
    return text;
  }
  std::string text;
  for (const std::string& warning : outcome->warnings) text += "warning " + warning + "\n";
  if (const auto* page = std::get_if<RowsPage>(&outcome->result)) {
    text += std::to_string(page->row_count) + " rows " + ToHex(page->body);
    for (const ResultColumn& column : *page->columns) text += " " + column.name + " " + TypeText(*column.type);
  }
  return text;
}

class ShapeCacheTest : public ::testing::Test {
 protected:
  ShapeCacheTest() {
    Must("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    Must(
        "CREATE TABLE ks.t (k int, c int, s text, b blob, u uuid, d double, x decimal, ts timestamp, l list<int>,"
        " m map<text, int>, f frozen<list<int>>, st int static, PRIMARY KEY (k, c))");
    Must("CREATE TABLE ks.n (k text PRIMARY KEY, n tinyint, a ascii)");
  }
  void Must(const std::string& text) {
    const Result<Outcome> outcome = engine_->Execute(text, {});
    ASSERT_TRUE(outcome.ok()) << text << ": " << outcome.error().message;
  }
  std::string Ask(const std::string& text, bool planned) {
    return Describe(engine_->Execute(text, {.keyspace = "ks", .trace = planned}));
  }
  std::string Content() { return Ask("SELECT * FROM ks.t", true) + Ask("SELECT * FROM ks.n", true); }

  // Runs the texts, of which the first one makes the plan. Each text must answer and write the same as when it is
  // planned.
  void Same(const std::vector<std::string>& texts) {
    Must("TRUNCATE ks.t");
    Must("TRUNCATE ks.n");
    std::vector<std::string> planned, found;
    for (const std::string& text : texts) planned.push_back(Ask(text, true) + " => " + Content());
    Must("TRUNCATE ks.t");
    Must("TRUNCATE ks.n");
    for (const std::string& text : texts) found.push_back(Ask(text, false) + " => " + Content());
    for (size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(found[i], planned[i]) << texts[i];
  }

  ScratchDirectory directory_;
  std::unique_ptr<Engine> engine_ = OpenEngine(directory_);
};

TEST_F(ShapeCacheTest, Inserts) {
  const std::string s = "INSERT INTO t (k, c, s) VALUES ";
  Same({s + "(1, 2, 'a')", s + "(1, 3, 'b''c')", s + "(1, -4, '')", s + "(2, 99999999999, 'x')",
        s + "(2, 1, 'gr\xC3\xBC\xC3\x9F')", s + "(2, 2, '\xFF')", s + "(1, 2, 3)", s + "(1, 2, null)",
        s + "(null, 2, 'a')", s + "(1, 'a', 'a')", s + "(1, 2)", s + "(-2147483648, 2147483647, '''')",
        s + "(2147483648, 1, 'a')", s + "(1, 2, 'open)", s + "(1, 2, 'a'", s + "(007, 2, 'z')"});
}

TEST_F(ShapeCacheTest, TypesOfConstants) {
  const std::string b = "INSERT INTO t (k, c, b) VALUES ", u = "INSERT INTO t (k, c, u) VALUES ",
                    d = "INSERT INTO t (k, c, d) VALUES ";
  const std::string ts = "INSERT INTO t (k, c, ts) VALUES ", x = "INSERT INTO t (k, c, x) VALUES ",
                    n = "INSERT INTO n (k, n) VALUES ";
  Same({b + "(1, 1, 0xab)", b + "(1, 2, 0xABCD)", b + "(1, 3, 0x)", b + "(1, 4, 0xa)", b + "(1, 4, 0xag)",
        b + "(1, 5, 'ab')"});
  Same({u + "(1, 1, 5dcbd0f0-7ab4-4e5c-9c51-0b5ea4c5e9b5)", u + "(1, 2, abcdef01-7ab4-4e5c-9c51-0b5ea4c5e9b5)",
        u + "(1, 3, abcdef01-7ab4-4e5c-9c51-0b5ea4c5e9bg)", u + "(1, 4, 'abcdef01-7ab4-4e5c-9c51-0b5ea4c5e9b5')"});
  Same({d + "(1, 1, 1.5)", d + "(1, 2, -2.25)", d + "(1, 3, 1e5)", d + "(1, 4, 7)", d + "(1, 5, -7)", d + "(1, 6, NaN)",
        d + "(1, 7, -Infinity)", d + "(1, 8, 1.)", d + "(1, 9, 1.5.2)"});
  Same({ts + "(1, 1, '2013-01-01')", ts + "(1, 2, '2013-02-30')", ts + "(1, 3, '2013-01-01T10:00:00Z')",
        ts + "(1, 4, 17)", ts + "(1, 4, 18)"});
  Same({x + "(1, 1, 1.50)", x + "(1, 2, 1.5)", x + "(1, 3, 12)", x + "(1, 4, 99999999999999999999999999)"});
  Same({n + "('a', 1)", n + "('', 1)", n + "('b', 127)", n + "('b', 128)", n + "('c', -128)"});
  Same({"INSERT INTO n (k, a) VALUES ('k', 'plain')", "INSERT INTO n (k, a) VALUES ('k', '\xC3\xA9')"});
}

TEST_F(ShapeCacheTest, WhatStandsBesideValues) {
  const std::string i = "INSERT INTO t (k, c, d) VALUES (1, 1, 1.5) USING ";
  Same({i + "TTL 100000", i + "TTL 200000", i + "TTL -1", i + "TTL 999999999", i + "TTL 0", i + "TIMESTAMP 5",
        i + "TIMESTAMP 6", i + "TIMESTAMP -9223372036854775808", i + "TIMESTAMP 9223372036854775808", i + "TTL 'x'"});
  Same({"INSERT INTO t (k, c, l) VALUES (1, 1, [1, 2])", "INSERT INTO t (k, c, l) VALUES (1, 1, [3, 4])",
        "INSERT INTO t (k, c, l) VALUES (1, 1, [3, 'a'])"});
  Same({"INSERT INTO t (k, c, m) VALUES (1, 1, {'a': 1})", "INSERT INTO t (k, c, m) VALUES (1, 1, {'b': 2})"});
  Same({"INSERT INTO t (k, c, b) VALUES (1, 1, intAsBlob(5))", "INSERT INTO t (k, c, b) VALUES (1, 1, intAsBlob(6))"});
  Same({"INSERT INTO t (k, c) VALUES (1, (int)5)", "INSERT INTO t (k, c) VALUES (1, (int)6)",
        "INSERT INTO t (k, c) VALUES (1, (int)99999999999)"});
  Same({"INSERT INTO t (k, c) VALUES (1, 5) -- a", "INSERT INTO t (k, c) VALUES (1, 6) -- 'a",
        "INSERT INTO t (k, c) VALUES (1, 7) /* 8 */;", "INSERT INTO t (k, c, s) VALUES (1, 7, $$x$$)",
        "INSERT INTO t (k, c, s) VALUES (1, 7, $$y$$);"});
}

TEST_F(ShapeCacheTest, UpdatesAndDeletes) {
  const std::string u = "UPDATE t SET s = 'a' WHERE k = 1 AND c = ";
  Same({u + "1", u + "2", u + "'x'", u + "99999999999", u + "-1", u + "-99999999999",
        "UPDATE t SET l = [1, 2] WHERE k = 1 AND c = 1", "UPDATE t SET l[0] = 5 WHERE k = 1 AND c = 1",
        "UPDATE t SET l[7] = 5 WHERE k = 1 AND c = 1", "UPDATE t SET st = 5 WHERE k = 1",
        "UPDATE t SET st = 6 WHERE k = 2", "DELETE FROM t WHERE k = 1 AND c = 1", "DELETE FROM t WHERE k = 1 AND c = 2",
        "DELETE FROM t WHERE k = 1 AND c > 1", "DELETE FROM t WHERE k = 1 AND c > -1",
        "DELETE FROM t WHERE k IN (1, 2)", "DELETE FROM t WHERE k IN (2, 2)"});
}

TEST_F(ShapeCacheTest, Selects) {
  std::vector<std::string> texts;
  for (int c = 0; c < 9; ++c) texts.push_back("INSERT INTO t (k, c, s) VALUES (1, " + std::to_string(c) + ", 'a')");
  for (const char* end : {"c = 1",
                          "c = 2",
                          "c = 99999999999",
                          "c > 1",
                          "c > 7",
                          "c >= 1 AND c < 3",
                          "c >= 5 AND c < 2",
                          "c IN (1, 2)",
                          "c IN (2, 2)",
                          "c > 1 LIMIT 2",
                          "c > 1 LIMIT 3",
                          "c > 1 LIMIT 0",
                          "c > 1 LIMIT -1",
                          "c > 1 LIMIT 99999999999",
                          "c = -1",
                          "(c) > (3)",
                          "(c) > (4)",
                          "c = 'x'",
                          "s = 'a'",
                          "s = 'a' ALLOW FILTERING",
                          "s = 'b' ALLOW FILTERING"}) {
    texts.push_back(std::string("SELECT c, s FROM t WHERE k = 1 AND ") + end);
  }
  for (const char* whole :
       {"SELECT intAsBlob(5) FROM t WHERE k = 1", "SELECT intAsBlob(6) FROM t WHERE k = 1",
        "SELECT (int)5 FROM t WHERE k = 1", "SELECT (int)6 FROM t WHERE k = 1", "SELECT count(*) FROM t WHERE k = 1",
        "SELECT count(*) FROM t WHERE k = 2", "SELECT s FROM t WHERE token(k) > 5",
        "SELECT s FROM t WHERE token(k) > -9223372036854775808", "EXPLAIN SELECT s FROM t WHERE k = 1",
        "EXPLAIN SELECT s FROM t WHERE k = 2"}) {
    texts.emplace_back(whole);
  }
  Same(texts);
}

// A traced request is planned from its text. Other requests use the plan of the shape. Each of these two kinds of
// request must be able to continue after a page of the other kind.
TEST_F(ShapeCacheTest, PagesGoOn) {
  for (int c = 0; c < 6; ++c) Must("INSERT INTO ks.t (k, c) VALUES (1, " + std::to_string(c) + ")");
  const std::string text = "SELECT c FROM ks.t WHERE k = 1 AND c > 0";
  RequestParameters request{.page_rows = 2};
  for (const bool trace : {true, false, true}) {
    request.trace = trace;
    const Result<Outcome> outcome = engine_->Execute(text, request);
    ASSERT_TRUE(outcome.ok()) << outcome.error().message;
    request.paging_state = std::get<RowsPage>(outcome->result).paging_state;
  }
  EXPECT_TRUE(request.paging_state.empty());
  request.paging_state.clear();
  for (const bool trace : {false, true, false}) {
    request.trace = trace;
    const Result<Outcome> outcome = engine_->Execute(text, request);
    ASSERT_TRUE(outcome.ok()) << outcome.error().message;
    request.paging_state = std::get<RowsPage>(outcome->result).paging_state;
    if (request.paging_state.empty()) continue;
    // A text can continue at the paging state of a text with other constants if both texts read the same partition. If
    // they read different partitions, the paging state is refused.
    const Result<Outcome> changed = engine_->Execute("SELECT c FROM ks.t WHERE k = 1 AND c > 1", request);
    ASSERT_TRUE(changed.ok()) << changed.error().message;
    EXPECT_EQ(std::get<RowsPage>(changed->result).row_count, trace ? 1u : 2u);
    const Result<Outcome> other = engine_->Execute("SELECT c FROM ks.t WHERE k = 2 AND c > 0", request);
    ASSERT_FALSE(other.ok());
    EXPECT_EQ(other.error().message, "Invalid paging state: it is one of another statement");
  }
}

TEST_F(ShapeCacheTest, FollowsTheSchema) {
  const std::string insert = "INSERT INTO ks.n (k, n) VALUES ('a', 1)";
  Must(insert);
  Must(insert);
  Must("DROP TABLE ks.n");
  EXPECT_FALSE(engine_->Execute(insert, {}).ok());
  Must("CREATE TABLE ks.n (k text PRIMARY KEY, n bigint)");
  Must("INSERT INTO ks.n (k, n) VALUES ('a', 5000000000)");
  Must("INSERT INTO ks.n (k, n) VALUES ('b', 6000000000)");
  EXPECT_THAT(Ask("SELECT n FROM n WHERE k = 'b'", false),
              ::testing::HasSubstr(ToHex(EncodeInteger(TypeKind::kBigint, 6'000'000'000))));
}

TEST(StatementShape, TextsOfOneShapeDifferInConstantsAlone) {
  const std::string key = ShapeOf("INSERT INTO t (a, b) VALUES (1, 'x')").key;
  EXPECT_EQ(ShapeOf("INSERT INTO t (a, b) VALUES (20, 'it''s (2, 3)')").key, key);
  for (const char* other : {"INSERT INTO t (a, b) VALUES (-1, 'x')", "INSERT INTO t (a, b) VALUES (1, 2)",
                            "INSERT INTO t (a, c) VALUES (1, 'x')", "INSERT INTO t (a, b) VALUES (1.5, 'x')",
                            "INSERT INTO t (a, b) VALUES (1, null)", "INSERT INTO t (a, b) VALUES (1, 0x00)",
                            "INSERT INTO t (a1, b) VALUES (1, 'x')"}) {
    EXPECT_NE(ShapeOf(other).key, key) << other;
  }
}

TEST(StatementShape, AnythingUnusualIsAShapeOfItsOwn) {
  for (const char* text :
       {"INSERT INTO t (a) VALUES (?)", "INSERT INTO t (a, b) VALUES (:a, 1)", "INSERT INTO t (a) VALUES (1e5)",
        "INSERT INTO t (a) VALUES (1) -- 2", "INSERT INTO t (a) VALUES ($$1$$)", "INSERT INTO t (a) VALUES (12h)",
        "INSERT INTO t (a) VALUES (1+1)", "INSERT INTO t (a) VALUES ('x", "INSERT INTO t (a) VALUES ('\xFF')",
        "\xEF\xBB\xBFINSERT INTO t (a) VALUES (1)", "SELECT a FROM t"}) {
    const StatementShape shape = ShapeOf(text);
    EXPECT_TRUE(shape.constants.empty()) << text;
    EXPECT_EQ(shape.key, ShapeOfTextAlone(text).key) << text;
  }
}

}  // namespace
}  // namespace widerow
