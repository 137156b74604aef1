#include "net/hbase/filter/filter_language.h"

#include "tests/unit/hbase/hbase_test.h"

namespace widerow::hbase {
namespace {

class FilterLanguageTest : public HBaseTest {
 protected:
  void SetUp() override {
    HBaseTest::SetUp();
    Create({{.name = "f", .attributes = {{"VERSIONS", "3"}}}});
    for (const char* row : {"a", "b", "c"}) {
      for (const char* qualifier : {"p1", "p2", "q"}) Put(row, qualifier, 1, Bytes(row) + qualifier);
    }
    Put("b", "it's", 2, "new");
  }
  // Returns the cells that pass, or "error: " and the message.
  std::string Cells(std::string_view text) {
    Result<FilterPtr> filter = ParseFilterText(text);
    if (!filter.ok()) return "error: " + filter.error().message;
    auto spec = std::make_unique<ScanSpec>();
    spec->read.filter = std::move(*filter);
    return Scan(std::move(spec));
  }
};

TEST_F(FilterLanguageTest, AndBindsMoreClosely) {
  EXPECT_EQ(
      Cells("PrefixFilter('a') AND ColumnPrefixFilter('q') OR PrefixFilter ('c') AND QualifierFilter(=,'binary:p1')"),
      "a{f:q@1=aq} c{f:p1@1=cp1} ");
  EXPECT_EQ(Cells("(PrefixFilter('a') OR PrefixFilter('b')) AND QualifierFilter(=, 'binary:q')"),
            "a{f:q@1=aq} b{f:q@1=bq} ");
}

TEST_F(FilterLanguageTest, SkipAndWhile) {
  EXPECT_EQ(Cells("SKIP ValueFilter(!=, 'binary:ap2')"),
            "b{f:it's@2=new f:p1@1=bp1 f:p2@1=bp2 f:q@1=bq} c{f:p1@1=cp1 f:p2@1=cp2 f:q@1=cq} ");
  EXPECT_EQ(Cells("WHILE RowFilter(<, 'binary:b')"), "a{f:p1@1=ap1 f:p2@1=ap2 f:q@1=aq} ");
}

TEST_F(FilterLanguageTest, Arguments) {
  EXPECT_EQ(Cells("QualifierFilter(=, 'binary:it''s')"), "b{f:it's@2=new} ");
  EXPECT_EQ(Cells("TimestampsFilter(2, 7)"), "b{f:it's@2=new} ");
  EXPECT_EQ(Cells("PageFilter(1) AND KeyOnlyFilter()"), "a{f:p1@1= f:p2@1= f:q@1=} ");
  EXPECT_EQ(Cells("ColumnRangeFilter('p2', true, 'q', false)"), "a{f:p2@1=ap2} b{f:p2@1=bp2} c{f:p2@1=cp2} ");
  EXPECT_EQ(Cells("MultipleColumnPrefixFilter('it', 'q') AND RowFilter(>=, 'substring:B')"),
            "b{f:it's@2=new f:q@1=bq} ");
  EXPECT_EQ(Cells("SingleColumnValueFilter('f', 'p1', =, 'regexstring:^ap.$', true, true) AND FirstKeyOnlyFilter()"),
            "a{f:p1@1=ap1} ");
}

TEST_F(FilterLanguageTest, ErrorsNameTheirPlace) {
  EXPECT_THAT(Cells("SortFilter()"), ::testing::HasSubstr("the filter SortFilter is not supported"));
  EXPECT_THAT(Cells("PrefixFilter('a'"), ::testing::HasSubstr("syntax error in the filter at \"\""));
  EXPECT_THAT(Cells("PrefixFilter('a') XOR PageFilter(1)"), ::testing::HasSubstr("at \"XOR PageFilter(1)\""));
  EXPECT_THAT(Cells("PrefixFilter('a"), ::testing::HasSubstr("syntax error"));
  EXPECT_THAT(Cells("PageFilter('1')"), ::testing::HasSubstr("PageFilter takes one number"));
  EXPECT_THAT(Cells("ValueFilter(~, 'binary:x')"), ::testing::HasSubstr("\"~\" is no operator"));
  EXPECT_THAT(Cells("ValueFilter(=, 'bytes:x')"), ::testing::HasSubstr("\"bytes\" is no comparator"));
  EXPECT_THAT(Cells(std::string(100, '(') + "PageFilter(1)" + std::string(100, ')')),
              ::testing::HasSubstr("the filter has too many parts"));
  EXPECT_THAT(Cells(""), ::testing::HasSubstr("syntax error"));
}

}  // namespace
}  // namespace widerow::hbase
