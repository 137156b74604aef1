#include "types/text_form.h"

#include <gtest/gtest.h>

#include "tests/unit/types/random_value.h"
#include "types/compare.h"
#include "types/json_form.h"
#include "types/nullable_list.h"

namespace widerow {
namespace {

using testing::AllTypes;
using testing::ValueMaker;

Bytes Parsed(const TypePtr& type, std::string_view text) {
  auto bytes = ParseText(*type, text);
  EXPECT_TRUE(bytes.ok()) << text << ": " << (bytes.ok() ? "" : bytes.error().message);
  return bytes.ok() ? *bytes : Bytes();
}
Bytes Parsed(TypeKind kind, std::string_view text) { return Parsed(ScalarType(kind), text); }

std::string Again(const TypePtr& type, std::string_view text) { return FormatText(*type, Parsed(type, text)); }
std::string Again(TypeKind kind, std::string_view text) { return Again(ScalarType(kind), text); }

TEST(TextForm, TextRoundTrip) {
  for (const TypePtr& type : AllTypes()) {
    ValueMaker maker(20, true);
    for (int i = 0; i < 3'000; ++i) {
      const Bytes value = maker.Make(*type);
      // Like Cassandra, Widerow reads an empty text as the boolean false, so an empty boolean does not come back.
      if (type->kind == TypeKind::kBoolean && value.empty()) continue;
      const std::string text = FormatText(*type, value);
      auto again = ParseText(*type, text);
      ASSERT_TRUE(again.ok()) << TypeText(*type) << " " << ToHex(value) << " " << text << ": " << again.error().message;
      ASSERT_EQ(Compare(*type, *again, value), 0) << TypeText(*type) << " " << ToHex(value) << " " << text;
      ASSERT_EQ(FormatText(*type, *again), text);
    }
  }
}

// Writes a value as a literal and reads it as an element of a list, which must give the same value.
TEST(TextForm, LiteralRoundTrip) {
  for (const TypePtr& type : AllTypes()) {
    ValueMaker maker(21, true);
    for (int i = 0; i < 3'000; ++i) {
      const Bytes value = maker.Make(*type);
      const std::string literal = FormatLiteral(*type, value);
      // The literal of a value without an exact text is a call of blob_as_int or a similar function.
      if (literal.find("blob_as_") != std::string::npos) continue;
      auto wrapped = ParseText(*ListType(type, true), "[" + literal + "]");
      ASSERT_TRUE(wrapped.ok()) << TypeText(*type) << " " << literal << ": " << wrapped.error().message;
      auto elements = SplitCollection(*ListType(type, true), *wrapped);
      ASSERT_TRUE(elements.ok() && elements->size() == 1);
      ASSERT_EQ(Compare(*type, *(*elements)[0], value), 0) << TypeText(*type) << " " << ToHex(value) << " " << literal;
      ASSERT_EQ(FormatLiteral(*type, *(*elements)[0]), literal);
    }
  }
}

// The exact form of JSON gives all values back.
TEST(TextForm, JsonRoundTrip) {
  for (const TypePtr& type : AllTypes()) {
    ValueMaker maker(22, true);
    for (int i = 0; i < 3'000; ++i) {
      const Bytes value = maker.Make(*type);
      std::string json;
      AppendJson(*type, value, json, JsonForm::kExact);
      auto again = ParseJson(*type, json, JsonForm::kExact);
      ASSERT_TRUE(again.ok() && again->has_value()) << TypeText(*type) << " " << json << ": " << again.error().message;
      ASSERT_EQ(Compare(*type, **again, value), 0) << TypeText(*type) << " " << ToHex(value) << " " << json;
      ASSERT_EQ(FormatLiteral(*type, **again), FormatLiteral(*type, value));
      std::string json_again;
      AppendJson(*type, **again, json_again, JsonForm::kExact);
      ASSERT_EQ(json_again, json);
    }
  }
}

TEST(TextForm, GarbageNeverCrashes) {
  for (const TypePtr& type : AllTypes()) {
    ValueMaker maker(23);
    int refused = 0;
    for (int i = 0; i < 5'000; ++i) {
      Bytes value = maker.OneIn(2) ? maker.Garbage() : maker.Make(*type);
      if (!value.empty() && maker.OneIn(2)) value[maker.Below(value.size())] = static_cast<char>(maker.Below(256));
      if (maker.OneIn(4)) value.resize(maker.Below(value.size() + 2));
      const bool valid = ValidateValue(*type, value).ok();
      refused += !valid;
      (void)ParseText(*type, value);
      for (const JsonForm form : {JsonForm::kExact, JsonForm::kCassandra}) (void)ParseJson(*type, value, form);
      std::string json;
      AppendJson(*type, value, json, JsonForm::kExact);
      EXPECT_FALSE(json.empty());
      const std::string text = FormatText(*type, value);
      // A SELECT can make a list with nulls, although no column can store one.
      const bool list_with_nulls = type->kind == TypeKind::kList && SplitNullableList(*type, value).ok();
      if (!valid && !list_with_nulls) { EXPECT_EQ(text, "0x" + ToHex(value)); }
    }
    const bool takes_anything = type->kind == TypeKind::kBlob || type->kind == TypeKind::kVarint;
    EXPECT_EQ(refused == 0, takes_anything) << TypeText(*type);
  }
}

TEST(TextForm, Timestamps) {
  EXPECT_EQ(Again(TypeKind::kTimestamp, "2013-01-01 05:00"), "2013-01-01 05:00:00.000000+0000");
  EXPECT_EQ(Again(TypeKind::kTimestamp, "2013-01-01T05:00:00.123-0130"), "2013-01-01 06:30:00.123000+0000");
  EXPECT_EQ(Again(TypeKind::kTimestamp, "-1"), "1969-12-31 23:59:59.999000+0000");
  EXPECT_EQ(Again(TypeKind::kTimestamp, "-62135596800001"), "-62135596800001");  // One millisecond before the year 1.
  EXPECT_EQ(Again(TypeKind::kTimestamp, "9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(FormatLiteral(*ScalarType(TypeKind::kTimestamp), Parsed(TypeKind::kTimestamp, "-62135596800001")),
            "-62135596800001");
  EXPECT_EQ(FormatLiteral(*ScalarType(TypeKind::kTimestamp), Parsed(TypeKind::kTimestamp, "2013-01-01")),
            "'2013-01-01T00:00:00.000Z'");
  EXPECT_EQ(DecodeInteger(Parsed(TypeKind::kTimestamp, "99999-01-01 00:00")), 3'093'496'444'800'000);
  EXPECT_EQ(DecodeInteger(Parsed(TypeKind::kTimestamp, "-0001-01-01")), -62'198'755'200'000);
  EXPECT_FALSE(ParseText(*ScalarType(TypeKind::kTimestamp), "2013-01-01 05:00 America/New_York").ok());
  const int64_t now = DecodeInteger(Parsed(TypeKind::kTimestamp, "NOW"));
  EXPECT_GT(now, 1'700'000'000'000);
}

TEST(TextForm, Numbers) {
  EXPECT_EQ(Again(TypeKind::kDouble, "1"), "1");
  EXPECT_EQ(Again(TypeKind::kDouble, "0.1"), "0.1");
  EXPECT_EQ(Again(TypeKind::kDouble, "1e21"), "1e+21");
  EXPECT_EQ(Again(TypeKind::kDouble, "-Infinity"), "-Infinity");
  EXPECT_EQ(Again(TypeKind::kFloat, "0.1"), "0.1");
  EXPECT_EQ(Again(TypeKind::kDecimal, "12345678901234567890.123456789012345678900"),
            "12345678901234567890.123456789012345678900");
  EXPECT_EQ(Again(TypeKind::kDecimal, "1E+9"), "1E+9");
  const std::string digits = "-" + std::string(30'000, '7');
  EXPECT_EQ(Again(TypeKind::kVarint, digits), digits);
  EXPECT_EQ(Again(TypeKind::kBlob, "0x00FF"), "0x00ff");
  EXPECT_EQ(Again(TypeKind::kBlob, "0x"), "0x");
}

TEST(TextForm, DurationsAndAddresses) {
  EXPECT_EQ(Again(TypeKind::kDuration, "P1Y2M3DT4H5M6S"), "1y2mo3d4h5m6s");
  EXPECT_EQ(Again(TypeKind::kDuration, "0d"), "0s");
  EXPECT_EQ(Again(TypeKind::kDuration, "P"), "0s");
  EXPECT_EQ(Again(TypeKind::kDuration, "P0000-00-00T00:00:00"), "0s");
  EXPECT_EQ(Again(TypeKind::kInet, "0:0:0:0:0:0:0:1"), "::1");
  EXPECT_EQ(FormatLiteral(*ScalarType(TypeKind::kInet), Parsed(TypeKind::kInet, "::1")), "'0:0:0:0:0:0:0:1'");
  EXPECT_EQ(Again(TypeKind::kInet, "LocalHost"), "127.0.0.1");
  EXPECT_EQ(Again(TypeKind::kInet, "fe80::1%1"), "fe80::1");
  EXPECT_EQ(Again(TypeKind::kInet, "[fe80::1%00]"), "fe80::1");
  for (const char* bad : {"local", "localhost.", "fe80::1%", "fe80::1%eth0", "fe80::1%-1", "fe80::1%2147483648",
                          "1.2.3.4%1", "::ffff:1.2.3.4%1"}) {
    EXPECT_FALSE(ParseText(*ScalarType(TypeKind::kInet), bad).ok()) << bad;
  }
  EXPECT_FALSE(ParseText(*ScalarType(TypeKind::kInet), "256.1.1.1").ok());
  EXPECT_FALSE(ParseText(*ScalarType(TypeKind::kInet), std::string_view("::1\0x", 5)).ok());
}

TEST(TextForm, Composites) {
  const TypePtr text = ScalarType(TypeKind::kText), integer = ScalarType(TypeKind::kInt);
  EXPECT_EQ(Again(ListType(text), " [ 'a' , 'it''s', '[,]', b ] "), "['a', 'it''s', '[,]', 'b']");
  EXPECT_EQ(Again(SetType(integer), "{3, 1, 3, 2}"), "{1, 2, 3}");
  EXPECT_EQ(Again(MapType(text, integer), "{'b': 1, 'a': 2, 'b': 3}"), "{'a': 2, 'b': 3}");
  EXPECT_EQ(Again(MapType(ScalarType(TypeKind::kTimestamp), ListType(integer)), "{'2013-01-01 05:00': [1, 2]}"),
            "{'2013-01-01 05:00:00.000000+0000': [1, 2]}");
  EXPECT_EQ(Again(TupleType({integer, text}), "(1)"), "(1, null)");
  EXPECT_EQ(Again(VectorType(ScalarType(TypeKind::kFloat), 2), "[1, 2.5]"), "[1, 2.5]");
  EXPECT_EQ(Again(ListType(ScalarType(TypeKind::kBoolean)), "['', true, false]"), "['', true, false]");
  EXPECT_FALSE(ParseText(*VectorType(integer, 2), "[1]").ok());
  EXPECT_FALSE(ParseText(*ListType(integer), "[1").ok());
  EXPECT_FALSE(ParseText(*ListType(integer), "[1,]").ok());
  EXPECT_FALSE(ParseText(*ListType(integer), "[null]").ok());
  EXPECT_FALSE(ParseText(*ListType(text), "['a]").ok());
  EXPECT_FALSE(ParseText(*MapType(integer, integer), "{1}").ok());
  EXPECT_EQ(FormatLiteral(*ListType(integer), JoinCollection(*ListType(integer), {ByteView()})), "[blob_as_int(0x)]");
  EXPECT_EQ(FormatLiteral(*ListType(text), JoinCollection(*ListType(text), {"\xC3\xA9", "\xED\xA0\x80"})),
            "['\xC3\xA9', blob_as_text(0xeda080)]");
}

TEST(JsonForm, NumbersKeepTheirDigits) {
  const auto through = [](TypeKind kind, std::string_view json) {
    auto value = ParseJson(*ScalarType(kind), json, JsonForm::kCassandra);
    EXPECT_TRUE(value.ok()) << json;
    std::string out;
    if (value.ok()) AppendJson(*ScalarType(kind), **value, out, JsonForm::kExact);
    return out;
  };
  EXPECT_EQ(through(TypeKind::kDecimal, "12345678901234567890.12300"), "12345678901234567890.12300");
  EXPECT_EQ(through(TypeKind::kDecimal, "0.1"), "0.1");
  EXPECT_EQ(through(TypeKind::kDecimal, "1e400"), "1E+400");
  EXPECT_EQ(through(TypeKind::kBigint, "9007199254740993"), "9007199254740993");
  EXPECT_EQ(through(TypeKind::kVarint, "-123456789012345678901234567890"), "-123456789012345678901234567890");
  EXPECT_EQ(through(TypeKind::kDouble, "\"NaN\""), "\"NaN\"");
  EXPECT_EQ(through(TypeKind::kTimestamp, "1356998400000"), "\"2013-01-01 00:00:00.000Z\"");
}

TEST(JsonForm, EmptyValuesAndZeros) {
  const auto written = [](const Type& type, ByteView value, JsonForm form) {
    std::string json;
    AppendJson(type, value, json, form);
    return json;
  };
  const auto read = [](const Type& type, std::string_view json, JsonForm form) {
    const Result<Value> value = ParseJson(type, json, form);
    return value.ok() ? "0x" + ToHex(value->value_or("null")) : value.error().message;
  };
  const Type& boolean = *ScalarType(TypeKind::kBoolean);
  const Type& duration = *ScalarType(TypeKind::kDuration);
  const Type& integer = *ScalarType(TypeKind::kVarint);
  const TypePtr list = ListType(ScalarType(TypeKind::kInt));
  EXPECT_EQ(written(duration, Bytes(3, '\0'), JsonForm::kExact), "\"0s\"");
  EXPECT_EQ(written(duration, Bytes(3, '\0'), JsonForm::kCassandra), "\"\"");
  EXPECT_EQ(written(boolean, {}, JsonForm::kExact), "\"\"");
  EXPECT_EQ(read(boolean, "\"\"", JsonForm::kExact), "0x");
  EXPECT_EQ(read(boolean, "\"\"", JsonForm::kCassandra), "0x00");
  EXPECT_EQ(read(integer, "\"\"", JsonForm::kExact), "0x");
  EXPECT_EQ(read(integer, "\"\"", JsonForm::kCassandra), "Value '' is not a valid representation of a varint value");
  EXPECT_EQ(read(*list, "[null, \"\"]", JsonForm::kExact), "0x00000002ffffffff00000000");
  EXPECT_EQ(read(*list, "[null]", JsonForm::kCassandra), "Invalid null element in list");
}

TEST(JsonForm, Documents) {
  const Type& integer = *ScalarType(TypeKind::kInt);
  const auto parse = [](const Type& type, std::string_view json) {
    return ParseJson(type, json, JsonForm::kCassandra);
  };
  const auto null = parse(integer, " null ");
  ASSERT_TRUE(null.ok());
  EXPECT_FALSE(null->has_value());
  // The text after a JSON document is ignored. After a word or a number, it must begin with a blank.
  for (const char* const more : {"1 2", "1\n]", "1 x"}) EXPECT_TRUE(parse(integer, more).ok()) << more;
  EXPECT_TRUE(parse(*ListType(ScalarType(TypeKind::kInt)), "[1]x").ok());
  for (const char* const bad : {"", "1x", "1,", "1]", "x 1", "[1", "{\"a\" 1}", "nul", "\"\xFF\"", "01"}) {
    EXPECT_FALSE(parse(integer, bad).ok()) << bad;
  }
  EXPECT_FALSE(parse(integer, std::string(100'000, '[')).ok());
  std::string out;
  AppendJsonString(std::string_view("a\"\\\n\x01\0\xFF\xED\xA0\x80\xC3\xA9", 12), out);
  EXPECT_EQ(out, "\"a\\\"\\\\\\n\\u0001\\u0000\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xC3\xA9\"");
}

}  // namespace
}  // namespace widerow
