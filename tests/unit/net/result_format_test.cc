#include "net/http/result_format.h"

#include <gtest/gtest.h>

#include "types/value_bytes.h"

namespace widerow {
namespace {

RowsPage TwoRows() {
  ResultColumns columns{{"k", "t", "id", ScalarType(TypeKind::kInt)}, {"k", "t", "a,b", ScalarType(TypeKind::kText)}};
  RowsPage page{.columns = std::make_shared<const ResultColumns>(std::move(columns)), .row_count = 2};
  const auto add = [&page](ValueView value) {
    AppendBigEndian(page.body, value ? static_cast<int32_t>(value->size()) : -1);
    if (value) page.body += *value;
  };
  const Bytes seven = EncodeInteger(TypeKind::kInt, 7);
  add(seven), add("say \"hi\"\r\n"), add(std::nullopt), add("");
  return page;
}

std::string Written(ResultFormat format, std::string_view page_state = {},
                    const std::vector<std::string>& warnings = {}) {
  const RowsPage page = TwoRows();
  ResultWriter writer(format, page.columns);
  std::string out;
  writer.Begin(out);
  writer.Page(page, out);
  writer.End(page_state, warnings, out);
  return out;
}

TEST(ResultFormatTest, Json) {
  EXPECT_EQ(Written(ResultFormat::kJson),
            "{\"columns\":[{\"name\":\"id\",\"type\":\"int\"},{\"name\":\"a,b\",\"type\":\"text\"}],"
            "\"rows\":[[7,\"say \\\"hi\\\"\\r\\n\"],\n[null,\"\"]]}\n");
  const std::string paged = Written(ResultFormat::kJson, "AbC", {"slow \"scan\""});
  EXPECT_NE(paged.find("],\"page_state\":\"AbC\",\"warnings\":[\"slow \\\"scan\\\"\"]}\n"), std::string::npos) << paged;
}

TEST(ResultFormatTest, Ndjson) {
  EXPECT_EQ(Written(ResultFormat::kNdjson),
            "{\"id\":7,\"a,b\":\"say \\\"hi\\\"\\r\\n\"}\n{\"id\":null,\"a,b\":\"\"}\n");
}

TEST(ResultFormatTest, CsvTellsNullFromEmpty) {
  EXPECT_EQ(Written(ResultFormat::kCsv), "id,\"a,b\"\r\n7,\"say \"\"hi\"\"\r\n\"\r\n,\"\"\r\n");
}

TEST(ResultFormatTest, AcceptChoosesTheHighestQuality) {
  EXPECT_EQ(ChooseFormat(""), ResultFormat::kJson);
  EXPECT_EQ(ChooseFormat("*/*"), ResultFormat::kJson);
  EXPECT_EQ(ChooseFormat("text/html, application/xhtml+xml, */*;q=0.8"), ResultFormat::kJson);
  EXPECT_EQ(ChooseFormat("Text/CSV; charset=utf-8"), ResultFormat::kCsv);
  EXPECT_EQ(ChooseFormat("application/json;q=0.5, text/csv;q=0.9, application/x-ndjson;q=0.7"), ResultFormat::kCsv);
  EXPECT_EQ(ChooseFormat("application/x-ndjson"), ResultFormat::kNdjson);
  EXPECT_EQ(ChooseFormat("text/html"), std::nullopt);
  EXPECT_EQ(ChooseFormat("text/csv;q=0"), std::nullopt);
}

}  // namespace
}  // namespace widerow
