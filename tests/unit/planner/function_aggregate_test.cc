// The aggregates count, min, max, sum and avg must give the results of Cassandra 5.0.9 for the same rows.
#include <gtest/gtest.h>

#include "planner/functions/resolve_function.h"
#include "types/decimal.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

FunctionPtr Find(std::string_view name, const TypePtr& type) {
  const std::vector<TypePtr> types = type == nullptr ? std::vector<TypePtr>{} : std::vector<TypePtr>{type};
  const auto function = ResolveFunction(name, types, nullptr);
  EXPECT_TRUE(function.ok());
  return *function;
}
Value Aggregate(std::string_view name, TypeKind kind, const std::vector<Value>& rows) {
  const auto state = Find(name, ScalarType(kind))->make_aggregate();
  for (const Value& row : rows) {
    const std::vector<ValueView> arguments{row ? ValueView(*row) : ValueView()};
    EXPECT_TRUE(state->Add(arguments).ok());
  }
  return *state->Finish();
}
int64_t Integers(std::string_view name, TypeKind kind, const std::vector<int64_t>& rows) {
  std::vector<Value> values;
  for (const int64_t row : rows) values.emplace_back(EncodeInteger(kind, row));
  return DecodeInteger(*Aggregate(name, kind, values));
}
double Doubles(std::string_view name, const std::vector<double>& rows) {
  std::vector<Value> values;
  for (const double row : rows) values.emplace_back(EncodeDouble(row));
  return DecodeDouble(*Aggregate(name, TypeKind::kDouble, values));
}
std::string Decimals(std::string_view name, const std::vector<std::string>& rows) {
  std::vector<Value> values;
  for (const std::string& row : rows) values.emplace_back(EncodeDecimal(*ParseDecimalText(row)));
  return DecimalText(DecodeDecimal(*Aggregate(name, TypeKind::kDecimal, values)));
}

TEST(Aggregates, SumsKeepTheArgumentsTypeAndWrap) {
  EXPECT_EQ(Integers("sum", TypeKind::kTinyint, {100, 101, -128}), 73);
  EXPECT_EQ(Integers("sum", TypeKind::kSmallint, {30000, 30000, -1}), -5537);
  EXPECT_EQ(Integers("sum", TypeKind::kBigint, {INT64_MAX, INT64_MAX, 1}), -1);
  EXPECT_EQ(Find("sum", ScalarType(TypeKind::kTinyint))->returns->kind, TypeKind::kTinyint);
}
TEST(Aggregates, IntegerAveragesAreTruncatedAndDoNotOverflow) {
  EXPECT_EQ(Integers("avg", TypeKind::kTinyint, {100, 101, -128}), 24);
  EXPECT_EQ(Integers("avg", TypeKind::kTinyint, {100, 101}), 100);
  EXPECT_EQ(Integers("avg", TypeKind::kInt, {-1, -2}), -1);
  EXPECT_EQ(Integers("avg", TypeKind::kBigint, {INT64_MAX, INT64_MAX, 1}), 6148914691236517205);
}
TEST(Aggregates, DoublesAreCompensated) {
  EXPECT_EQ(Doubles("sum", {2.5, 2.75, 2.75}), 8.0);
  EXPECT_EQ(Doubles("avg", {2.5, 2.75, 2.75}), 2.6666666666666665);
  EXPECT_EQ(Doubles("avg", {1e308, 1e308}), 1e308);
  EXPECT_EQ(Doubles("sum", {1e308, 1e308}), std::numeric_limits<double>::infinity());
  std::vector<double> tenths(1000, 0.1);
  EXPECT_EQ(Doubles("sum", tenths), 100.0);
}
TEST(Aggregates, DecimalAveragesAreRoundedRowByRow) {
  EXPECT_EQ(Decimals("sum", {"10.05", "3", "3"}), "16.05");
  EXPECT_EQ(Decimals("avg", {"10.05", "3", "3"}), "5.35");
  EXPECT_EQ(Decimals("avg", {"10.05", "3"}), "6.53");  // If the average were rounded only at the end, it would be 6.52.
  EXPECT_EQ(Decimals("sum", {"0.1", "1E+2"}), "100.1");
}
TEST(Aggregates, DecimalsTooFarApartAreRefused) {
  const auto state = Find("sum", ScalarType(TypeKind::kDecimal))->make_aggregate();
  const Bytes one = EncodeDecimal(*ParseDecimalText("1E+1000000000")), other = EncodeDecimal(*ParseDecimalText("1"));
  EXPECT_FALSE(state->Add(std::vector<ValueView>{ByteView(one)}).ok() &&
               state->Add(std::vector<ValueView>{ByteView(other)}).ok());
}
TEST(Aggregates, VarintsHaveNoBound) {
  std::vector<Value> rows{EncodeVarint(*ParseVarintText("100000000000000000000")), EncodeVarint(-7)};
  EXPECT_EQ(VarintText(DecodeVarint(*Aggregate("sum", TypeKind::kVarint, rows))), "99999999999999999993");
  EXPECT_EQ(VarintText(DecodeVarint(*Aggregate("avg", TypeKind::kVarint, rows))), "49999999999999999996");
}
TEST(Aggregates, OfNoRowsAreZeroOrNull) {
  EXPECT_EQ(Integers("sum", TypeKind::kInt, {}), 0);
  EXPECT_EQ(Integers("avg", TypeKind::kInt, {}), 0);
  EXPECT_EQ(Doubles("avg", {}), 0.0);
  EXPECT_EQ(Decimals("avg", {}), "0");
  EXPECT_EQ(Aggregate("min", TypeKind::kInt, {}), std::nullopt);
}
TEST(Aggregates, NullsAndEmptyValuesDoNotCount) {
  const std::vector<Value> rows{EncodeInteger(TypeKind::kInt, 4), std::nullopt, Bytes()};
  EXPECT_EQ(DecodeInteger(*Aggregate("sum", TypeKind::kInt, rows)), 4);
  EXPECT_EQ(DecodeInteger(*Aggregate("avg", TypeKind::kInt, rows)), 4);
  EXPECT_EQ(DecodeInteger(*Aggregate("count", TypeKind::kInt, rows)), 2);
}
TEST(Aggregates, CountWithoutArgumentCountsRows) {
  const auto state = Find("count", nullptr)->make_aggregate();
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(state->Add({}).ok());
  EXPECT_EQ(DecodeInteger(**state->Finish()), 3);
}
TEST(Aggregates, MinAndMaxFollowCqlOrder) {
  EXPECT_EQ(Integers("min", TypeKind::kInt, {3, -5, 4}), -5);
  EXPECT_EQ(Integers("max", TypeKind::kInt, {3, -5, 4}), 4);
  EXPECT_EQ(Aggregate("max", TypeKind::kText, {Bytes("b"), std::nullopt, Bytes("abc")}), Value("b"));
}
TEST(Aggregates, SentencesAreCassandras) {
  const auto error = [](std::string_view name, const std::vector<TypePtr>& types) {
    const auto function = ResolveFunction(name, types, nullptr);
    return function.ok() ? std::string("resolved") : function.error().message;
  };
  const TypePtr number = ScalarType(TypeKind::kInt);
  EXPECT_EQ(error("min", {number, number}), "Invalid number of arguments for function system.min(any)");
  EXPECT_EQ(error("max", {nullptr}),
            "Cannot infer type of argument ? in call to function system.max(any): use type casts to disambiguate");
  EXPECT_NE(error("sum", {ScalarType(TypeKind::kText)}).find("none of its type signatures match"), std::string::npos);
}

}  // namespace
}  // namespace widerow
