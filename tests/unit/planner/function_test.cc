// Tests scalar functions (key helpers, uuid and time, blobs, arithmetic) and how a call finds its function. The results
// and messages of native functions are those of Cassandra 5.0.9.
#include <gtest/gtest.h>

#include <set>

#include "base/uuid.h"
#include "planner/functions/resolve_function.h"
#include "types/compare.h"
#include "types/decimal.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

FunctionArgument Typed(TypeKind kind) { return {.type = ScalarType(kind), .text = "x"}; }
FunctionArgument Integer(const std::string& text) {
  return {.literal = Literal{Literal::Kind::kInteger, text}, .text = text};
}
FunctionArgument String(const std::string& text) {
  return {.literal = Literal{Literal::Kind::kString, text}, .text = "'" + text + "'"};
}
FunctionArgument Float(const std::string& text) {
  return {.literal = Literal{Literal::Kind::kFloat, text}, .text = text};
}
const FunctionArgument kMarker{.text = "?"};

Result<FunctionPtr> Resolve(std::string_view name, const std::vector<FunctionArgument>& arguments,
                            const TypePtr& receiver = nullptr) {
  return ResolveFunction(name, std::span<const FunctionArgument>(arguments), receiver);
}
std::string ResolveError(std::string_view name, const std::vector<FunctionArgument>& arguments,
                         const TypePtr& receiver = nullptr) {
  const auto function = Resolve(name, arguments, receiver);
  return function.ok() ? "resolved to " + (*function)->name : function.error().message;
}

struct Input {
  TypeKind kind;
  Bytes bytes;
};
Input Text(std::string text) { return {TypeKind::kText, std::move(text)}; }
Input IntValue(int64_t value) { return {TypeKind::kInt, EncodeInteger(TypeKind::kInt, value)}; }
Input Bigint(int64_t value) { return {TypeKind::kBigint, EncodeInteger(TypeKind::kBigint, value)}; }
Input Timestamp(int64_t value) { return {TypeKind::kTimestamp, EncodeInteger(TypeKind::kTimestamp, value)}; }
Input Varint(const std::string& digits) { return {TypeKind::kVarint, EncodeVarint(*ParseVarintText(digits))}; }
Input Number(const std::string& digits) { return {TypeKind::kDecimal, EncodeDecimal(*ParseDecimalText(digits))}; }

Result<Value> RunFunction(std::string_view name, const std::vector<Input>& inputs, int64_t now_micros = 0) {
  std::vector<FunctionArgument> arguments;
  std::vector<ValueView> values;
  for (const Input& input : inputs) {
    arguments.push_back(Typed(input.kind));
    values.push_back(ByteView(input.bytes));
  }
  WR_ASSIGN_OR_RETURN(FunctionPtr function, Resolve(name, arguments));
  return function->body({.now_micros = now_micros}, values);
}
std::string RunText(std::string_view name, const std::vector<Input>& inputs) {
  const Result<Value> result = RunFunction(name, inputs);
  return result.ok() ? result.value().value_or("null") : "error: " + result.error().message;
}
int64_t RunInteger(std::string_view name, const std::vector<Input>& inputs) {
  const Result<Value> result = RunFunction(name, inputs);
  EXPECT_TRUE(result.ok()) << name << ": " << (result.ok() ? "" : result.error().message);
  return result.ok() ? DecodeInteger(*result.value()) : -999;
}

// --- md5, hash_prefix ------------------------------------------------------------------------------------------------

