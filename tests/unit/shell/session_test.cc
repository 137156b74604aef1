// Tests sessions of the shell: statements, COPY in both directions, and broken files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <streambuf>

#include "session_fixture.h"
#include "shell/interrupt.h"

namespace widerow {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

INSTANTIATE_TEST_SUITE_P(Doors, SessionTest, ::testing::Values(false, true),
                         [](const auto& test) { return test.param ? "Http" : "InProcess"; });

TEST_P(SessionTest, StatementsAndFormats) {
  Run("CREATE TABLE t (k int, c int, v text, PRIMARY KEY (k, c)); INSERT INTO t (k, c, v) VALUES (1, 1, 'a');"
      "INSERT INTO t (k, c) VALUES (1, 2);");
  EXPECT_EQ(Run("SELECT c, v FROM t WHERE k = 1;"), " c | v\n---+------\n 1 | a\n 2 | null\n\n(2 rows)\n");
  EXPECT_EQ(Run("\\format json\nSELECT c, v FROM t WHERE k = 1;"), "{\"c\":1,\"v\":\"a\"}\n{\"c\":2,\"v\":null}\n");
  EXPECT_EQ(Run("\\format csv\nSELECT c, v FROM t WHERE k = 1"), "c,v\n1,a\n2,\n");
  EXPECT_EQ(Run("\\format table"), "");
  EXPECT_EQ(Run("\\x\nSELECT v FROM t WHERE k = 1 AND c = 1;"),
            "@ Row 1\n---+---\n v | a\n\n(1 row)\n! Expanded output is on.\n");
  EXPECT_EQ(Run("\\x"), "! Expanded output is off.\n");
  EXPECT_EQ(ran_, Interpreter::Ran::kOk);
}

TEST_P(SessionTest, TypesOfEveryShapeComeBackTheSame) {
  Run("CREATE TYPE address (street text, n int);"
      "CREATE TABLE t (k int PRIMARY KEY, m map<text, frozen<list<decimal>>>, a frozen<address>, u tuple<int, text>, x "
      "varint);"
      "INSERT INTO t (k, m, a, u, x) VALUES (1, {'p': [1.10, 2E+3]}, {street: 'it''s', n: null}, (1, 'z'), "
      "123456789012345678901234567890);");
  EXPECT_EQ(ran_, Interpreter::Ran::kOk) << err_.str();
  EXPECT_EQ(Run("\\format json\nSELECT * FROM t;"),
            "{\"k\":1,\"a\":{\"street\": \"it's\", \"n\": null},\"m\":{\"p\": [1.10, 2E+3]},\"u\":[1, \"z\"],"
            "\"x\":123456789012345678901234567890}\n");
}

TEST_P(SessionTest, ErrorsWithCaretsStopAScript) {
  Run("CREATE TABLE t (k int PRIMARY KEY, v int);");
  const std::string text =
      Run("SELECT * FROM t WHERE k = 1;\n\nSELECT k,\n  nope FROM t; INSERT INTO t (k) VALUES (1);", "a.cql");
  EXPECT_EQ(ran_, Interpreter::Ran::kFailed);
  EXPECT_THAT(text, HasSubstr("(0 rows)\n! a.cql:4: Invalid: Undefined column name nope"));
  EXPECT_THAT(text, HasSubstr("\n  nope FROM t\n  ^^^^\n"));
  EXPECT_THAT(Run("SELECT k FROM t;"), HasSubstr("(0 rows)"));
  EXPECT_THAT(Run("SELEC 1;"), StartsWith("! SyntaxError: line 1:0 "));
  EXPECT_THAT(Run("\\nope"), "! Error: There is no command \\nope\nhint: \\? lists the commands\n");
}

TEST_P(SessionTest, ShellCommands) {
  EXPECT_THAT(Run("SHOW VERSION"), MatchesRegex("\\[widerow [0-9.]+ \\| CQL spec 3\\.4\\.7\\]\n"));
  EXPECT_THAT(Run("HELP"), HasSubstr("\\timing"));
  EXPECT_THAT(Run("\\timing on\nSHOW HOST"),
              MatchesRegex("Connected to .*\n! Timing is on\\.\nTime: .* ms\nTime: .* ms\n"));
  Run("\\timing off");
  EXPECT_EQ(Run("PAGING 10"), "! Paging is on: 10 rows a page.\n");
  Write("s.cql",
        "CREATE TABLE t (k int PRIMARY KEY);\nINSERT INTO t (k) VALUES (5);\nDESCRIBE TABLES\nSELECT k FROM t\n");
  EXPECT_EQ(Run("SOURCE '" + Path("s.cql") + "'"),
            "Keyspace " + keyspace_ + "\n" + std::string(9 + keyspace_.size(), '-') + "\nt\n k\n---\n 5\n\n(1 row)\n");
  Write("loop.cql", "SOURCE '" + Path("loop.cql") + "'\n");
  EXPECT_THAT(Run("SOURCE '" + Path("loop.cql") + "'"), HasSubstr("nested too deep"));
  EXPECT_THAT(Run("SOURCE '/nowhere/x'"), HasSubstr("Cannot read /nowhere/x: No such file"));
  EXPECT_THAT(Run("DESC TABLE t"), HasSubstr("CREATE TABLE " + keyspace_ + ".t (\n"));
  EXPECT_THAT(Run("EXPLAIN SELECT * FROM t WHERE k = 1;"), HasSubstr("PointLookup"));
  EXPECT_EQ(Run("ADVISE TABLE t;"), "Nothing to advise.\n");
  Run("CREATE TABLE priced (k int PRIMARY KEY, price float);");
  EXPECT_THAT(Run("ADVISE TABLE priced;"),
              HasSubstr("warning float-money  " + keyspace_ +
                        ".priced (price), declared\n  price is a float, and money by its name\n  why  "));
  EXPECT_THAT(Run("ADVISE TABLE priced;"),
              HasSubstr("\n  fix  ALTER TABLE " + keyspace_ + ".priced ADD price_exact decimal;\n"));
  Run("EXIT\nINSERT INTO t (k) VALUES (6);");
  EXPECT_EQ(ran_, Interpreter::Ran::kExit);
}

TEST_P(SessionTest, AScriptOfManyPages) {
  Run("CREATE TABLE t (k int, c int, PRIMARY KEY (k, c));");
  std::string csv;
  for (int i = 0; i < 5'000; ++i) csv += "1," + std::to_string(i) + "\n";
  Write("in.csv", csv);
  EXPECT_THAT(Run("COPY t FROM '" + Path("in.csv") + "';"),
              MatchesRegex("5000 rows imported in .* s \\(.* rows/s\\)\n"));
  EXPECT_THAT(Run("SELECT c FROM t;"), HasSubstr(" 4999\n\n(5000 rows)\n"));
}

TEST_P(SessionTest, PagesWaitForTheReader) {
  Start({.pause_between_pages = true});
  Run("USE " + keyspace_ + "; CREATE TABLE t (k int, c int, PRIMARY KEY (k, c)); PAGING 2;");
  for (int i = 0; i < 6; ++i) Run("INSERT INTO t (k, c) VALUES (1, " + std::to_string(i) + ");");
  in_.str("\nq\n");
  const std::string text = Run("SELECT c FROM t;");
  EXPECT_THAT(text, HasSubstr("---MORE---"));
  EXPECT_THAT(text, HasSubstr("(4 rows)"));
}

// Simulates a user who does something else before each line break: each read calls `before_next`, then returns one.
class BusyReader : public std::streambuf {
 public:
  explicit BusyReader(std::function<void()> before_next) : before_next_(std::move(before_next)) {}

 protected:
  int underflow() override {
    before_next_();
    setg(&enter_, &enter_, &enter_ + 1);
    return enter_;
  }

 private:
  const std::function<void()> before_next_;
  char enter_ = '\n';
};

TEST_P(SessionTest, PagesWithOtherColumnsAreNotPrintedUnderTheFirstHeader) {
  Run("CREATE TABLE t (k int, c int, v text, PRIMARY KEY (k, c));");
  for (int i = 0; i < 6; ++i) Run("INSERT INTO t (k, c, v) VALUES (1, " + std::to_string(i) + ", 'v');");
  BusyReader reader(
      [&] { ASSERT_TRUE(Server().database().Execute("ALTER TABLE " + keyspace_ + ".t ADD extra text").ok()); });
  std::istream in(&reader);
  interpreter_ = std::make_unique<Interpreter>(*session_, InterpreterOptions{.pause_between_pages = true},
                                               ShellStreams{in, out_, err_});
  Run("USE " + keyspace_ + "; PAGING 2;");
  const std::string text = Run("SELECT * FROM t;");
  EXPECT_EQ(ran_, Interpreter::Ran::kFailed);
  EXPECT_THAT(text, HasSubstr(" 1 | 1 | v\n"));
  EXPECT_THAT(text, HasSubstr("The columns of the result have changed between two of its pages"));
}

TEST_P(SessionTest, CopyOutAndInWithEveryType) {
  const std::string columns =
      "(k int PRIMARY KEY, a ascii, b bigint, bl blob, bo boolean, d date, de decimal, du duration, db double, f "
      "float, i inet, "
      "l list<text>, m map<int, text>, s set<timestamp>, si smallint, t text, ti time, ts timestamp, tu tuple<int, "
      "text>, "
      "ty tinyint, tuid timeuuid, u uuid, v varint, ve vector<float, 2>, ud frozen<address>)";
  Run("CREATE TYPE address (street text, n int); CREATE TABLE a " + columns + "; CREATE TABLE b " + columns + ";");
  ASSERT_EQ(ran_, Interpreter::Ran::kOk) << err_.str();
  Run("INSERT INTO a (k, a, b, bl, bo, d, de, du, db, f, i, l, m, s, si, t, ti, ts, tu, ty, tuid, u, v, ve, ud) VALUES "
      "(1, 'x', "
      "-9223372036854775808, 0x00ff, true, '2013-01-31', -1.100E-5, 1y2mo3d4h, 0.1, NaN, '::1', ['a,b', 'it''s', "
      "'\"'], "
      "{1: 'x: y', 2: ''}, {'2013-01-01 05:00:00.123+0000'}, -3, 'multi\nline, \"quoted\"', '10:20:30.000000001', "
      "'2013-01-01T10:00:00Z', (null, 'z'), 7, 50554d6e-29bb-11e5-b345-feff819cdc9f, "
      "00000000-0000-4000-8000-000000000001, "
      "123456789012345678901234567890, [1.5, -2], {street: 'a: b', n: null});"
      "INSERT INTO a (k, t, db) VALUES (2, '', -Infinity); INSERT INTO a (k, t) VALUES (3, 'NULL');"
      "INSERT INTO a (k) VALUES (4);");
  ASSERT_EQ(ran_, Interpreter::Ran::kOk) << err_.str();
  for (const std::string& options :
       {std::string("HEADER=TRUE"), std::string("HEADER=TRUE AND DELIMITER='|' AND NULL='NULL' AND QUOTE='%'"),
        std::string("HEADER=FALSE AND ESCAPE='\\'")}) {
    EXPECT_THAT(Run("COPY a TO '" + Path("a.csv") + "' WITH " + options + ";"),
                MatchesRegex("4 rows exported in .*\n"));
    Run("TRUNCATE b;");
    EXPECT_THAT(Run("COPY b FROM '" + Path("a.csv") + "' WITH " + options + ";"),
                MatchesRegex("4 rows imported in [0-9.]+ s \\(.* rows/s\\)\n"));
    Run("COPY b TO '" + Path("b.csv") + "' WITH " + options + ";");
    EXPECT_EQ(Read("a.csv"), Read("b.csv"));
    Run("\\format json");
    const std::string original = Run("SELECT * FROM a;");
    EXPECT_THAT(original, HasSubstr("123456789012345678901234567890"));
    EXPECT_EQ(Run("SELECT * FROM b;"), original);
  }
}

TEST_P(SessionTest, CopyOfGeneratedColumns) {
  Run("CREATE TABLE g (k text GENERATED ALWAYS AS (splice(',', zero_pad(d, 4), s)), b int GENERATED ALWAYS AS "
      "(bucket(d, 4)), "
      "d int, s text, PRIMARY KEY ((b, k), d)); CREATE TABLE h (k text GENERATED ALWAYS AS (splice(',', zero_pad(d, "
      "4), s)), "
      "b int GENERATED ALWAYS AS (bucket(d, 2)), d int, s text, PRIMARY KEY ((b, k), d));");
  Write("in.csv", "7,x\n8,y\n7,z\n");
  EXPECT_THAT(Run("COPY g (d, s) FROM '" + Path("in.csv") + "';"), StartsWith("3 rows imported"));
  // COPY TO writes the generated columns too, and COPY FROM accepts them. A table that computes other values refuses
  // them.
  Run("COPY g TO '" + Path("g.csv") + "' WITH HEADER=TRUE;");
  EXPECT_THAT(Read("g.csv"), HasSubstr("3,\"0007,x\",7,x"));
  Run("TRUNCATE g;");
  EXPECT_THAT(Run("COPY g FROM '" + Path("g.csv") + "' WITH HEADER=TRUE;"), StartsWith("3 rows imported"));
  EXPECT_THAT(Run("COPY h FROM '" + Path("g.csv") + "' WITH HEADER=TRUE;"), Not(StartsWith("3 rows imported")));
  // To change the number of buckets, export all columns but the generated ones, and import them into a new table.
  Run("COPY g (d, s) TO '" + Path("h.csv") + "' WITH HEADER=TRUE; TRUNCATE h;");
  EXPECT_THAT(Run("COPY h FROM '" + Path("h.csv") + "' WITH HEADER=TRUE;"), StartsWith("3 rows imported"));
}

TEST_P(SessionTest, CopyToStandardOutput) {
  Run("CREATE TABLE t (k int PRIMARY KEY, v text); INSERT INTO t (k, v) VALUES (1, 'a,b'); INSERT INTO t (k) VALUES "
      "(2);");
  EXPECT_EQ(Run("COPY t (v, k) TO STDOUT WITH HEADER=TRUE AND NULL='-';"), "v,k\n\"a,b\",1\n-,2\n");
}

TEST_P(SessionTest, CopyFromStandardInputUpToItsEndMark) {
  Run("CREATE TABLE t (k int PRIMARY KEY, v text);");
  in_.str("1,a\n2,b\n\\.\n3,c\n");
  EXPECT_THAT(Run("COPY t FROM STDIN;"), StartsWith("2 rows imported"));
  std::string left;
  std::getline(in_, left);
  EXPECT_EQ(left, "3,c");
}

TEST_P(SessionTest, BadRowsAreReportedAndTheRestGoesIn) {
  Run("CREATE TABLE t (k int, c int, v int, PRIMARY KEY (k, c));");
  const std::string path = Write("in.csv",
                                 "k,c,v\n1,1,10\n1,2\n1,x,3\n,4,4\n1,5,\"5\n6\"\n1,6,\"6\" "
                                 "x\n1,7,70000000000\n1,8,80\n\"1\",9,\"open\n1,10,100\n");
  EXPECT_THAT(
      Run("COPY t FROM '" + path + "' WITH HEADER=TRUE AND CHUNKSIZE=3;"),
      MatchesRegex("3 rows imported in .* s \\(.* rows/s\\), 7 bad rows → .*/in\\.csv\\.err \\(first: line .*\\)\n"));
  EXPECT_EQ(Run("\\format csv\nSELECT c, v FROM t;"), "c,v\n1,10\n8,80\n10,100\n");
  std::istringstream errors(Read("in.csv.err"));
  std::vector<std::string> starts;
  for (std::string line; std::getline(errors, line);) starts.push_back(line);
  std::sort(starts.begin() + 1, starts.end());
  EXPECT_EQ(starts[0], "_line,_column,_reason,k,c,v");
  const std::string all = Read("in.csv.err");
  EXPECT_THAT(all, HasSubstr("\n3,,\"expected 3 fields, found 2\",1,2\n"));
  EXPECT_THAT(all, HasSubstr("\n4,c,\""));
  EXPECT_THAT(all, HasSubstr("\",1,x,3\n"));
  EXPECT_THAT(all, HasSubstr("\n5,k,\"null in a primary key column\",,4,4\n"));
  EXPECT_THAT(all, HasSubstr("\n6,v,\""));
  EXPECT_THAT(all, HasSubstr("\",1,5,\"5\n6\"\n"));
  EXPECT_THAT(all, HasSubstr("\n8,,\"text after the closing quote of field 3\",1,6,\"6\" x\n"));
  EXPECT_THAT(all, HasSubstr("\n9,v,\""));
  EXPECT_THAT(all, HasSubstr("\n11,,\"the quote of field 3 is never closed\",\"1\",9,\"open\n"));
}

TEST_P(SessionTest, TheErrorFileGoesBackInWhenMended) {
  Run("CREATE TABLE t (k int PRIMARY KEY, v int);");
  const std::string path = Write("in.csv", "k,v\n1,one\n2,2\n");
  Run("COPY t FROM '" + path + "' WITH HEADER=TRUE;");
  std::string errors = Read("in.csv.err");
  errors.replace(errors.rfind("1,one"), 5, "1,1");
  Write("in.csv.err", errors);
  EXPECT_THAT(Run("COPY t FROM '" + path + ".err' WITH HEADER=TRUE AND IGNOREUNKNOWN=TRUE;"),
              StartsWith("1 row imported"));
  EXPECT_THAT(Run("SELECT COUNT(*) FROM t;"), HasSubstr(" 2\n"));
}

TEST_P(SessionTest, WhatTheDatabaseRefusesIsFoundRowByRow) {
  Run("CREATE TABLE t (k text PRIMARY KEY, v int);");
  std::string csv;
  for (int i = 0; i < 300; ++i) csv += (i == 137 ? std::string(70'000, 'x') : "k" + std::to_string(i)) + ",1\n";
  const std::string path = Write("in.csv", csv);
  EXPECT_THAT(Run("COPY t FROM '" + path + "';"),
              MatchesRegex("299 rows imported .*1 bad row → .*first: line 138: .*70000.*\n"));
  EXPECT_THAT(Run("SELECT COUNT(*) FROM t;"), HasSubstr(" 299\n"));
}

TEST_P(SessionTest, NoRowIsLostWhateverTheBatchAndThePlaceOfTheBadOne) {
  Run("CREATE TABLE t (k text PRIMARY KEY, v int);");
  for (const int chunk : {1, 2, 3, 7, 9, 17, 64, 100}) {
    std::string csv;
    for (int i = 0; i < 100; ++i)
      csv += (i == chunk % 100 ? std::string(70'000, 'x') : "k" + std::to_string(i)) + ",1\n";
    Run("TRUNCATE t;");
    EXPECT_THAT(
        Run("COPY t FROM '" + Write("in.csv", csv) + "' WITH WORKERS=1 AND CHUNKSIZE=" + std::to_string(chunk) + ";"),
        StartsWith("99 rows imported"));
    EXPECT_THAT(Run("SELECT COUNT(*) FROM t;"), HasSubstr(" 99\n"));
  }
}

TEST_P(SessionTest, TooManyBadRowsStopTheImport) {
  Run("CREATE TABLE t (k int PRIMARY KEY);");
  const std::string path = Write("in.csv", "1\nx\ny\nz\n");
  const std::string text = Run("COPY t FROM '" + path + "' WITH MAXERRORS=1 AND CHUNKSIZE=1 AND WORKERS=1;");
  EXPECT_EQ(ran_, Interpreter::Ran::kFailed);
  EXPECT_THAT(text, HasSubstr("More than 1 bad rows (MAXERRORS); the first: line 2, column k: "));
  EXPECT_THAT(text, HasSubstr("1 row is in"));
  EXPECT_THAT(text, HasSubstr("continue WITH RESUME=TRUE or SKIPROWS=2 (line 3)"));
}

TEST_P(SessionTest, OfTwoLinesWithOneKeyTheLaterStays) {
  Run("CREATE TABLE t (k int PRIMARY KEY, v int, w int);");
  std::string csv;
  for (int i = 0; i < 2'000; ++i)
    csv += std::to_string(i % 10) + "," + std::to_string(5'000 - i) + "," + std::to_string(i) + "\n";
  Run("COPY t FROM '" + Write("in.csv", csv) + "' WITH WORKERS=4 AND CHUNKSIZE=50;");
  EXPECT_EQ(Run("\\format csv\nSELECT v, w FROM t WHERE k = 3;"), "v,w\n3007,1993\n");
}

TEST_P(SessionTest, AnEmptyCellLeavesWhatIsThere) {
  Run("CREATE TABLE t (k int PRIMARY KEY, v int, w text); INSERT INTO t (k, v, w) VALUES (1, 5, 'old');");
  Run("COPY t FROM '" + Write("in.csv", "1,,\"\"\n") + "';");
  EXPECT_EQ(Run("\\format csv\nSELECT v, w FROM t;"), "v,w\n5,\"\"\n");
}

// Over HTTP, COPY sends a row with parameters if the row has one of the first few combinations of nulls that occur. It
// sends all other rows as literals.
TEST_P(SessionTest, EveryCombinationOfNulls) {
  Run("CREATE TABLE t (k int PRIMARY KEY, a int, b text, c decimal);");
  std::string csv;
  for (int i = 0; i < 64; ++i) {
    csv +=
        std::to_string(i) + "," + (i & 1 ? "1" : "") + "," + (i & 2 ? "it's" : "") + "," + (i & 4 ? "1.50" : "") + "\n";
  }
  EXPECT_THAT(Run("COPY t FROM '" + Write("in.csv", csv) + "' WITH WORKERS=2;"), StartsWith("64 rows imported"));
  for (int i = 0; i < 64; ++i) {
    EXPECT_EQ(
        Run("\\format csv\nSELECT a, b, c FROM t WHERE k = " + std::to_string(i)),
        std::string("a,b,c\n") + (i & 1 ? "1" : "") + "," + (i & 2 ? "it's" : "") + "," + (i & 4 ? "1.50" : "") + "\n");
  }
}

TEST_P(SessionTest, ColumnsByHeaderSkippedAndComputed) {
  Run("CREATE TABLE t (b int, at timestamp, host text, PRIMARY KEY (b, at, host));");
  const std::string path = Write("in.csv", "host,at,junk\nh1,2013-01-01T10:00:00Z,1\nh2,2013-01-01T10:00:01Z,2\n");
  EXPECT_THAT(Run("COPY t FROM '" + path + "' WITH HEADER=TRUE AND SET={'b': 'bucket(:at, 16)'};"),
              HasSubstr("has no column junk"));
  EXPECT_THAT(
      Run("COPY t FROM '" + path + "' WITH HEADER=TRUE AND IGNOREUNKNOWN=TRUE AND SET={'b': 'bucket(:at, 16)'};"),
      StartsWith("2 rows imported"));
  EXPECT_EQ(Run("\\format csv\nSELECT b, host FROM t WHERE b IN (0, 1);"), "b,host\n0,h1\n1,h2\n");
  EXPECT_THAT(
      Run("COPY t FROM '" + path + "' WITH HEADER=TRUE AND IGNOREUNKNOWN=TRUE AND SET={'b': 'nofunction(:at)'};"),
      HasSubstr("nofunction"));
  EXPECT_EQ(ran_, Interpreter::Ran::kFailed);
  EXPECT_THAT(Run("COPY t (host, at, -) FROM '" + path + "';"), HasSubstr("no field for the primary key column b"));
}

TEST_P(SessionTest, CopyAddsToCounters) {
  Run("CREATE TABLE hits (page text, day int, views counter, errors counter, PRIMARY KEY (page, day));"
      "UPDATE hits SET views = views + 100 WHERE page = 'b' AND day = 1;");
  const std::string path =
      Write("in.csv", "day,views,page,errors\n1,5,a,-1\n1,7,b,\n2,,b,3\n1,1,a,1\n1,1,c,x\n1,,d,\n");
  const std::string text = Run("COPY hits FROM '" + path + "' WITH HEADER=TRUE AND WORKERS=2;");
  EXPECT_THAT(text, StartsWith("4 rows imported")) << text;
  EXPECT_THAT(Read("in.csv.err"), HasSubstr("1,1,c,x"));
  EXPECT_THAT(Read("in.csv.err"), HasSubstr("it has no value for a counter"));
  EXPECT_EQ(Run("\\format csv\nSELECT * FROM hits WHERE page IN ('a', 'b');"),
            "page,day,errors,views\na,1,0,6\nb,1,,107\nb,2,3,\n");
  Run("COPY hits TO '" + Path("out.csv") + "'; TRUNCATE hits;");
  EXPECT_THAT(Run("COPY hits FROM '" + Path("out.csv") + "';"), StartsWith("3 rows imported"));
  EXPECT_THAT(Run("COPY hits FROM '" + Path("out.csv") + "';"), StartsWith("3 rows imported"));
  EXPECT_EQ(Run("SELECT * FROM hits WHERE page IN ('a', 'b');"), "page,day,errors,views\na,1,0,12\nb,1,,214\nb,2,6,\n");
  EXPECT_THAT(Run("COPY hits FROM '" + Path("out.csv") + "' WITH RESUME=TRUE;"),
              HasSubstr("RESUME is not supported for tables of counters"));
}

TEST_P(SessionTest, SkipAndMaxRows) {
  Run("CREATE TABLE t (k int PRIMARY KEY);");
  EXPECT_THAT(
      Run("COPY t FROM '" + Write("in.csv", "k\n1\n2\n3\n4\n") + "' WITH HEADER=TRUE AND SKIPROWS=1 AND MAXROWS=2;"),
      StartsWith("2 rows imported"));
  EXPECT_EQ(Run("\\format csv\nSELECT k FROM t WHERE k IN (1, 2, 3, 4);"), "k\n2\n3\n");
}

TEST_P(SessionTest, AnImportIsStoredAsItGoes) {
  Run("CREATE TABLE t (k int PRIMARY KEY, v text);");
  std::string csv;
  for (int i = 1; i <= 1'000; ++i) csv += std::to_string(i % 400) + "," + std::to_string(i) + "\n";
  const std::string path = Write("in.csv", csv);
  const std::string text = Run("COPY t FROM '" + path + "' WITH STOREROWS=300 AND CHUNKSIZE=7;");
  EXPECT_THAT(text, HasSubstr("1000 rows imported"));
  if (!GetParam()) {
    EXPECT_THAT(text, HasSubstr("300 rows in so far; SKIPROWS=300 continues after them\n"
                                "600 rows in so far; SKIPROWS=600 continues after them\n"
                                "900 rows in so far; SKIPROWS=900 continues after them\n"));
  }
  EXPECT_THAT(Run("SELECT COUNT(*) FROM t;"), HasSubstr(" 400\n"));
  EXPECT_THAT(Run("SELECT v FROM t WHERE k = 200;"), HasSubstr("1000\n"));
  EXPECT_THAT(Run("SELECT v FROM t WHERE k = 201;"), HasSubstr("601\n"));
}

TEST_P(SessionTest, AnInterruptedImportSaysWhereToGoOn) {
  Run("CREATE TABLE t (k int PRIMARY KEY);");
  in_.str("1\n2\n");
  RaiseInterrupt();
  const std::string text = Run("COPY t FROM STDIN;");
  EXPECT_THAT(text, HasSubstr("Error: Interrupted\nhint: 0 rows are in; continue WITH SKIPROWS=0"));
  EXPECT_EQ(ran_, Interpreter::Ran::kFailed);
  EXPECT_THAT(Run("SELECT COUNT(*) FROM t;"), HasSubstr(" 0\n"));
}

TEST_P(SessionTest, CopyOfWhatIsNotThere) {
  EXPECT_THAT(Run("COPY nope FROM 'x';"), HasSubstr("Cannot read x: No such file or directory"));
  EXPECT_THAT(Run("COPY nope TO 'x';"), HasSubstr("Table " + keyspace_ + ".nope does not exist"));
  Run("CREATE TABLE t (k int PRIMARY KEY);");
  EXPECT_THAT(Run("COPY t FROM '" + Path("") + "';"), HasSubstr("it is a directory"));
  EXPECT_THAT(Run("COPY t TO '/nowhere/x';"), HasSubstr("Cannot write /nowhere/x: No such file or directory"));
  EXPECT_THAT(Run("COPY t FROM '" + Write("empty.csv", "") + "' WITH HEADER=TRUE;"),
              HasSubstr("there is no header line"));
}

TEST(SessionOpenTest, WhatCannotBeReached) {
  EXPECT_THAT(OpenHttpSession("127.0.0.1:1").error().message, StartsWith("Cannot connect to 127.0.0.1:1: "));
  EXPECT_THAT(OpenHttpSession("x:y").error().message, "'x:y' is not an address");
  EXPECT_THAT(OpenLocalSession("/proc/nowhere").ok(), false);
}

// A byte order mark and the end mark of STDIN are data inside of quotes.
TEST_P(SessionTest, CopyKeepsTextsThatLookLikeMarks) {
  Run("CREATE TABLE t (v text PRIMARY KEY, w text);"
      "INSERT INTO t (v) VALUES ('\\.'); INSERT INTO t (v) VALUES ('a'); INSERT INTO t (v, w) VALUES ('b', "
      "'x\n\\.\ny');"
      "INSERT INTO t (v, w) VALUES ('c', '|\n\\.\n,\"'); INSERT INTO t (v, w) VALUES ('d\"', '\\.');"
      "INSERT INTO t (v) VALUES (blob_as_text(0xefbbbf6b)); INSERT INTO t (v) VALUES (blob_as_text(0xefbbbf));");
  const std::string select = "\\format csv\nSELECT text_as_blob(v), text_as_blob(w) FROM t;", before = Run(select);
  EXPECT_EQ(std::count(before.begin(), before.end(), '\n'), 8) << before;
  for (const char* options : {"", " WITH HEADER = true", " WITH QUOTE = '|' AND ESCAPE = '!'"}) {
    Run("COPY t TO '" + Path("marks.csv") + "'" + options + ";");
    for (const bool by_stdin : {false, true}) {
      in_.clear();
      in_.str(Read("marks.csv") + "\\.\nnot a row\n");
      Run("TRUNCATE t; COPY t FROM " + (by_stdin ? "STDIN" : "'" + Path("marks.csv") + "'") + options + ";");
      EXPECT_EQ(Run(select), before) << options << by_stdin << Read("marks.csv");
    }
  }
}

// The later line of a key counts, also if the key is written in another way.
TEST_P(SessionTest, CopyFromKnowsKeysByTheirValues) {
  Run("CREATE TABLE t (k int, u uuid, d decimal, v text, PRIMARY KEY ((k, u), d));");
  std::string file;
  constexpr int kKeys = 200;
  for (int i = 0; i < kKeys; ++i) {
    const std::string k = std::to_string(i), u = "-abcd-4abc-8abc-abcdefabcdef,";
    file += k + ",0000000a" + u + "1.0,z old\n0" + k + ",0000000A" + u + "1.00,a new\n";
  }
  for (const char* workers : {"1", "4"}) {
    Run("TRUNCATE t; COPY t FROM '" + Write("keys.csv", file) + "' WITH WORKERS = " + workers + ";");
    EXPECT_THAT(Run("\\format csv\nSELECT count(*) FROM t WHERE v = 'a new' ALLOW FILTERING;"),
                StartsWith("count\n" + std::to_string(kKeys) + "\n"));
  }
}

}  // namespace
}  // namespace widerow
