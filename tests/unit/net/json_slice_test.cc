#include "net/text/json_slice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace widerow {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(JsonSliceTest, ValuesKeepTheirText) {
  const std::string text = R"( { "a" : 1.10 , "b\n\u00e9" : [ 1, "x,]}\"" , {"c": null} ] ,"d":"" } )";
  ASSERT_TRUE(CheckJson(text, 10).ok());
  const auto members = SplitJsonObject(text);
  ASSERT_EQ(members.size(), 3u);
  EXPECT_EQ(members[0].value, "1.10");
  EXPECT_EQ(members[1].name, "b\n\xC3\xA9");
  EXPECT_THAT(SplitJsonArray(members[1].value), ElementsAre("1", R"("x,]}\"")", R"({"c": null})"));
  EXPECT_EQ(members[2].value, "\"\"");
  EXPECT_TRUE(SplitJsonArray("[ ]").empty());
  EXPECT_TRUE(SplitJsonObject("{}").empty());
}

TEST(JsonSliceTest, NumbersOfAnyLengthPass) {
  EXPECT_TRUE(
      CheckJson("[12345678901234567890123456789012345678901234567890, 1e400, -0.000000000000000000000000001]", 10)
          .ok());
}

TEST(JsonSliceTest, WrongJsonIsRefused) {
  for (const char* text : {"", "{", "[1,]", "{\"a\" 1}", "nul", "01", "\"\x01\"", "\"\xFF\"", "1 2", "{\"a\":1,}",
                           "'a'", "NaN", "\"\\ud800\"", "[1] // comment"}) {
    const Status status = CheckJson(text, 10);
    ASSERT_FALSE(status.ok()) << text;
    EXPECT_EQ(const_cast<Status&>(status).error().message.rfind("the request body is not JSON: ", 0), 0u);
  }
}

TEST(JsonSliceTest, DepthIsBounded) {
  EXPECT_TRUE(CheckJson("[[[[]]]]", 4).ok());
  EXPECT_FALSE(CheckJson("[[[[[]]]]]", 4).ok());
  EXPECT_FALSE(CheckJson(std::string(1'000'000, '['), 100).ok());
}

}  // namespace
}  // namespace widerow