TEST(Md5, OfTextAndBlobIsOfTheirBytes) {
  EXPECT_EQ(RunText("md5", {Text("")}), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(RunText("md5", {Text("abc")}), "900150983cd24fb0d6963f7d28e17f72");
  EXPECT_EQ(RunText("md5", {{TypeKind::kBlob, "abc"}}), "900150983cd24fb0d6963f7d28e17f72");
}
TEST(Md5, OfNumbersIsOfTheirDecimalText) {
  const std::string of_200001 = RunText("md5", {Text("200001")});
  EXPECT_EQ(of_200001.substr(0, 4), "ee8f");
  EXPECT_EQ(RunText("md5", {IntValue(200001)}), of_200001);
  EXPECT_EQ(RunText("md5", {Bigint(200001)}), of_200001);
  EXPECT_EQ(RunText("md5", {Varint("200001")}), of_200001);
  EXPECT_EQ(RunText("md5", {Number("200001")}), of_200001);
}
TEST(Md5, OfUuidIsOfItsText) {
  const std::string text = "5a1c395e-b41f-11e5-9f22-ba0be0483c18";
  EXPECT_EQ(RunText("md5", {{TypeKind::kUuid, Bytes(Uuid::FromString(text)->view())}}), RunText("md5", {Text(text)}));
}
TEST(HashPrefix, TakesTheFirstDigits) {
  EXPECT_EQ(RunText("hash_prefix", {Bigint(200001), IntValue(4)}), "ee8f");
  EXPECT_EQ(RunText("hash_prefix", {Text("abc"), IntValue(32)}), "900150983cd24fb0d6963f7d28e17f72");
}
TEST(HashPrefix, RefusesOtherLengths) {
  EXPECT_EQ(RunText("hash_prefix", {Text("a"), IntValue(0)}),
            "error: hash_prefix takes 1 to 32 digits of the hash (got 0)");
  EXPECT_EQ(RunText("hash_prefix", {Text("a"), IntValue(33)}),
            "error: hash_prefix takes 1 to 32 digits of the hash (got 33)");
  EXPECT_EQ(RunText("hash_prefix", {Text("a"), IntValue(-1)}),
            "error: hash_prefix takes 1 to 32 digits of the hash (got -1)");
}

// --- bucket ----------------------------------------------------------------------------------------------------------

TEST(Bucket, FloorsNegativeIntegers) {
  EXPECT_EQ(RunInteger("bucket", {IntValue(17), IntValue(16)}), 1);
  EXPECT_EQ(RunInteger("bucket", {IntValue(-1), IntValue(16)}), 15);
  EXPECT_EQ(RunInteger("bucket", {Bigint(INT64_MIN), IntValue(16)}), 0);
  EXPECT_EQ(RunInteger("bucket", {Bigint(-17), IntValue(16)}), 15);
  EXPECT_EQ(RunInteger("bucket", {Varint("-17"), IntValue(16)}), 15);
  EXPECT_EQ(RunInteger("bucket", {Varint("100000000000000000000000000000"), IntValue(7)}), 5);
  EXPECT_EQ(RunInteger("bucket", {Varint("-100000000000000000000000000000"), IntValue(7)}), 2);
  EXPECT_EQ(RunInteger("bucket", {Varint("-100000000000000000000000000000"), IntValue(1)}), 0);
}
TEST(Bucket, OfTimestampsIsOfWholeSeconds) {
  EXPECT_EQ(RunInteger("bucket", {Timestamp(17'999), IntValue(16)}), 1);
  EXPECT_EQ(RunInteger("bucket", {Timestamp(-1), IntValue(16)}), 15);
  std::set<int64_t> hit;
  for (int64_t second = 0; second < 16; ++second)
    hit.insert(RunInteger("bucket", {Timestamp(second * 1'000), IntValue(16)}));
  EXPECT_EQ(hit.size(), 16u);
}
TEST(Bucket, OfOthersIsOfTheToken) {
  std::set<int64_t> hit;
  for (int i = 0; i < 200; ++i) {
    const int64_t bucket = RunInteger("bucket", {Text("user" + std::to_string(i)), IntValue(8)});
    EXPECT_GE(bucket, 0);
    EXPECT_LT(bucket, 8);
    hit.insert(bucket);
  }
  EXPECT_EQ(hit.size(), 8u);
}
TEST(Bucket, NeedsAtLeastOne) {
  EXPECT_EQ(RunText("bucket", {IntValue(1), IntValue(0)}), "error: bucket needs at least 1 bucket (got 0)");
  EXPECT_EQ(RunText("bucket", {IntValue(1), IntValue(-4)}), "error: bucket needs at least 1 bucket (got -4)");
  EXPECT_EQ(RunInteger("bucket", {IntValue(12345), IntValue(1)}), 0);
}
TEST(Bucket, AsksForTheTypeOfAMarker) {
  EXPECT_EQ(
      ResolveError("bucket", {kMarker, Integer("16")}),
      "Cannot infer type of argument ? in call to function system.bucket(any, int): use type casts to disambiguate");
}

// --- reverse, substr, zero_pad ---------------------------------------------------------------------------------------

TEST(Reverse, TurnsCodePointsBytesAndDigits) {
  EXPECT_EQ(RunText("reverse", {Text("abc")}), "cba");
  EXPECT_EQ(RunText("reverse", {Text("aäb€😀")}), "😀€bäa");
  EXPECT_EQ(RunText("reverse", {{TypeKind::kBlob, Bytes("\x01\xC3\xA4", 3)}}), Bytes("\xA4\xC3\x01", 3));
  EXPECT_EQ(RunText("reverse", {Bigint(20130101)}), "10103102");
  EXPECT_EQ(RunText("reverse", {IntValue(100)}), "001");
  EXPECT_EQ(RunText("reverse", {Text("")}), "");
}
TEST(Reverse, RefusesOtherTypes) {
  EXPECT_EQ(ResolveError("reverse", {Typed(TypeKind::kDouble)}),
            "Type error: x cannot be passed as argument 0 of function system.reverse of type text");
}
TEST(Substr, StartsAtOneAndTakesZeroForIt) {
  EXPECT_EQ(RunText("substr", {Text("abcdef"), IntValue(0), IntValue(4)}), "abcd");
  EXPECT_EQ(RunText("substring", {Text("abcdef"), IntValue(1), IntValue(4)}), "abcd");
  EXPECT_EQ(RunText("substr", {Text("abcdef"), IntValue(3)}), "cdef");
  EXPECT_EQ(RunText("substr", {Text("abcdef"), IntValue(3), IntValue(2)}), "cd");
}
TEST(Substr, CountsNegativePositionsFromTheEnd) {
  EXPECT_EQ(RunText("substr", {Text("abcdef"), IntValue(-2)}), "ef");
  EXPECT_EQ(RunText("substr", {Text("abcdef"), IntValue(-4), IntValue(2)}), "cd");
  EXPECT_EQ(RunText("substr", {Text("abc"), IntValue(-4)}), "");
}
TEST(Substr, CountsCodePointsOfTextAndBytesOfBlobs) {
  EXPECT_EQ(RunText("substr", {Text("äöü€"), IntValue(2), IntValue(2)}), "öü");
  EXPECT_EQ(RunText("substr", {Text("äöü€"), IntValue(-1)}), "€");
  EXPECT_EQ(RunText("substr", {{TypeKind::kBlob, Bytes("\xC3\xA4\x01", 3)}, IntValue(2), IntValue(1)}), "\xA4");
}
TEST(Substr, StaysInsideTheText) {
  EXPECT_EQ(RunText("substr", {Text("abc"), IntValue(9)}), "");
  EXPECT_EQ(RunText("substr", {Text("abc"), IntValue(2), IntValue(99)}), "bc");
  EXPECT_EQ(RunText("substr", {Text("abc"), IntValue(2), IntValue(0)}), "");
  EXPECT_EQ(RunText("substr", {Text("abc"), IntValue(INT32_MIN), IntValue(1)}), "");
  EXPECT_EQ(RunText("substr", {Text("abc"), IntValue(1), IntValue(-1)}),
            "error: substr takes a length of 0 or more (got -1)");
}
TEST(ZeroPad, FillsUpWithZeros) {
  EXPECT_EQ(RunText("zero_pad", {IntValue(54), IntValue(6)}), "000054");
  EXPECT_EQ(RunText("zero_pad", {Bigint(999999), IntValue(6)}), "999999");
  EXPECT_EQ(RunText("zero_pad", {IntValue(0), IntValue(1)}), "0");
}
TEST(ZeroPad, RefusesWhatWouldNotSort) {
  EXPECT_EQ(RunText("zero_pad", {IntValue(1000000), IntValue(6)}), "error: zero_pad: 1000000 is wider than 6 digits");
  EXPECT_EQ(RunText("zero_pad", {IntValue(-5), IntValue(6)}),
            "error: zero_pad: -5 is negative, and padded negative numbers do not sort as numbers");
  EXPECT_EQ(RunText("zero_pad", {IntValue(5), IntValue(0)}), "error: zero_pad takes a width of 1 to 1000 (got 0)");
  EXPECT_EQ(RunText("zero_pad", {IntValue(5), IntValue(1001)}),
            "error: zero_pad takes a width of 1 to 1000 (got 1001)");
}

// --- splice ----------------------------------------------------------------------------------------------------------

std::string SpliceRow(const std::string& connector, int64_t device, const std::string& seller, int64_t card) {
  return RunText("splice", {Text(connector), Text(RunText("zero_pad", {IntValue(device), IntValue(6)})), Text(seller),
                            IntValue(card)});
}
TEST(Splice, KeepsTheDocumentsFourRowsInOrder) {
  const std::vector<std::string> rows = {SpliceRow(",", 16, "a100", 66661), SpliceRow(",", 54, "a100", 6777),
                                         SpliceRow(",", 54, "a1001", 6777), SpliceRow(",", 167, "a101", 283408)};
  EXPECT_EQ(rows[0], "000016,a100,66661");
  EXPECT_EQ(rows[2], "000054,a1001,6777");
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
}
TEST(Splice, RefusesAConnectorThatBreaksOrder) {
  EXPECT_EQ(
      SpliceRow(":", 54, "a1001", 6777),
      "error: splice: the connector ':' sorts above '0' in value '000054', so the spliced keys would not sort as the "
      "values do");
  // No connector follows the last value. So this value may have characters that sort below the connector.
  EXPECT_EQ(RunText("splice", {Text(":"), Text("abc"), Text("100")}), "abc:100");
}
TEST(Splice, RefusesAValueWithTheConnector) {
  EXPECT_EQ(RunText("splice", {Text(","), Text("a"), Text("b,c")}),
            "error: splice: value 'b,c' contains the connector ','");
  EXPECT_EQ(RunText("splice", {Text(","), Text("b,c"), Text("a")}),
            "error: splice: value 'b,c' contains the connector ','");
}
TEST(Splice, PrependsHashPrefixes) {
  const std::string prefix = RunText("hash_prefix", {Bigint(200001), IntValue(4)});
  EXPECT_EQ(RunText("splice", {Text(""), Text(prefix), Bigint(200001)}), "ee8f200001");
  EXPECT_EQ(RunText("splice", {Text(","), Text(prefix), Bigint(200001)}), "ee8f,200001");
}
TEST(Splice, TakesUuidsAndRefusesOtherTypes) {
  const Uuid uuid = *Uuid::FromString("5a1c395e-b41f-11e5-9f22-ba0be0483c18");
  EXPECT_EQ(RunText("splice", {Text(","), {TypeKind::kUuid, Bytes(uuid.view())}, Text("x")}),
            "5a1c395e-b41f-11e5-9f22-ba0be0483c18,x");
  EXPECT_EQ(ResolveError("splice", {String(","), Typed(TypeKind::kDouble)}),
            "Type error: x cannot be passed as argument 1 of function system.splice of type text");
  EXPECT_EQ(ResolveError("splice", {String(",")}),
            "Invalid number of arguments in call to function system.splice: at least 2 required but 1 provided");
}

// --- random, token ---------------------------------------------------------------------------------------------------

TEST(Random, StaysBelowItsBoundAndIsImpure) {
  std::set<int64_t> seen;
  for (int i = 0; i < 500; ++i) seen.insert(RunInteger("random", {IntValue(4)}));
  EXPECT_EQ(seen, (std::set<int64_t>{0, 1, 2, 3}));
  EXPECT_FALSE((*Resolve("random", {Integer("4")}))->pure);
  EXPECT_EQ(RunText("random", {IntValue(0)}), "error: random needs at least 1 number to choose from (got 0)");
}
TEST(Token, IsCassandras) {
  EXPECT_EQ(RunInteger("token", {IntValue(1)}), -4069959284402364209);
  EXPECT_EQ((*Resolve("token", {Integer("1")}))->returns->kind, TypeKind::kBigint);
}

// --- uuid and time ---------------------------------------------------------------------------------------------------

TEST(Time, MinAndMaxTimeuuidAreCassandras) {
  const auto uuid = [](const Result<Value>& value) { return Uuid::FromBytes(*value.value()).ToString(); };
  EXPECT_EQ(uuid(RunFunction("min_timeuuid", {Timestamp(1577836800123)})), "a75a84b0-2c29-11ea-8080-808080808080");
  EXPECT_EQ(uuid(RunFunction("max_timeuuid", {Timestamp(1577836800123)})), "a75aabbf-2c29-11ea-7f7f-7f7f7f7f7f7f");
  EXPECT_EQ(uuid(RunFunction("mintimeuuid", {Timestamp(1577836800000)})), "a747c000-2c29-11ea-8080-808080808080");
}
TEST(Time, TimeuuidsLieBetweenTheirBounds) {
  // This time is later than those in other tests, because time-based uuids never go back.
  const int64_t millis = 4'000'000'000'123;
  const Bytes now(Uuid::TimeBased(millis * 1'000 + 500).view());
  const Type& type = *ScalarType(TypeKind::kTimeuuid);
  EXPECT_GT(Compare(type, now, **RunFunction("min_timeuuid", {Timestamp(millis)})), 0);
  EXPECT_LT(Compare(type, now, **RunFunction("max_timeuuid", {Timestamp(millis)})), 0);
  EXPECT_EQ(RunInteger("to_timestamp", {{TypeKind::kTimeuuid, now}}), millis);
  EXPECT_EQ(RunInteger("dateof", {{TypeKind::kTimeuuid, now}}), millis);
  EXPECT_EQ(RunInteger("unixtimestampof", {{TypeKind::kTimeuuid, now}}), millis);
}
TEST(Time, ConvertsDaysAndMillisecondsAsCassandra) {
  const auto day = [](int64_t millis) { return RunInteger("to_date", {Timestamp(millis)}) & 0xFFFF'FFFF; };
  const int64_t epoch = int64_t{1} << 31;
  EXPECT_EQ(day(1577836800123), epoch + 18262);
  EXPECT_EQ(day(-1), epoch);  // -1 ms is in the day before 1970, but Cassandra rounds towards zero.
  EXPECT_EQ(day(-86400001), epoch - 1);
  EXPECT_EQ(day((epoch - 1) * 86'400'000), 2 * epoch - 1);
  EXPECT_EQ(day(epoch * 86'400'000), 2 * epoch - 1);  // Cassandra starts again with the first date.
  EXPECT_EQ(day(-epoch * 86'400'000), 0);
  EXPECT_EQ(day((-epoch - 1) * 86'400'000), 0);
  const Bytes date = EncodeInteger(TypeKind::kDate, epoch + 18262);
  EXPECT_EQ(RunInteger("to_timestamp", {{TypeKind::kDate, date}}), 1577836800000);
  EXPECT_EQ(RunInteger("to_unix_timestamp", {{TypeKind::kDate, date}}), 1577836800000);
  EXPECT_EQ(RunInteger("tounixtimestamp", {Timestamp(5)}), 5);
  const Bytes before = EncodeInteger(TypeKind::kDate, epoch - 1);
  EXPECT_EQ(RunInteger("to_timestamp", {{TypeKind::kDate, before}}), -86'400'000);
}
TEST(Time, CurrentTimesComeFromTheStatement) {
  const int64_t micros = 1577836800123456;
  EXPECT_EQ(DecodeInteger(**RunFunction("current_timestamp", {}, micros)), 1577836800123);
  EXPECT_EQ(DecodeInteger(**RunFunction("currenttime", {}, micros)), 123456000);
  EXPECT_EQ(DecodeInteger(**RunFunction("current_date", {}, micros)) & 0xFFFF'FFFF, (int64_t{1} << 31) + 18262);
  const Result<Value> first = RunFunction("now", {}, micros), second = RunFunction("now", {}, micros);
  EXPECT_NE(*first, *second);
  EXPECT_EQ(Uuid::FromBytes(**first).version(), 1);
  EXPECT_FALSE((*Resolve("now", {}))->pure);
  EXPECT_EQ(Uuid::FromBytes(**RunFunction("uuid", {})).version(), 4);
}

// --- blobs -----------------------------------------------------------------------------------------------------------

TEST(Blob, GoesThereAndBack) {
  EXPECT_EQ(RunText("int_as_blob", {IntValue(1)}), Bytes("\0\0\0\1", 4));
  EXPECT_EQ(RunText("intasblob", {IntValue(1)}), Bytes("\0\0\0\1", 4));
  EXPECT_EQ(RunInteger("blobasint", {{TypeKind::kBlob, Bytes("\0\0\0\1", 4)}}), 1);
  EXPECT_EQ(RunText("varchar_as_blob", {Text("abc")}), "abc");
}
TEST(Blob, RefusesBytesThatAreNoSuchValue) {
  EXPECT_EQ(
      RunText("blob_as_int", {{TypeKind::kBlob, "\x01\x02"}}),
      "error: In call to function system.blob_as_int, value 0x0102 is not a valid binary representation for type int");
  EXPECT_EQ(
      RunText("blob_as_text", {{TypeKind::kBlob, "\xFF"}}),
      "error: In call to function system.blob_as_text, value 0xff is not a valid binary representation for type text");
}
TEST(Blob, NamesTheWrongArgument) {
  EXPECT_EQ(ResolveError("int_as_blob", {{.type = ScalarType(TypeKind::kText), .text = "tx"}}),
            "Type error: tx cannot be passed as argument 0 of function system.int_as_blob of type int");
  EXPECT_EQ(ResolveError("list_as_blob", {Typed(TypeKind::kInt)}), "Unknown function 'list_as_blob'");
}

// --- arithmetic ------------------------------------------------------------------------------------------------------

TEST(Math, AbsWrapsAsJava) {
  EXPECT_EQ(RunInteger("abs", {IntValue(-5)}), 5);
  EXPECT_EQ(RunInteger("abs", {IntValue(INT32_MIN)}), INT32_MIN);
  EXPECT_EQ(RunInteger("abs", {Bigint(INT64_MIN)}), INT64_MIN);
  EXPECT_EQ(RunInteger("abs", {{TypeKind::kTinyint, EncodeInteger(TypeKind::kTinyint, -128)}}), -128);
  EXPECT_EQ(VarintText(DecodeVarint(RunText("abs", {Varint("-18446744073709551616")}))), "18446744073709551616");
  EXPECT_EQ(DecimalText(DecodeDecimal(RunText("abs", {Number("-1.50")}))), "1.50");
}
TEST(Math, IntegerResultsSaturateThenNarrow) {
  EXPECT_EQ(RunInteger("exp", {IntValue(1)}), 2);
  EXPECT_EQ(RunInteger("exp", {IntValue(100)}), INT32_MAX);
  EXPECT_EQ(RunInteger("exp", {Bigint(100)}), INT64_MAX);
  EXPECT_EQ(RunInteger("exp", {{TypeKind::kTinyint, EncodeInteger(TypeKind::kTinyint, 100)}}), -1);
  EXPECT_EQ(RunInteger("log", {IntValue(0)}), INT32_MIN);
  EXPECT_EQ(RunInteger("log", {IntValue(-1)}), 0);
  EXPECT_EQ(RunInteger("log10", {Bigint(INT64_MAX)}), 18);
}
TEST(Math, RoundIsHalfUpForDoublesAndAwayFromZeroForDecimals) {
  const auto rounded = [](double value) {
    return DecodeDouble(RunText("round", {{TypeKind::kDouble, EncodeDouble(value)}}));
  };
  EXPECT_EQ(rounded(2.5), 3.0);
  EXPECT_EQ(rounded(-2.5), -2.0);
  EXPECT_EQ(rounded(0.49999999999999994), 0.0);
  EXPECT_EQ(DecodeFloat(RunText("round", {{TypeKind::kFloat, EncodeFloat(-2.5f)}})), -2.0f);
  const auto decimal = [](const std::string& text) {
    return DecimalText(DecodeDecimal(RunText("round", {Number(text)})));
  };
  EXPECT_EQ(decimal("-2.5"), "-3");
  EXPECT_EQ(decimal("9.99"), "10");
  EXPECT_EQ(decimal("0.04"), "0");
  EXPECT_EQ(decimal("0.5"), "1");
  EXPECT_EQ(decimal("1E+2000000000"), "1E+2000000000");
  EXPECT_EQ(decimal("1E+30"), "1000000000000000000000000000000");
}

// --- finding functions -----------------------------------------------------------------------------------------------

TEST(Resolve, UnknownNamesAreNamedAndTheNearestIsHinted) {
  const auto unknown = Resolve("hash_prefx", {});
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(unknown.error().message, "Unknown function 'hash_prefx'");
  EXPECT_EQ(unknown.error().hint, "did you mean hash_prefix?");
  EXPECT_EQ(Resolve("nosuch", {}).error().hint, "");
  EXPECT_TRUE(FunctionExists("md5"));
  EXPECT_FALSE(FunctionExists("nosuch"));
}
TEST(Resolve, OnlyNamesCountArguments) {
  EXPECT_EQ(ResolveError("now", {Typed(TypeKind::kInt)}),
            "Invalid number of arguments in call to function system.now: 0 required but 1 provided");
  EXPECT_EQ(ResolveError("md5", {}),
            "Invalid number of arguments in call to function system.md5: 1 required but 0 provided");
}
TEST(Resolve, LiteralsChooseTheirNaturalOverload) {
  const auto kind = [](const Result<FunctionPtr>& function) { return (*function)->returns->kind; };
  EXPECT_EQ(kind(Resolve("abs", {Integer("-1")})), TypeKind::kInt);
  EXPECT_EQ(kind(Resolve("abs", {Integer("-3000000000")})), TypeKind::kBigint);
  EXPECT_EQ(kind(Resolve("abs", {Integer("-30000000000000000000")})), TypeKind::kVarint);
  EXPECT_EQ(kind(Resolve("round", {Float("2.5")})), TypeKind::kDouble);
  EXPECT_EQ(kind(Resolve("abs", {Integer("-1")}, ScalarType(TypeKind::kDouble))), TypeKind::kDouble);
  EXPECT_EQ((*Resolve("to_date", {String("2020-01-01")}))->parameters[0]->kind, TypeKind::kTimestamp);
  EXPECT_EQ((*Resolve("md5", {Integer("200001")}))->parameters[0]->kind, TypeKind::kInt);
  EXPECT_EQ((*Resolve("md5", {kMarker}))->parameters[0]->kind, TypeKind::kText);
}
TEST(Resolve, NoMatchListsTheSignatures) {
  EXPECT_EQ(
      ResolveError("to_date", {Typed(TypeKind::kText)}),
      "Invalid call to function to_date, none of its type signatures match (known type signatures: system.to_date : "
      "(timeuuid) -> date, system.to_date : (timestamp) -> date)");
  EXPECT_EQ(
      ResolveError("to_date", {Integer("1")}, ScalarType(TypeKind::kInt)),
      "Invalid call to function to_date, none of its type signatures match (known type signatures: system.to_date : "
      "(timeuuid) -> date, system.to_date : (timestamp) -> date)");
}
TEST(Resolve, AmbiguityListsWhatFits) {
  EXPECT_EQ(
      ResolveError("to_date", {kMarker}),
      "Ambiguous call to function to_date (can be matched by following signatures: system.to_date : (timeuuid) -> "
      "date, system.to_date : (timestamp) -> date): use type casts to disambiguate");
}
TEST(Resolve, BytesThatAreValuesOfTheParameterFit) {
  EXPECT_EQ((*Resolve("to_unix_timestamp", {Typed(TypeKind::kBigint)}))->parameters[0]->kind, TypeKind::kTimestamp);
  EXPECT_TRUE(Resolve("blob_as_int", {Typed(TypeKind::kText)}).ok());
  EXPECT_TRUE(Resolve("uuid_as_blob", {Typed(TypeKind::kTimeuuid)}).ok());
  EXPECT_FALSE(Resolve("timeuuid_as_blob", {Typed(TypeKind::kUuid)}).ok());
}
TEST(Resolve, MadeFunctionsGoWithTheirPlans) {
  std::weak_ptr<const Function> made;
  {
    const FunctionPtr function = *Resolve("bucket", {Typed(TypeKind::kUuid), Integer("3")});
    made = function;
    EXPECT_FALSE(made.expired());
  }
  EXPECT_TRUE(made.expired()) << "whoever names new types would fill the memory";
}

TEST(Resolve, TypesAloneDoToo) {
  const std::vector<TypePtr> types{ScalarType(TypeKind::kInt), nullptr};
  EXPECT_EQ((*ResolveFunction("bucket", types, nullptr))->name, "bucket");
}

}  // namespace
}  // namespace widerow
