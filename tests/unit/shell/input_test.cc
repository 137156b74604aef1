#include "shell/input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>

#include "shell/copy_command.h"

namespace widerow {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Splits the lines into commands. Returns "line: text" for each of them, and "…" with the unfinished rest.
std::vector<std::string> Split(const std::vector<std::string>& lines) {
  InputSplitter splitter;
  std::vector<std::string> commands;
  for (const std::string& line : lines) {
    splitter.AddLine(line);
    while (const auto command = splitter.Next())
      commands.push_back(std::to_string(command->line) + ": " + command->text);
  }
  if (const auto command = splitter.Finish())
    commands.push_back("… " + std::to_string(command->line) + ": " + command->text);
  return commands;
}

TEST(InputTest, StatementsEndAtSemicolons) {
  EXPECT_THAT(Split({"SELECT 1; SELECT ';' -- no; end", "FROM t;;", "", "USE x"}),
              ElementsAre("1: SELECT 1", "1: SELECT ';' -- no; end\nFROM t", "… 4: USE x"));
}

TEST(InputTest, ABatchIsOneStatement) {
  EXPECT_THAT(Split({"BEGIN BATCH", "INSERT INTO t (k) VALUES (1);", "APPLY BATCH;"}),
              ElementsAre("1: BEGIN BATCH\nINSERT INTO t (k) VALUES (1);\nAPPLY BATCH"));
}

TEST(InputTest, TheEndOfABatchMayBeSpreadOverLines) {
  EXPECT_THAT(
      Split({"begin batch", "INSERT INTO t (k) VALUES ('apply; batch;');", "INSERT INTO t (k) VALUES (2); apply",
             "-- ;", "batch", ";", "USE a; BEGIN BATCH", "DELETE FROM t WHERE k = 1; APPLY /* ; */ BATCH; USE b;"}),
      ElementsAre(
          "1: begin batch\nINSERT INTO t (k) VALUES ('apply; batch;');\nINSERT INTO t (k) VALUES (2); apply\n-- "
          ";\nbatch",
          "7: USE a", "7: BEGIN BATCH\nDELETE FROM t WHERE k = 1; APPLY /* ; */ BATCH", "8: USE b"));
}

TEST(InputTest, SemicolonsInsideDoNotEndAStatement) {
  EXPECT_THAT(
      Split({"SELECT ';", ";' FROM -- ;", "t", ";", "INSERT INTO t (v) VALUES ($$ ;", "$$);", "BEGIN 'a;", "b';"}),
      ElementsAre("1: SELECT ';\n;' FROM -- ;\nt", "5: INSERT INTO t (v) VALUES ($$ ;\n$$)", "7: BEGIN 'a;\nb'"));
}

// The time grows with the number of lines of a batch, and not with the square of this number.
TEST(InputTest, LongBatches) {
  const auto seconds = [](size_t inserts) {
    std::vector<std::string> lines(inserts, "INSERT INTO t (k, v) VALUES (1, 'a text of some length');");
    lines.insert(lines.begin(), "BEGIN BATCH");
    lines.push_back("APPLY BATCH;");
    const std::clock_t begun = std::clock();
    EXPECT_EQ(Split(lines).size(), 1u);
    return static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
  };
  const double few = seconds(500), many = seconds(4'000);
  EXPECT_LT(many, 24 * few) << few << " s, " << many << " s";
}

TEST(InputTest, ShellCommandsEndWithTheirLine) {
  EXPECT_THAT(Split({"-- a comment", "  DESCRIBE TABLES", "\\timing on", "exit"}),
              ElementsAre("2: DESCRIBE TABLES", "3: \\timing on", "4: exit"));
  EXPECT_THAT(Split({"USE a; DESC TABLE t; help"}), ElementsAre("1: USE a", "1: DESC TABLE t", "1: help"));
  EXPECT_THAT(Split({"COPY t FROM 'a;b.csv'", "WITH HEADER=TRUE;"}),
              ElementsAre("1: COPY t FROM 'a;b.csv'\nWITH HEADER=TRUE"));
}

TEST(InputTest, CommentsOverLines) {
  EXPECT_THAT(Split({"/* one", "USE x;", "two */ USE y;"}), ElementsAre("3: USE y"));
}

TEST(InputTest, PendingUntilTheSemicolon) {
  InputSplitter splitter;
  splitter.AddLine("-- nothing yet");
  EXPECT_FALSE(splitter.pending());
  splitter.AddLine("SELECT *");
  EXPECT_EQ(splitter.Next(), std::nullopt);
  EXPECT_TRUE(splitter.pending());
  splitter.Clear();
  EXPECT_FALSE(splitter.pending());
  splitter.AddLine("USE z;");
  EXPECT_EQ(splitter.Next()->line, 3u);
}

CopyCommand Good(const std::string& text) {
  const auto command = ParseCopy(text);
  EXPECT_TRUE(command.ok()) << command.error().message;
  return command.ok() ? *command : CopyCommand{};
}

std::string Bad(const std::string& text) {
  const auto command = ParseCopy(text);
  if (command.ok()) return "";
  const SourceRange range = command.error().range.value_or(SourceRange{});
  return command.error().message + " [" + text.substr(range.begin, range.end - range.begin) + "]" +
         (command.error().hint.empty() ? "" : " " + command.error().hint);
}

TEST(CopyCommandTest, From) {
  const CopyCommand command = Good(
      "copy Shop.\"Orders\" (a, -, \"B\") from 'x''y.csv' with header = true and delimiter='\\t' and "
      "null='NA' and workers=3 and chunksize=10 and maxerrors=5 and errfile='e' and skiprows=7 and maxrows=9 and "
      "ignoreunknown=true and set={'b': 'bucket(:t, 16)', 'c': '1'}");
  EXPECT_EQ(command.direction, CopyCommand::Direction::kFrom);
  EXPECT_EQ(command.keyspace, "shop");
  EXPECT_EQ(command.table, "Orders");
  EXPECT_THAT(command.columns, ElementsAre("a", std::nullopt, "B"));
  EXPECT_EQ(command.file, "x'y.csv");
  EXPECT_TRUE(command.header);
  EXPECT_EQ(command.csv.delimiter, '\t');
  EXPECT_EQ(command.null_text, "NA");
  EXPECT_EQ(command.workers, 3u);
  EXPECT_EQ(command.chunk_rows, 10u);
  EXPECT_EQ(command.max_errors, 5u);
  EXPECT_EQ(command.error_file, "e");
  EXPECT_EQ(command.skip_rows, 7u);
  EXPECT_EQ(command.max_rows, 9u);
  EXPECT_TRUE(command.ignore_unknown);
  ASSERT_EQ(command.computed.size(), 2u);
  EXPECT_EQ(command.computed[0].expression, "bucket(:t, 16)");
}

TEST(CopyCommandTest, ToAndStandardStreams) {
  const CopyCommand command = Good("COPY t (a) TO STDOUT WITH PAGESIZE=50 AND HEADER=FALSE AND MAXROWS=-1;");
  EXPECT_EQ(command.direction, CopyCommand::Direction::kTo);
  EXPECT_EQ(command.file, "");
  EXPECT_EQ(command.page_rows, 50u);
  EXPECT_EQ(command.max_rows, UINT64_MAX);
  EXPECT_EQ(Good("COPY t FROM STDIN").file, "");
}

TEST(CopyCommandTest, WhatIsWrongIsPointedAt) {
  EXPECT_EQ(Bad("COPY"), "Expected a table's name, found the end of the command []");
  EXPECT_EQ(Bad("COPY t (a,) FROM 'f'"), "Expected a column's name or - for a field to skip, found ) [)]");
  EXPECT_EQ(Bad("COPY t (a, b, a) FROM 'f'"), "Column a is given twice [a]");
  EXPECT_EQ(Bad("COPY t INTO 'f'"), "Expected FROM or TO, found INTO [INTO]");
  EXPECT_EQ(Bad("COPY t FROM f.csv"), "Expected a file's name in quotes or STDIN, found f [f]");
  EXPECT_EQ(Bad("COPY t FROM 'f' HEADER=TRUE"), "Expected WITH or the end of the command, found HEADER [HEADER]");
  EXPECT_EQ(Bad("COPY t FROM 'f' WITH HEADER=yes"), "Expected TRUE or FALSE, found yes [yes]");
  EXPECT_EQ(Bad("COPY t FROM 'f' WITH DELIMITER=',,'"), "Expected one character, found ,, [',,']");
  EXPECT_EQ(Bad("COPY t FROM 'f' WITH WORKERS=0"), "Expected a number 1 to 64, found 0 [0]");
  EXPECT_EQ(Bad("COPY t FROM 'f' WITH HEADER=TRUE AND HEADER=TRUE"), "Option HEADER is given twice [HEADER]");
  EXPECT_EQ(Bad("COPY t FROM 'f' WITH SET='x'"), "Expected {'column': 'expression', …}, found x ['x']");
  EXPECT_EQ(Bad("COPY t (a, -) TO 'f'"), "COPY TO cannot skip a field: leave the column out [COPY]");
  EXPECT_EQ(Bad("COPY t FROM 'f' WITH QUOTE=','"), "DELIMITER and QUOTE must differ [COPY]");
  for (const char* null : {",", "a\"", "\n", "x\r"}) {
    EXPECT_EQ(Bad("COPY t TO 'f' WITH NULL='" + std::string(null) + "'"),
              "NULL must not contain DELIMITER, QUOTE or a line end [COPY]");
  }
}

TEST(CopyCommandTest, UnknownOptionsAreRefusedWithTheKnownOnes) {
  EXPECT_THAT(Bad("COPY t FROM 'f' WITH TTL=5"),
              HasSubstr("COPY FROM has no option TTL [TTL] the options are HEADER, DELIMITER,"));
  EXPECT_THAT(Bad("COPY t TO 'f' WITH WORKERS=5"), HasSubstr("COPY TO has no option WORKERS"));
}

}  // namespace
}  // namespace widerow
