#include "types/big_integer.h"

#include <gtest/gtest.h>

#include "types/decimal.h"

namespace widerow {
namespace {

TEST(BigIntegerTest, DigitsComeBackWhereverTheyAreHalved) {
  EXPECT_EQ(DigitsOf(0), "0");
  for (const size_t length : {1u, 17u, 18u, 19u, 999u, 1'000u, 1'001u, 2'002u, 12'345u}) {
    std::string digits;
    for (size_t i = 0; i < length; ++i) digits += static_cast<char>('0' + (i * 7 + 3) % 10);
    EXPECT_EQ(DigitsOf(IntegerOfDigits(digits)), digits) << length;
    const std::string nines(length, '9'), power = "1" + std::string(length, '0');
    EXPECT_EQ(DigitsOf(IntegerOfDigits(nines)), nines);
    EXPECT_EQ(DigitsOf(IntegerOfDigits(nines) + 1), power);
    EXPECT_EQ(IntegerOfDigits(power), PowerOfTen(static_cast<int64_t>(length)));
  }
}

TEST(BigIntegerTest, LongVarintsAreTheTextTheyWereMadeOf) {
  for (const std::string sign : {"", "-"}) {
    const std::string text = sign + "1" + std::string(30'000, '0') + "7" + std::string(30'000, '5');
    EXPECT_EQ(VarintText(DecodeVarint(EncodeVarint(*ParseVarintText(text)))), text);
  }
}

}  // namespace
}  // namespace widerow
