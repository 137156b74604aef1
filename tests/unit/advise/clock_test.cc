// ADVISE recognizes times by their values: dates as text, numbers since 1970, reversed clocks.
#include "advise/clock.h"

#include <gtest/gtest.h>

#include "advise/calendar.h"
#include "types/value_bytes.h"

namespace widerow::advise {
namespace {

constexpr int64_t kBegin = 1'690'000'000'000'000;  // This is 2023-07-22 04:26:40 UTC.

TEST(TextTimeTest, ReadsDatesAndTimes) {
  struct Case {
    const char* text;
    int64_t micros;
    int64_t precision;
    bool sorts;
  };
  constexpr int64_t kDate = 1'689'984'000'000'000;  // This is 2023-07-22 00:00 UTC.
  for (const Case& each :
       {Case{"20230722", kDate, kDayMicros, true}, Case{"2023-07-22", kDate, kDayMicros, true},
        Case{"2023/7/22", kDate, kDayMicros, false}, Case{"22.7.2023", kDate, kDayMicros, false},
        Case{"7/22/2023", kDate, kDayMicros, false}, Case{"2023072213", kDate + 13 * kHourMicros, kHourMicros, true},
        Case{"2023-07-22 13:05", kDate + 13 * kHourMicros + 5 * kMinuteMicros, kMinuteMicros, true},
        Case{"20230722130509", kDate + 13 * kHourMicros + 309 * kSecondMicros, kSecondMicros, true},
        Case{"2023-07-22T13:05:09.123Z", kDate + 13 * kHourMicros + 309 * kSecondMicros, kSecondMicros, true},
        Case{"2023-07-22T13:05:09+02:00", kDate + 13 * kHourMicros + 309 * kSecondMicros, kSecondMicros, true},
        Case{"202307", kDate - 21 * kDayMicros, kMonthMicros, true},
        Case{"2023-07|0012", kDate - 21 * kDayMicros, kMonthMicros, true}}) {
    const std::optional<TextTime> time = ReadTextTime(each.text);
    ASSERT_TRUE(time) << each.text;
    EXPECT_EQ(time->micros, each.micros) << each.text;
    EXPECT_EQ(time->precision, each.precision) << each.text;
    EXPECT_EQ(time->sorts, each.sorts) << each.text;
  }
}

TEST(TextTimeTest, OtherTextsAreNoTimes) {
  for (const char* const text : {"", "7", "2023", "90001", "20231322", "20230231", "123456789", "2023072", "1.2.3",
                                 "10.0.0.200", "01067", "2023-07-22x", "abc", "13-45-2023", "4006381333931"}) {
    EXPECT_FALSE(ReadTextTime(text)) << text;
  }
}

TEST(WindowTest, LengthsAreReadFromTheDerivation) {
  EXPECT_EQ(WindowMicros("15m"), 15 * kMinuteMicros);
  EXPECT_EQ(WindowMicros("1d"), kDayMicros);
  EXPECT_EQ(WindowMicros("1mo"), kMonthMicros);
  EXPECT_FALSE(WindowMicros("day"));
  EXPECT_EQ(NamedPeriodMicros("posted_minute"), kMinuteMicros);
  EXPECT_EQ(NamedPeriodMicros("hourText"), kHourMicros);
  EXPECT_FALSE(NamedPeriodMicros("today"));
}

class ClockTest : public ::testing::Test {
 protected:
  // Returns a table with the partition key `key`. It has one value for each of the 200 minutes from kBegin on.
  static TableFacts Table(TypeKind type, const std::function<Bytes(int64_t millis)>& value) {
    auto table = std::make_shared<TableSchema>();
    table->partition_key_size = 1;
    table->columns.push_back({.name = "key", .kind = ColumnKind::kPartitionKey, .type = ScalarType(type)});
    TableFacts facts;
    facts.derivations.resize(1);
    for (int64_t i = 0; i < 200; ++i) {
      const int64_t micros = kBegin + i * kMinuteMicros;
      facts.sample.partitions.push_back(
          {.key = {value(micros / 1'000)}, .rows = 1, .first_written = micros, .last_written = micros});
    }
    facts.table = std::move(table);
    return facts;
  }
  static std::optional<Clock> OfNumbers(int64_t base, int64_t factor) {
    return ClockOf(Table(TypeKind::kBigint,
                         [&](int64_t millis) { return EncodeInteger(TypeKind::kBigint, base + factor * millis); }),
                   0);
  }
  static std::optional<Clock> OfTexts(const std::function<std::string(int64_t millis)>& text) {
    return ClockOf(Table(TypeKind::kText, text), 0);
  }
};

TEST_F(ClockTest, NumbersSince1970AndReversedNumbersAreClocks) {
  EXPECT_EQ(OfNumbers(0, 1).value().words, "milliseconds since 1970");
  EXPECT_EQ(OfNumbers(0, 1'000).value().words, "microseconds since 1970");
  EXPECT_FALSE(OfNumbers(0, 1).value().reversed);
  for (const int64_t base : {INT64_MAX, int64_t{9'999'999'999'999}, int64_t{0}})
    EXPECT_TRUE(OfNumbers(base, -1).value().reversed) << base;
  const TableFacts facts =
      Table(TypeKind::kBigint, [](int64_t millis) { return EncodeInteger(TypeKind::kBigint, INT64_MAX - millis); });
  const Clock clock = ClockOf(facts, 0).value();
  EXPECT_EQ(TimeOf(clock, *facts.column(0).type, facts.sample.partitions[3].key[0]), kBegin + 3 * kMinuteMicros);
}

TEST_F(ClockTest, OtherNumbersAreNoClocks) {
  EXPECT_FALSE(OfNumbers(90'000, 0));                                 // A single value shows no clock.
  EXPECT_FALSE(OfNumbers(-1'690'000'000'000 + 90'000, 1));            // Numbers that are counted up.
  EXPECT_FALSE(OfNumbers(4'006'381'333'931 - 1'690'000'000'000, 1));  // Numbers of articles (EAN).
}

TEST_F(ClockTest, TextsThatBeginWithATimeAreClocks) {
  const auto text = [](int64_t millis) { return std::to_string(millis) + "|7"; };
  EXPECT_EQ(OfTexts(text).value().words, "milliseconds since 1970, as text");
  EXPECT_FALSE(OfTexts(text).value().whole);
  EXPECT_TRUE(OfTexts([](int64_t millis) { return std::to_string(millis); }).value().whole);
  const auto prefixed = [](int64_t millis) { return "event-" + std::to_string(INT64_MAX - millis); };
  EXPECT_TRUE(OfTexts(prefixed).value().reversed);
  EXPECT_FALSE(OfTexts([](int64_t millis) { return "INV-000" + std::to_string(millis % 100'000'000); }));
  EXPECT_FALSE(OfTexts([](int64_t millis) { return std::to_string(millis) + "a"; }));
}

TEST_F(ClockTest, MinutesArePeriodsAndMomentsAreNone) {
  const auto timestamps = [](int64_t step, int64_t shift) {
    return Table(TypeKind::kTimestamp,
                 [=](int64_t millis) { return EncodeInteger(TypeKind::kTimestamp, millis / step * step + shift); });
  };
  EXPECT_EQ(PeriodOf(timestamps(60'000, 0), 0), kMinuteMicros);
  EXPECT_EQ(PeriodOf(timestamps(3'600'000, 0), 0), kHourMicros);
  EXPECT_FALSE(PeriodOf(timestamps(60'000, 17), 0));
}

}  // namespace
}  // namespace widerow::advise
