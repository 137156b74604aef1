#include "shell/printer.h"

#include <gtest/gtest.h>

#include <sstream>

#include "shell/listing.h"
#include "shell/text_width.h"
#include "types/text_form.h"

namespace widerow {
namespace {

using Texts = std::vector<std::optional<std::string>>;

ResultColumnsPtr Columns() {
  return std::make_shared<ResultColumns>(ResultColumns{{"ks", "t", "id", ScalarType(TypeKind::kInt)},
                                                       {"ks", "t", "name", ScalarType(TypeKind::kText)},
                                                       {"ks", "t", "Total", ScalarType(TypeKind::kDecimal)}});
}

RowsPage Page(const ResultColumnsPtr& columns, const std::vector<Texts>& rows) {
  RowsPage page{.columns = columns};
  for (const Texts& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) {
      const Value value = row[i] ? Value(ParseText(*(*columns)[i].type, *row[i]).value()) : std::nullopt;
      AppendBigEndian<int32_t>(page.body, value ? static_cast<int32_t>(value->size()) : -1);
      if (value) page.body += *value;
    }
    ++page.row_count;
  }
  return page;
}

std::string Print(OutputFormat format, const std::vector<RowsPage>& pages, bool color = false) {
  std::ostringstream out;
  const auto printer = MakePrinter({.format = format, .color = color}, out);
  for (const RowsPage& page : pages) printer->Page(page);
  printer->End();
  return out.str();
}

std::vector<RowsPage> SomeRows() {
  const ResultColumnsPtr columns = Columns();
  return {Page(columns, {{"7", "ann", "12.50"}, {"-12", "line\nbreak\x1b[0m", std::nullopt}, {"100", "日本", "1E+3"}})};
}

TEST(PrinterTest, Table) {
  EXPECT_EQ(Print(OutputFormat::kTable, SomeRows()),
            "  id | name               | Total\n"
            "-----+--------------------+-------\n"
            "   7 | ann                | 12.50\n"
            " -12 | line\\nbreak\\x1b[0m |  null\n"
            " 100 | 日本               |  1E+3\n"
            "\n"
            "(3 rows)\n");
}

TEST(PrinterTest, TableOfNoRowsAndOfOne) {
  const ResultColumnsPtr columns = Columns();
  EXPECT_EQ(Print(OutputFormat::kTable, {Page(columns, {})}), " id | name | Total\n----+------+-------\n\n(0 rows)\n");
  EXPECT_EQ(Print(OutputFormat::kTable, {Page(columns, {{"1", "", "0.10"}})}),
            " id | name | Total\n----+------+-------\n  1 |      |  0.10\n\n(1 row)\n");
}

TEST(PrinterTest, TableCountsAllPages) {
  const ResultColumnsPtr columns = Columns();
  EXPECT_EQ(Print(OutputFormat::kTable, {Page(columns, {{"1", "a", "1"}}), Page(columns, {{"22222", "b", "2"}})}),
            " id | name | Total\n----+------+-------\n  1 | a    |     1\n 22222 | b    |     2\n\n(2 rows)\n");
}

TEST(PrinterTest, ColorsStandAroundTheText) {
  const std::string text = Print(OutputFormat::kTable, {Page(Columns(), {{"1", "a", std::nullopt}})}, true);
  EXPECT_NE(text.find("  \x1b[32m1\x1b[0m | \x1b[33ma\x1b[0m    |  \x1b[31mnull\x1b[0m\n"), std::string::npos) << text;
}

TEST(PrinterTest, Expanded) {
  EXPECT_EQ(Print(OutputFormat::kExpanded, SomeRows()),
            "@ Row 1\n-------+-------\n id    | 7\n name  | ann\n Total | 12.50\n\n"
            "@ Row 2\n-------+--------------------\n id    | -12\n name  | line\\nbreak\\x1b[0m\n Total | null\n\n"
            "@ Row 3\n-------+------\n id    | 100\n name  | 日本\n Total | 1E+3\n\n"
            "(3 rows)\n");
}

TEST(PrinterTest, JsonIsAnObjectALine) {
  EXPECT_EQ(Print(OutputFormat::kJson, SomeRows()),
            "{\"id\":7,\"name\":\"ann\",\"Total\":12.50}\n"
            "{\"id\":-12,\"name\":\"line\\nbreak\\u001B[0m\",\"Total\":null}\n"
            "{\"id\":100,\"name\":\"日本\",\"Total\":1E+3}\n");
}

TEST(PrinterTest, CsvTellsNullFromEmptyText) {
  const ResultColumnsPtr columns = Columns();
  EXPECT_EQ(Print(OutputFormat::kCsv,
                  {Page(columns, {{"1", "", "1.0"}, {"2", std::nullopt, "2"}}), Page(columns, {{"3", "a,b", "3"}})}),
            "id,name,Total\n1,\"\",1.0\n2,,2\n3,\"a,b\",3\n");
}

TEST(PrinterTest, DescribePrintsStatementsAndNames) {
  const auto text = [](const char* name) { return ResultColumn{"", "", name, ScalarType(TypeKind::kText)}; };
  const auto print = [](const RowsPage& page) {
    std::ostringstream out;
    const auto printer = MakeDescribePrinter(*page.columns, out);
    if (printer == nullptr) return std::string("none");
    printer->Page(page);
    printer->End();
    return out.str();
  };
  const auto names = std::make_shared<ResultColumns>(ResultColumns{text("keyspace_name"), text("type"), text("name")});
  EXPECT_EQ(print(Page(names, {{"a", "table", "t1"}, {"a", "table", "\"T2\""}, {"\"B\"", "table", "t3"}})),
            "Keyspace a\n----------\nt1  \"T2\"\n\nKeyspace \"B\"\n------------\nt3\n");
  EXPECT_EQ(print(Page(names, {{"a", "keyspace", "a"}, {"b", "keyspace", "b"}})), "a  b\n");
  EXPECT_EQ(print(Page(names, {})), "<empty>\n");
  const auto creates = std::make_shared<ResultColumns>(
      ResultColumns{text("keyspace_name"), text("type"), text("name"), text("create_statement")});
  EXPECT_EQ(print(Page(creates, {{"a", "table", "t", "CREATE TABLE a.t (\n    k int PRIMARY KEY\n);"}})),
            "CREATE TABLE a.t (\n    k int PRIMARY KEY\n);\n\n");
  EXPECT_EQ(print(Page(Columns(), {})), "none");
}

TEST(TextWidthTest, EscapesWhatATerminalWouldAct) {
  EXPECT_EQ(EscapeForTerminal("a\tb\r\n\x7f é 日 \xff\xc3"), "a\\tb\\r\\n\\x7f é 日 \\xff\\xc3");
  EXPECT_EQ(EscapeForTerminal("\xe2\x80\xae"
                              "abc"),
            "\\u202eabc");  // The character that turns the direction of text.
  // Invalid UTF-8: an overlong form, and a surrogate.
  EXPECT_EQ(EscapeForTerminal("\xc0\x80\xed\xa0\x80"), "\\xc0\\x80\\xed\\xa0\\x80");
}

TEST(TextWidthTest, WideAndCombiningCharacters) {
  EXPECT_EQ(DisplayWidth("abc"), 3u);
  EXPECT_EQ(DisplayWidth("é"), 1u);
  EXPECT_EQ(DisplayWidth("e\xcc\x81"), 1u);
  EXPECT_EQ(DisplayWidth("日本"), 4u);
}

}  // namespace
}  // namespace widerow
