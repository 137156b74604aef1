#include <gmock/gmock.h>

#include "parser/parse.h"

namespace widerow {
namespace {

using testing::ElementsAre;

std::vector<std::string> Split(const std::string& script) {
  std::vector<std::string> texts;
  for (const StatementSpan& span : SplitStatements(script)) {
    texts.push_back(script.substr(span.range.begin, span.range.end - span.range.begin) + (span.complete ? ";" : "..."));
  }
  return texts;
}

TEST(SplitStatements, AtSemicolons) {
  EXPECT_THAT(Split("USE a; USE b;\n USE c"), ElementsAre("USE a;", "USE b;", "USE c..."));
  EXPECT_THAT(Split("USE a"), ElementsAre("USE a..."));
  EXPECT_THAT(Split(" ;; USE a ;;\n;"), ElementsAre("USE a;"));
  EXPECT_TRUE(SplitStatements("").empty());
  EXPECT_TRUE(SplitStatements(" \n -- nothing\n /* here; */ ;").empty());
}

TEST(SplitStatements, NotInsideStringsNamesAndComments) {
  EXPECT_THAT(Split("SELECT 'a;b''; c' FROM t; USE x;"), ElementsAre("SELECT 'a;b''; c' FROM t;", "USE x;"));
  EXPECT_THAT(Split("SELECT \"a;b\"\";\" FROM t; USE x;"), ElementsAre("SELECT \"a;b\"\";\" FROM t;", "USE x;"));
  EXPECT_THAT(Split("SELECT $$ a; 'b; $$ FROM t; USE x;"), ElementsAre("SELECT $$ a; 'b; $$ FROM t;", "USE x;"));
  EXPECT_THAT(Split("SELECT a$b FROM t; USE x;"), ElementsAre("SELECT a$b FROM t;", "USE x;"));
  EXPECT_THAT(Split("SELECT -- a; 'b\n 1 FROM t; USE x; // c; d"),
              ElementsAre("SELECT -- a; 'b\n 1 FROM t;", "USE x;"));
  EXPECT_THAT(Split("SELECT /* a; ' */ 1 FROM t; USE x;"), ElementsAre("SELECT /* a; ' */ 1 FROM t;", "USE x;"));
}

TEST(SplitStatements, LeadingAndTrailingCommentsAreLeftOut) {
  EXPECT_THAT(Split("-- one\n/* two */ USE a /* three */; -- four\nUSE b -- five"), ElementsAre("USE a;", "USE b..."));
  EXPECT_THAT(Split("\xEF\xBB\xBFUSE a;"), ElementsAre("USE a;"));
}

TEST(SplitStatements, BatchIsOneStatement) {
  const std::string batch = "BEGIN BATCH INSERT INTO t (a) VALUES (1); UPDATE t SET a = 1 WHERE k = 1; APPLY BATCH";
  EXPECT_THAT(Split(batch + "; USE x;"), ElementsAre(batch + ";", "USE x;"));
  EXPECT_THAT(Split("begin unlogged batch using timestamp 5 delete from t where k = 1; apply batch; USE x;"),
              ElementsAre("begin unlogged batch using timestamp 5 delete from t where k = 1; apply batch;", "USE x;"));
  EXPECT_THAT(Split("EXPLAIN SELECT * FROM t; BEGIN COUNTER BATCH APPLY /* x */ BATCH; USE x;"),
              ElementsAre("EXPLAIN SELECT * FROM t;", "BEGIN COUNTER BATCH APPLY /* x */ BATCH;", "USE x;"));
  EXPECT_THAT(Split("BEGIN BATCH USE a; USE b;"), ElementsAre("BEGIN BATCH USE a; USE b;..."));
  EXPECT_THAT(Split("EXPLAIN ANALYZE " + batch + "; USE x;"), ElementsAre("EXPLAIN ANALYZE " + batch + ";", "USE x;"));
  // In these statements `begin` and `batch` are names and not keywords.
  EXPECT_THAT(Split("SELECT begin, batch FROM t; USE x;"), ElementsAre("SELECT begin, batch FROM t;", "USE x;"));
  EXPECT_THAT(Split("SELECT 'begin' batch FROM t; USE x;"), ElementsAre("SELECT 'begin' batch FROM t;", "USE x;"));
  EXPECT_THAT(Split("BEGIN BATCH INSERT INTO t (a) VALUES ('apply batch'); USE b;"),
              ElementsAre("BEGIN BATCH INSERT INTO t (a) VALUES ('apply batch'); USE b;..."));
}

TEST(SplitStatements, UnclosedThingsRunToTheEnd) {
  EXPECT_THAT(Split("USE a; SELECT 'b; USE c;"), ElementsAre("USE a;", "SELECT 'b; USE c;..."));
  EXPECT_THAT(Split("USE a; SELECT $$b; USE c;"), ElementsAre("USE a;", "SELECT $$b; USE c;..."));
  EXPECT_THAT(Split("USE a; /* b; USE c;"), ElementsAre("USE a;", "/* b; USE c;..."));
}

}  // namespace
}  // namespace widerow
