#include "parser/keywords.h"

#include <gmock/gmock.h>

#include <set>

#include "parser/parse.h"
#include "parser/print.h"

namespace widerow {
namespace {

// Cassandra 5.0.9 reserves these words: its parser refuses them as names of columns.
const std::set<std::string> kCassandraReserved = {
    "ADD",      "ALLOW",        "ALTER",        "AND",    "APPLY",       "ASC",      "AUTHORIZE", "BATCH",   "BEGIN",
    "BY",       "COLUMNFAMILY", "CREATE",       "DELETE", "DESC",        "DESCRIBE", "DROP",      "ENTRIES", "EXECUTE",
    "FROM",     "FULL",         "GRANT",        "IF",     "IN",          "INDEX",    "INSERT",    "INTO",    "IS",
    "KEYSPACE", "LIMIT",        "MATERIALIZED", "MODIFY", "NORECURSIVE", "NOT",      "NULL",      "OF",      "ON",
    "OR",       "ORDER",        "PRIMARY",      "RENAME", "REVOKE",      "SCHEMA",   "SELECT",    "SET",     "TO",
    "TOKEN",    "TRUNCATE",     "UNLOGGED",     "UPDATE", "USE",         "USING",    "VIEW",      "WHERE",   "WITH",
    "TABLE",    "NAN",          "INFINITY"};

std::vector<std::string> AllKeywords() {
  std::vector<std::string> words = {"TABLE", "COLUMNFAMILY", "TABLES", "COLUMNFAMILIES"};
  for (size_t type = 1; type < 400; ++type) {
    if (const auto word = KeywordOf(type)) words.push_back(*word);
  }
  return words;
}

TEST(Keywords, ReservedExactlyAsInCassandra) {
  size_t unreserved = 0;
  for (const std::string& word : AllKeywords()) {
    EXPECT_EQ(IsReservedWord(word), kCassandraReserved.contains(word)) << word;
    unreserved += !IsReservedWord(word);
  }
  EXPECT_GT(unreserved, 100u);
}

// Words that Cassandra does not reserve can be names of columns. Widerow must accept them, also if they are keywords of
// its own.
TEST(Keywords, EveryUnreservedOneNamesColumns) {
  std::string columns = "k int", names = "k", values = "1", assignments, where = "k = 1", fields;
  for (const std::string& word : AllKeywords()) {
    if (IsReservedWord(word)) continue;
    columns += ", " + word + " int";
    names += ", " + word;
    values += ", ?";
    assignments += (assignments.empty() ? "" : ", ") + word + " = " + word + " + 1";
    where += " AND " + word + " >= 5";
    fields += (fields.empty() ? "" : ", ") + word + ": 1";
  }
  for (const std::string& text :
       {"CREATE TABLE t (" + columns + ", PRIMARY KEY ((" + names + "), " + names + "))",
        "INSERT INTO t (" + names + ") VALUES (" + values + ")",
        "SELECT " + names + " FROM t WHERE " + where + " GROUP BY " + names + " ORDER BY " + names,
        "UPDATE t SET " + assignments + " WHERE " + where + " IF " + where,
        "DELETE " + names + " FROM t WHERE " + where, "INSERT INTO t (a) VALUES ({" + fields + "})"}) {
    const Result<Statement> statement = Parse(text);
    ASSERT_TRUE(statement.ok()) << text << "\n" << statement.error().message;
    EXPECT_TRUE(Parse(Print(*statement)).value() == *statement) << text;
  }
}

TEST(Keywords, EveryUnreservedOneNamesEverythingElse) {
  for (const std::string& word : AllKeywords()) {
    if (IsReservedWord(word)) continue;
    for (const std::string& text :
         {"SELECT " + word + " FROM " + word + "." + word + " WHERE " + word + " = :" + word,
          "SELECT a AS " + word + ", a." + word + " FROM t",
          "USE " + word,
          "DROP KEYSPACE " + word,
          "CREATE KEYSPACE " + word + " WITH " + word + " = 1",
          "DROP TABLE IF EXISTS " + word,
          "TRUNCATE " + word,
          "CREATE INDEX " + word + " ON " + word + " (" + word + ")",
          "DROP INDEX " + word,
          "ALTER TABLE " + word + " ADD " + word + " int",
          "ALTER TABLE t DROP " + word,
          "ALTER TABLE t RENAME " + word + " TO " + word,
          "ALTER TABLE t ALTER " + word + " TYPE int",
          "CREATE TYPE t (" + word + " int)",
          "CREATE ROLE " + word,
          "GRANT " + word + " TO " + word,
          "CREATE MATERIALIZED VIEW " + word + " AS SELECT * FROM t PRIMARY KEY (" + word + ")",
          "CREATE TABLEGROUP " + word,
          "DESCRIBE TABLE " + word,
          "SELECT " + word + " - 1, " + word + "['x'] FROM t",
          "UPDATE t SET " + word + "[1] = 2, " + word + " += {1} WHERE k = 1",
          "GRANT SELECT ON " + word + " TO r",
          "SELECT * FROM t WHERE 1 < " + word + " < 2 AND " + word + " BETWEEN 1 AND 2 OR " + word + " IN (1)",
          "SELECT * FROM t WHERE (" + word + ", b) > (1, 2) AND token(" + word + ") > 5"}) {
      const Result<Statement> statement = Parse(text);
      ASSERT_TRUE(statement.ok()) << text << "\n" << statement.error().message;
      EXPECT_TRUE(Parse(Print(*statement)).value() == *statement) << text;
    }
  }
}

TEST(Keywords, ReservedOnesNeedQuotes) {
  for (const std::string& word : kCassandraReserved) {
    const Result<Statement> bare = Parse("CREATE TABLE t (k int PRIMARY KEY, " + word + " int)");
    EXPECT_FALSE(bare.ok()) << word;
    std::string lower = word;
    for (char& c : lower) c = static_cast<char>(c | 0x20);
    const Result<Statement> quoted = Parse("SELECT \"" + lower + "\" FROM t");
    ASSERT_TRUE(quoted.ok());
    EXPECT_EQ(Print(*quoted), "SELECT \"" + lower + "\" FROM t");
  }
}

TEST(Keywords, AnyCase) {
  const Result<Statement> upper = Parse("SELECT A FROM T WHERE K = 1 ORDER BY C DESC ALLOW FILTERING");
  const Result<Statement> mixed = Parse("sElEcT a fRoM t wHeRe k = 1 oRdEr bY c dEsC aLlOw fIlTeRiNg");
  ASSERT_TRUE(upper.ok() && mixed.ok());
  EXPECT_TRUE(*upper == *mixed);
}

}  // namespace
}  // namespace widerow
