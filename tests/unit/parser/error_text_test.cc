#include "parser/error_text.h"

#include <gtest/gtest.h>

namespace widerow {
namespace {

TEST(LocateOffset, CountsCodePointsFromZeroAndLinesFromOne) {
  const std::string text = "ab\n汉字 x\r\nend";
  const auto at = [&](uint32_t offset) {
    const LineColumn place = LocateOffset(text, offset);
    return std::to_string(place.line) + ":" + std::to_string(place.column);
  };
  EXPECT_EQ(at(0), "1:0");
  EXPECT_EQ(at(2), "1:2");
  EXPECT_EQ(at(3), "2:0");
  EXPECT_EQ(at(9), "2:2");
  EXPECT_EQ(at(10), "2:3");
  EXPECT_EQ(at(13), "3:0");
  EXPECT_EQ(at(99), "3:3");
}

TEST(FullErrorText, MessageHintPlaceAndCarets) {
  const std::string text = "SELECT v FROM events WHERE v = 3;";
  EXPECT_EQ(FullErrorText(InvalidAt({27, 32}, "No.", "column v is not in the primary key"), text),
            "No.\nhint: column v is not in the primary key (1:28)\n" + text + "\n" + std::string(27, ' ') + "^^^^^");
  EXPECT_EQ(FullErrorText(InvalidError("No."), text), "No.");
  EXPECT_EQ(FullErrorText(InvalidError("No.", "Do."), text), "No.\nhint: Do.");
  EXPECT_EQ(FullErrorText(InvalidAt({7, 8}, "No."), text), "No.\n" + text + "\n       ^");
}

TEST(FullErrorText, OnlyTheLineOfTheFault) {
  const std::string text = "SELECT *\r\n\tFROM\tt\r\nWHERE x";
  EXPECT_EQ(FullErrorText(InvalidAt({11, 15}, "No."), text), "No.\n FROM t\n ^^^^");
  // If a range has several lines, the carets end with its first line. A range at the end of the text gets one caret.
  EXPECT_EQ(FullErrorText(InvalidAt({16, 26}, "No."), text), "No.\n FROM t\n      ^");
  EXPECT_EQ(FullErrorText(InvalidAt({27, 27}, "No."), text), "No.\nWHERE x\n       ^");
  EXPECT_EQ(FullErrorText(InvalidAt({0, 0}, "No."), ""), "No.\n\n^");
  EXPECT_EQ(FullErrorText(InvalidAt({500, 600}, "No."), "abc"), "No.\nabc\n   ^");
}

TEST(FullErrorText, CaretsStandBelowWideText) {
  const std::string text = "SELECT '汉字', x y FROM t";
  const auto begin = static_cast<uint32_t>(text.find("y"));
  EXPECT_EQ(FullErrorText(InvalidAt({begin, begin + 1}, "No."), text),
            "No.\n" + text + "\n" + std::string(15, ' ') + "^");
}

TEST(FullErrorText, LongLinesAreCutAroundTheFault) {
  const std::string text = std::string(500, 'a') + "FAULT" + std::string(500, 'b');
  const std::string full = FullErrorText(InvalidAt({500, 505}, "No."), text);
  EXPECT_EQ(full, "No.\n..." + std::string(60, 'a') + "FAULT" + std::string(55, 'b') + "...\n" + std::string(63, ' ') +
                      "^^^^^");
  const std::string start = FullErrorText(InvalidAt({0, 900}, "No."), text);
  EXPECT_EQ(start, "No.\n" + std::string(120, 'a') + "...\n" + std::string(120, '^'));
  const std::string end = FullErrorText(InvalidAt({1005, 1005}, "No."), text);
  EXPECT_EQ(end, "No.\n..." + std::string(120, 'b') + "\n" + std::string(123, ' ') + "^");
}

}  // namespace
}  // namespace widerow
