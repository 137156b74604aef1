// No statement may use up the memory or the stack. So limits are checked before ANTLR reads a statement.
#include "parser/bounds.h"

#include <gmock/gmock.h>

#include "base/limits.h"
#include "parser/parse.h"
#include "parser/print.h"

namespace widerow {
namespace {

std::string Repeat(const std::string& piece, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += piece;
  return text;
}

struct Shape {
  std::string begin, open, middle, close, end;
  std::string Make(size_t depth) const { return begin + Repeat(open, depth) + middle + Repeat(close, depth) + end; }
};

const Shape kShapes[] = {
    {"SELECT * FROM t WHERE a = ", "(", "1", ")", ""},
    {"SELECT * FROM t WHERE ", "(", "a = 1", ")", ""},
    {"SELECT * FROM t WHERE ", "(a = 1 OR ", "a = 1", ")", ""},
    {"SELECT * FROM t WHERE ", "NOT ", "a = 1", "", ""},
    {"SELECT * FROM t WHERE a = ", "[", "1", "]", ""},
    {"SELECT * FROM t WHERE a = ", "{1: ", "1", "}", ""},
    {"SELECT ", "f(", "a", ")", " FROM t"},
    {"SELECT ", "- ", "a", "", " FROM t"},
    {"SELECT ", "(int)", "a", "", " FROM t"},
    {"SELECT a", "[(int)", "1", "]", " FROM t"},
    {"CREATE TABLE t (a ", "list<", "int", ">", " PRIMARY KEY)"},
    {"CREATE TABLE t (a ", "map<int, ", "int", ">", " PRIMARY KEY)"},
    {"CREATE TABLE t (a ", "tuple<int, 'Int32Type', \"y\".z, ", "int", ">", " PRIMARY KEY)"},
    {"SELECT a", "", "", " + 1", " FROM t"},
    {"SELECT a", "", "", " * 2", " FROM t"},
    {"SELECT a", "", "", ".b", " FROM t"},
    {"SELECT a", "", "", "[1]", " FROM t"},
    {"SELECT a", "", "", " -1", " FROM t"},
};

TEST(Bounds, FiftyDeepIsFineAndRoundTrips) {
  for (const Shape& shape : kShapes) {
    const std::string text = shape.Make(45);
    const Result<Statement> statement = Parse(text);
    ASSERT_TRUE(statement.ok()) << text << "\n" << statement.error().message;
    EXPECT_TRUE(Parse(Print(*statement)).value() == *statement) << text;
  }
}

TEST(Bounds, DeeperThanTheLimitIsRefusedAtAnyDepth) {
  for (const Shape& shape : kShapes) {
    for (const size_t depth : {limits::kNestingMax + 1, size_t{5'000}, size_t{100'000}}) {
      const Result<Statement> statement = Parse(shape.Make(depth));
      ASSERT_FALSE(statement.ok()) << shape.open << shape.close;
      EXPECT_THAT(statement.error().message,
                  testing::HasSubstr("Statement is nested too deeply: the maximum depth is 100"));
    }
  }
}

TEST(Bounds, OpenBracketsAlone) {
  for (const char* piece : {"(", "[", "{", "((", "([{", "list<", "NOT ", "- ", "(a)", ")(", "<a"}) {
    for (const char* begin : {"", "SELECT ", "SELECT * FROM t WHERE ", "CREATE TABLE t (a "}) {
      EXPECT_FALSE(Parse(begin + Repeat(piece, 20'000)).ok()) << begin << piece;
    }
  }
}

// A statement with very many conditions or clauses is long, but not deeply nested. So it is accepted.
TEST(Bounds, LongIsNotDeep) {
  for (const std::string& text :
       {"SELECT * FROM t WHERE a < 1" + Repeat(" AND a < 1 AND b > 2 AND c <= d(1)", 500),
        "SELECT * FROM t WHERE 1 < a < 2" + Repeat(" AND 1<a<2 AND 'x' < b < 'y' AND c < ?", 500),
        "SELECT * FROM t WHERE a IN (1" + Repeat(", 1", 5'000) + ")",
        "SELECT * FROM t WHERE a IN ((1)" + Repeat(", (-1)", 5'000) + ")",
        "SELECT * FROM t WHERE NOT a = 1" + Repeat(" AND NOT a = 1", 500),
        "SELECT a" + Repeat(", -a, (int)a, - 1, a.b, l[1], CAST(a AS text)", 500) + " FROM t",
        "CREATE TABLE t (k int PRIMARY KEY" + Repeat(", a list<frozen<map<int, tuple<int>>>>", 500) + ")",
        "BEGIN BATCH " + Repeat("INSERT INTO t (a, b) VALUES (1, -2);", 500) + " APPLY BATCH"}) {
    const Result<Statement> statement = Parse(text);
    EXPECT_TRUE(statement.ok()) << text.substr(0, 80) << "\n" << (statement.ok() ? "" : statement.error().message);
  }
}

TEST(Bounds, SizeAndNumberOfPieces) {
  const std::string blob = "INSERT INTO t (a) VALUES (0x" + Repeat("00", 1 << 19) + ")";
  EXPECT_TRUE(Parse(blob).ok());
  const Result<Statement> large =
      Parse("INSERT INTO t (a) VALUES ('" + std::string(limits::kStatementBytesMax, 'x') + "')");
  ASSERT_FALSE(large.ok());
  EXPECT_EQ(large.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(large.error().message, "Statement is too long: the maximum number of bytes is 16777216");
  const Result<Statement> many =
      Parse("SELECT * FROM t WHERE a IN (1" + Repeat(",1", limits::kStatementTokensMax / 2) + ")");
  ASSERT_FALSE(many.ok());
  EXPECT_THAT(many.error().message, testing::HasSubstr("too many words and symbols: the maximum is 500000"));
}

TEST(Bounds, UnclosedThingsPointAtTheirBeginning) {
  const struct {
    const char* text;
    uint32_t begin;
    const char* message;
  } cases[] = {
      {"SELECT 'abc", 7, "line 1:11 mismatched character '<EOF>' expecting '''"},
      {"SELECT 'it''s", 7, "line 1:13 mismatched character '<EOF>' expecting '''"},
      {"SELECT \"abc", 7, "line 1:11 mismatched character '<EOF>' expecting '\"'"},
      {"SELECT\n $$abc", 8, "line 2:6 mismatched character '<EOF>' expecting '$'"},
      {"SELECT a /* b\nc", 9, "line 2:1 mismatched character '<EOF>' expecting '*'"},
  };
  for (const auto& c : cases) {
    const Result<size_t> status = CheckBounds(c.text);
    ASSERT_FALSE(status.ok()) << c.text;
    EXPECT_EQ(status.error().message, c.message);
    EXPECT_EQ(status.error().range->begin, c.begin);
    EXPECT_THAT(status.error().hint, testing::HasSubstr("begins here is never closed"));
  }
}

TEST(Bounds, TextThatIsNotUtf8) {
  for (const char* bad : {"\xFF", "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE4\xB8", "\x80"}) {
    const Result<Statement> statement = Parse(std::string("SELECT '") + bad + "' FROM t");
    ASSERT_FALSE(statement.ok());
    EXPECT_EQ(statement.error().message, "Cannot decode string as UTF8");
    EXPECT_EQ(statement.error().range->begin, 8u);
  }
  EXPECT_TRUE(Parse("SELECT '\xF0\x9F\x98\x80 \xE6\xB1\x89' FROM t").ok());
}

}  // namespace
}  // namespace widerow
