#include "shell/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace widerow {
namespace {

using ::testing::ElementsAre;

// Reads all records of a text that comes in pieces of `step` bytes. A broken record is kept as "line: reason: raw
// text".
struct ReadAll {
  std::vector<std::vector<std::string>> records;
  std::vector<std::vector<bool>> quoted;
  std::vector<uint64_t> lines;
  std::vector<std::string> raw, broken;

  explicit ReadAll(std::string text, CsvFormat format = {}, size_t step = 1'000'000,
                   size_t record_bytes_max = CsvReader::kRecordBytesMax) {
    size_t at = 0;
    CsvReader reader(
        [&](char* to, size_t size) {
          const size_t count = std::min({size, step, text.size() - at});
          std::copy_n(text.begin() + static_cast<ptrdiff_t>(at), count, to);
          at += count;
          return count;
        },
        format, record_bytes_max);
    CsvRecord record;
    while (true) {
      const CsvReader::Found found = reader.Next(record);
      if (found == CsvReader::Found::kEnd) break;
      if (found == CsvReader::Found::kBroken) {
        broken.push_back(std::to_string(record.line) + ": " + reader.reason() + ": " + std::string(record.raw));
        continue;
      }
      lines.push_back(record.line);
      raw.emplace_back(record.raw);
      records.emplace_back();
      quoted.emplace_back();
      for (const CsvField& field : record.fields) {
        records.back().emplace_back(field.text);
        quoted.back().push_back(field.quoted);
      }
    }
    EXPECT_EQ(reader.bytes_read(), text.size());
  }
};

TEST(CsvTest, FieldsLinesAndLineEnds) {
  const ReadAll all(
      "\xEF\xBB\xBF"
      "a,b\r\n\n1,\r\n\r\n,\n,2");
  EXPECT_THAT(all.records,
              ElementsAre(ElementsAre("a", "b"), ElementsAre("1", ""), ElementsAre("", ""), ElementsAre("", "2")));
  EXPECT_THAT(all.lines, ElementsAre(1, 3, 5, 6));
  EXPECT_THAT(all.raw, ElementsAre("a,b", "1,", ",", ",2"));
}

TEST(CsvTest, QuotedFields) {
  const ReadAll all("\"a,b\",\"say \"\"hi\"\"\",\"\",x\"y\n\"two\r\nlines\",2\r\nlast,3\r");
  EXPECT_THAT(all.records, ElementsAre(ElementsAre("a,b", "say \"hi\"", "", "x\"y"), ElementsAre("two\r\nlines", "2"),
                                       ElementsAre("last", "3")));
  EXPECT_THAT(all.quoted[0], ElementsAre(true, true, true, false));
  EXPECT_THAT(all.lines, ElementsAre(1, 2, 4));
  EXPECT_EQ(all.raw[1], "\"two\r\nlines\",2");
}

TEST(CsvTest, OtherDelimiterQuoteAndEscape) {
  const ReadAll all("'a;b';c\\\n'it\\'s \\\\ ';''\n", {.delimiter = ';', .quote = '\'', .escape = '\\'});
  EXPECT_THAT(all.records, ElementsAre(ElementsAre("a;b", "c\\"), ElementsAre("it's \\ ", "")));
}

TEST(CsvTest, ABrokenRecordCostsItselfOnly) {
  const ReadAll all("1,\"a\" b,c\n2,x\n3,\"open\n4,y\n5,z\n");
  EXPECT_THAT(all.broken, ElementsAre("1: text after the closing quote of field 2: 1,\"a\" b,c",
                                      "3: the quote of field 2 is never closed: 3,\"open"));
  EXPECT_THAT(all.records, ElementsAre(ElementsAre("2", "x"), ElementsAre("4", "y"), ElementsAre("5", "z")));
  EXPECT_THAT(all.lines, ElementsAre(2, 4, 5));
}

TEST(CsvTest, AQuoteIsGivenUpAfterSoManyBytes) {
  const ReadAll all("1,\"open\n" + std::string(500, 'x') + "\n2,\"ok\"\n", {}, 10, 100);
  EXPECT_THAT(all.broken, ElementsAre("1: the quote of field 2 is never closed: 1,\"open"));
  EXPECT_EQ(all.records.size(), 2u);
}

TEST(CsvTest, WhatIsWrittenIsReadBackWhateverTheChunks) {
  std::mt19937 random(4180);
  for (int round = 0; round < 300; ++round) {
    const CsvFormat format{.delimiter = round % 2 == 0 ? ',' : '\t',
                           .escape = round % 3 == 0 ? std::optional('\\') : std::nullopt};
    std::vector<std::vector<std::string>> records;
    std::string text;
    for (size_t r = 0; r < 5; ++r) {
      records.emplace_back();
      for (size_t f = 0; f < 3; ++f) {
        std::string& field = records.back().emplace_back();
        for (size_t length = random() % 6; length > 0; --length) field += "ab,\"\n\r\t\\ "[random() % 9];
        if (f > 0) text += format.delimiter;
        AppendCsvField(field, random() % 4 == 0, format, text);
      }
      text += round % 5 == 0 ? "\r\n" : "\n";
    }
    for (const size_t step : {1u, 2u, 7u, 1'000u}) EXPECT_EQ(ReadAll(text, format, step).records, records) << text;
  }
}

TEST(CsvTest, QuotesOnlyWhereNeeded) {
  std::string out;
  for (const char* field : {"plain", "a b", "a,b", "a\"b", "a\nb"}) {
    AppendCsvField(field, false, {}, out);
    out += '|';
  }
  AppendCsvField("", true, {}, out);
  EXPECT_EQ(out, "plain|a b|\"a,b\"|\"a\"\"b\"|\"a\nb\"|\"\"");
}

}  // namespace
}  // namespace widerow
