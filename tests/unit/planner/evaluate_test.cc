// Evaluates expressions and conditions over constants, bound values and a row of four columns.
#include "planner/evaluate/evaluate.h"

#include <gtest/gtest.h>

#include "planner/functions/resolve_function.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

Bytes Int(int64_t value) { return EncodeInteger(TypeKind::kInt, value); }
TypePtr IntType() { return ScalarType(TypeKind::kInt); }
TypePtr TextType() { return ScalarType(TypeKind::kText); }

Expression Constant(TypePtr type, Value value) {
  return {.node = ConstantExpression{std::move(value)}, .type = std::move(type)};
}
Expression IntConstant(int64_t value) { return Constant(IntType(), Int(value)); }
Expression IntNull() { return Constant(IntType(), std::nullopt); }
Expression Marker(uint32_t index, TypePtr type = IntType()) {
  return {.node = MarkerExpression{index}, .type = std::move(type)};
}
Expression Column(uint32_t column, TypePtr type = IntType()) {
  return {.node = ColumnExpression{column}, .type = std::move(type)};
}
Expression Composite(TypePtr type, std::vector<Expression> parts) {
  return {.node = CompositeExpression{std::move(parts)}, .type = std::move(type)};
}
Bytes IntList(const std::vector<int64_t>& values) {
  std::vector<Bytes> bytes;
  for (const int64_t value : values) bytes.push_back(Int(value));
  return JoinCollection(*ListType(IntType()), {bytes.begin(), bytes.end()});
}

class FourColumns final : public RowValues {
 public:
  Result<ValueView> Column(uint32_t column) override {
    return values[column] ? ValueView(*values[column]) : ValueView();
  }
  Result<Value> CellTime(CellTimeExpression::Kind kind, uint32_t column, const CellPart&) override {
    return Value(EncodeInteger(TypeKind::kBigint, kind == CellTimeExpression::Kind::kTtl ? 10 : 1000 + column));
  }
  int64_t Token() override { return -7; }
  std::vector<Value> values = std::vector<Value>(4);
};

class EvaluateTest : public testing::Test {
 protected:
  EvaluationContext Context() { return {.markers = markers_, .row = &row_}; }
  Value Get(const Expression& expression) {
    const Result<Value> value = Evaluate(expression, Context());
    EXPECT_TRUE(value.ok()) << (value.ok() ? "" : value.error().message);
    return value.ok() ? *value : Value("failed");
  }
  std::string ErrorOf(const Expression& expression) {
    const Result<Value> value = Evaluate(expression, Context());
    return value.ok() ? "no error" : value.error().message;
  }
  bool Holds(Predicate predicate) {
    const Result<bool> matches = Matches(predicate, Context());
    EXPECT_TRUE(matches.ok()) << (matches.ok() ? "" : matches.error().message);
    return matches.ok() && *matches;
  }
  bool Holds(Expression left, CompareOp op, std::vector<Expression> right, bool list_valued = false) {
    return Holds({.node = Comparison{std::move(left), op, std::move(right), list_valued}});
  }

  FourColumns row_;
  std::vector<BoundValue> markers_{
      {BoundValue::Kind::kValue, Int(5)}, {BoundValue::Kind::kNull, {}}, {BoundValue::Kind::kUnset, {}}};
};

TEST_F(EvaluateTest, ConstantsMarkersAndColumns) {
  EXPECT_EQ(Get(IntConstant(3)), Int(3));
  EXPECT_EQ(Get(IntNull()), std::nullopt);
  EXPECT_EQ(Get(Marker(0)), Int(5));
  EXPECT_EQ(Get(Marker(1)), std::nullopt);
  row_.values[2] = Int(8);
  EXPECT_EQ(Get(Column(2)), Int(8));
  EXPECT_EQ(Get(Column(3)), std::nullopt);
}
TEST_F(EvaluateTest, ViewsOfConstantsAndMarkersBorrow) {
  Bytes scratch;
  const Expression constant = IntConstant(3);
  const auto view = EvaluateView(constant, Context(), scratch);
  EXPECT_EQ((*view)->data(), std::get<ConstantExpression>(constant.node).value->data());
  EXPECT_EQ((**EvaluateView(Marker(0), Context(), scratch)).data(), markers_[0].bytes.data());
}
TEST_F(EvaluateTest, BoundSetsAndMapsArePutInOrder) {
  const auto bind = [&](const TypePtr& type, const std::vector<ValueView>& elements) {
    markers_[0].bytes = JoinCollection(*type, elements);
    Expression marker = Marker(0);
    marker.type = type;
    return Get(marker);
  };
  const Bytes minus = Int(-7), seven = Int(7), one = Int(1), two = Int(2);
  const TypePtr set = SetType(IntType()), map = MapType(IntType(), IntType()), list = ListType(IntType());
  EXPECT_EQ(bind(set, {seven, minus, seven}), JoinCollection(*set, {minus, seven}));
  EXPECT_EQ(bind(map, {seven, one, minus, one, seven, two}), JoinCollection(*map, {minus, one, seven, two}));
  EXPECT_EQ(bind(list, {seven, minus}), JoinCollection(*list, {seven, minus}));
}
TEST_F(EvaluateTest, UnsetMarkersAreToldAndRefused) {
  EXPECT_TRUE(IsUnset(Marker(2), Context()));
  EXPECT_FALSE(IsUnset(Marker(1), Context()));
  EXPECT_FALSE(IsUnset(IntConstant(1), Context()));
  EXPECT_EQ(ErrorOf(Marker(2)), "Invalid unset value for bind marker 2");
  EXPECT_EQ(ErrorOf(Marker(9)), "Invalid amount of bind variables: there is none for marker 9");
}
TEST_F(EvaluateTest, CallsRunAndNullGivesNull) {
  const std::vector<TypePtr> types{IntType(), IntType()};
  FunctionPtr bucket = *ResolveFunction("bucket", types, nullptr);
  const auto call = [&](Expression x, Expression n) {
    return Expression{.node = CallExpression{bucket, {std::move(x), std::move(n)}}, .type = IntType(), .range = {3, 9}};
  };
  EXPECT_EQ(Get(call(IntConstant(-1), IntConstant(16))), Int(15));
  EXPECT_EQ(Get(call(Marker(1), IntConstant(16))), std::nullopt);
  // A value of type int with no bytes is not a number.
  EXPECT_EQ(Get(call(Constant(IntType(), Bytes()), IntConstant(16))), std::nullopt);
  EXPECT_EQ(ErrorOf(call(Marker(2), IntConstant(16))), "Invalid unset value for argument in call to function bucket");
  const Result<Value> failed = Evaluate(call(IntConstant(1), IntConstant(0)), Context());
  EXPECT_EQ(failed.error().range, (SourceRange{3, 9}));
}
TEST_F(EvaluateTest, CallsNest) {
  const std::vector<TypePtr> one{TextType()}, three{TextType(), IntType(), IntType()};
  Expression md5{.node = CallExpression{*ResolveFunction("md5", one, nullptr), {Constant(TextType(), "abc")}},
                 .type = TextType()};
  Expression substr{
      .node = CallExpression{*ResolveFunction("substr", three, nullptr), {md5, IntConstant(0), IntConstant(4)}},
      .type = TextType()};
  EXPECT_EQ(Get(substr), "9001");
}
TEST_F(EvaluateTest, SetsAndMapsAreSortedWithoutRepeats) {
  const TypePtr set = SetType(IntType());
  EXPECT_EQ(Get(Composite(set, {IntConstant(5), IntConstant(-1), Marker(0), IntConstant(2)})),
            JoinCollection(*set, {Int(-1), Int(2), Int(5)}));
  const TypePtr map = MapType(IntType(), TextType());
  EXPECT_EQ(Get(Composite(map, {IntConstant(2), Constant(TextType(), "b"), IntConstant(1), Constant(TextType(), "a"),
                                IntConstant(2), Constant(TextType(), "c")})),
            JoinCollection(*map, {Int(1), ByteView("a"), Int(2), ByteView("c")}));
}
TEST_F(EvaluateTest, ListsKeepTheirOrderAndRepeats) {
  EXPECT_EQ(Get(Composite(ListType(IntType()), {IntConstant(5), IntConstant(1), IntConstant(5)})), IntList({5, 1, 5}));
}
TEST_F(EvaluateTest, NullsInsideCollectionsAreRefused) {
  EXPECT_EQ(ErrorOf(Composite(ListType(IntType()), {IntConstant(1), IntNull()})),
            "null is not supported inside collections");
  EXPECT_EQ(ErrorOf(Composite(MapType(IntType(), IntType()), {IntConstant(1), Marker(1)})),
            "null is not supported inside collections");
  EXPECT_EQ(ErrorOf(Composite(VectorType(IntType(), 2), {IntConstant(1), Marker(1)})),
            "null is not supported inside vectors");
}
TEST_F(EvaluateTest, TuplesMayHoldNullsButNotUnset) {
  const TypePtr tuple = TupleType({IntType(), IntType()});
  EXPECT_EQ(Get(Composite(tuple, {IntNull(), IntConstant(1)})), JoinTuple({std::nullopt, Int(1)}));
  EXPECT_EQ(ErrorOf(Composite(tuple, {Marker(2), IntConstant(1)})), "Invalid unset value for tuple field number 0");
}
TEST_F(EvaluateTest, FieldsOfTuples) {
  const TypePtr tuple = TupleType({IntType(), IntType()});
  const auto field = [&](Value value, uint32_t index) {
    return Expression{.node = FieldExpression{{Constant(tuple, std::move(value))}, index}, .type = IntType()};
  };
  EXPECT_EQ(Get(field(JoinTuple({Int(1), Int(2)}), 1)), Int(2));
  EXPECT_EQ(Get(field(JoinTuple({Int(1)}), 1)), std::nullopt);
  EXPECT_EQ(Get(field(std::nullopt, 0)), std::nullopt);
}
TEST_F(EvaluateTest, ElementsOfMapsSetsAndLists) {
  const auto element = [](const TypePtr& type, Value base, Expression index) {
    return Expression{.node = ElementExpression{{Constant(type, std::move(base))}, {std::move(index)}},
                      .type = IntType()};
  };
  const TypePtr map = MapType(IntType(), IntType()), set = SetType(IntType()), list = ListType(IntType());
  const Bytes pairs = JoinCollection(*map, {Int(1), Int(10), Int(2), Int(20)});
  EXPECT_EQ(Get(element(map, pairs, IntConstant(2))), Int(20));
  EXPECT_EQ(Get(element(map, pairs, IntConstant(3))), std::nullopt);
  EXPECT_EQ(Get(element(map, pairs, Marker(1))), std::nullopt);
  EXPECT_EQ(Get(element(set, IntList({4, 6}), IntConstant(6))), Int(6));
  EXPECT_EQ(Get(element(list, IntList({4, 6}), IntConstant(0))), Int(4));
  EXPECT_EQ(Get(element(list, IntList({4, 6}), IntConstant(2))), std::nullopt);
  EXPECT_EQ(Get(element(list, IntList({4, 6}), IntConstant(-1))), std::nullopt);
  EXPECT_EQ(ErrorOf(element(map, pairs, Marker(2))), "Invalid unset value for element selection");
  EXPECT_NE(ErrorOf(element(map, Bytes("\0\0\0\x05", 4), IntConstant(1))), "no error");
}
TEST_F(EvaluateTest, SlicesIncludeBothEnds) {
  const TypePtr map = MapType(IntType(), IntType()), set = SetType(IntType()), list = ListType(IntType());
  const auto slice = [](const TypePtr& type, Bytes base, std::vector<Expression> from, std::vector<Expression> to) {
    return Expression{.node = SliceExpression{{Constant(type, std::move(base))}, std::move(from), std::move(to), "x"},
                      .type = type};
  };
  const Bytes pairs = JoinCollection(*map, {Int(1), Int(10), Int(2), Int(20), Int(3), Int(30)});
  EXPECT_EQ(Get(slice(map, pairs, {IntConstant(2)}, {})), JoinCollection(*map, {Int(2), Int(20), Int(3), Int(30)}));
  EXPECT_EQ(Get(slice(set, IntList({1, 3, 5}), {IntConstant(2)}, {IntConstant(5)})), IntList({3, 5}));
  EXPECT_EQ(Get(slice(set, IntList({1, 3, 5}), {}, {IntConstant(3)})), IntList({1, 3}));
  EXPECT_EQ(Get(slice(list, IntList({9, 8, 7}), {IntConstant(1)}, {IntConstant(9)})), IntList({8, 7}));
  EXPECT_EQ(ErrorOf(slice(set, IntList({1}), {Marker(1)}, {})), "Invalid null value for slice selection on x");
}
TEST_F(EvaluateTest, TokenAndCellTimesComeFromTheRow) {
  EXPECT_EQ(Get({.node = RowTokenExpression{}}), EncodeInteger(TypeKind::kBigint, -7));
  EXPECT_EQ(Get({.node = CellTimeExpression{.kind = CellTimeExpression::Kind::kWriteTime, .column = 3}}),
            EncodeInteger(TypeKind::kBigint, 1003));
}

TEST_F(EvaluateTest, ComparisonsFollowCqlOrder) {
  row_.values[0] = Int(-3);
  EXPECT_TRUE(Holds(Column(0), CompareOp::kEq, {IntConstant(-3)}));
  // The comparison must be that of the type: as bytes, -3 is greater than 2.
  EXPECT_TRUE(Holds(Column(0), CompareOp::kLt, {IntConstant(2)}));
  EXPECT_TRUE(Holds(Column(0), CompareOp::kLe, {IntConstant(-3)}));
  EXPECT_TRUE(Holds(Column(0), CompareOp::kGe, {IntConstant(-3)}));
  EXPECT_FALSE(Holds(Column(0), CompareOp::kGt, {IntConstant(-3)}));
  EXPECT_FALSE(Holds(Column(0), CompareOp::kNotEq, {IntConstant(-3)}));
  EXPECT_TRUE(Holds(Column(0), CompareOp::kNotEq, {Marker(0)}));
}
TEST_F(EvaluateTest, NullComparesToNothing) {
  for (const CompareOp op :
       {CompareOp::kEq, CompareOp::kNotEq, CompareOp::kLt, CompareOp::kGe, CompareOp::kIn, CompareOp::kNotIn}) {
    EXPECT_FALSE(Holds(Column(0), op, {IntConstant(1)}));
    EXPECT_FALSE(Holds(IntConstant(1), op, {Marker(1)}));
  }
  EXPECT_FALSE(Holds(Column(0), CompareOp::kIsNotNull, {}));
  row_.values[0] = Int(1);
  EXPECT_TRUE(Holds(Column(0), CompareOp::kIsNotNull, {}));
}
TEST_F(EvaluateTest, InListsWrittenAndBound) {
  const TypePtr list = ListType(IntType(), true);
  EXPECT_TRUE(Holds(IntConstant(5), CompareOp::kIn, {IntConstant(1), Marker(0)}));
  EXPECT_FALSE(Holds(IntConstant(5), CompareOp::kIn, {IntConstant(1)}));
  EXPECT_FALSE(Holds(IntConstant(5), CompareOp::kIn, {}));
  EXPECT_TRUE(Holds(IntConstant(5), CompareOp::kNotIn, {IntConstant(1)}));
  EXPECT_TRUE(Holds(IntConstant(5), CompareOp::kIn, {Constant(list, IntList({4, 5}))}, true));
  EXPECT_FALSE(Holds(IntConstant(5), CompareOp::kNotIn, {Constant(list, IntList({4, 5}))}, true));
  EXPECT_TRUE(Holds(IntConstant(5), CompareOp::kIn, {IntNull(), IntConstant(5)}));
  EXPECT_FALSE(Holds(IntConstant(5), CompareOp::kNotIn, {IntNull(), IntConstant(4)}));
}
TEST_F(EvaluateTest, ContainsLooksAtValuesAndContainsKeyAtKeys) {
  const TypePtr map = MapType(IntType(), IntType()), set = SetType(IntType());
  const Expression pairs = Constant(map, JoinCollection(*map, {Int(1), Int(10), Int(2), Int(20)}));
  EXPECT_TRUE(Holds(pairs, CompareOp::kContains, {IntConstant(20)}));
  EXPECT_FALSE(Holds(pairs, CompareOp::kContains, {IntConstant(2)}));
  EXPECT_TRUE(Holds(pairs, CompareOp::kContainsKey, {IntConstant(2)}));
  EXPECT_FALSE(Holds(pairs, CompareOp::kContainsKey, {IntConstant(20)}));
  EXPECT_TRUE(Holds(pairs, CompareOp::kNotContainsKey, {IntConstant(20)}));
  EXPECT_FALSE(Holds(pairs, CompareOp::kNotContains, {IntConstant(20)}));
  EXPECT_TRUE(Holds(Constant(set, IntList({1, 3})), CompareOp::kContains, {IntConstant(3)}));
  EXPECT_FALSE(Holds(Constant(set, std::nullopt), CompareOp::kNotContains, {IntConstant(3)}));
}
TEST_F(EvaluateTest, LikeTakesPercentSignsAtBothEnds) {
  const auto like = [&](const char* value, const char* pattern) {
    return Holds(Constant(ScalarType(TypeKind::kText), Bytes(value)), CompareOp::kLike,
                 {Constant(ScalarType(TypeKind::kText), Bytes(pattern))});
  };
  EXPECT_TRUE(like("apple", "apple"));
  EXPECT_FALSE(like("apples", "apple"));
  EXPECT_TRUE(like("apples", "apple%"));
  EXPECT_FALSE(like("an apple", "apple%"));
  EXPECT_TRUE(like("an apple", "%apple"));
  EXPECT_TRUE(like("an apple pie", "%apple%"));
  EXPECT_FALSE(like("an pie", "%apple%"));
  EXPECT_TRUE(like("a%b", "a%b"));
  EXPECT_FALSE(like("axb", "a%b"));
  EXPECT_FALSE(like("a", "%"));  // The pattern must contain a character other than %.
}
TEST_F(EvaluateTest, UnsetIsRefused) {
  const auto error = [&](CompareOp op, Expression right) {
    const Predicate predicate{.node = Comparison{IntConstant(1), op, {std::move(right)}}};
    const Result<bool> matches = Matches(predicate, Context());
    return matches.ok() ? std::string("no error") : matches.error().message;
  };
  EXPECT_EQ(error(CompareOp::kEq, Marker(2)), "Invalid unset value for restriction");
  EXPECT_EQ(error(CompareOp::kIn, Marker(2)), "no error");  // As in Cassandra, IN with an unset value matches nothing.
  EXPECT_EQ(error(CompareOp::kLike, Marker(2)), "Invalid unset value for restriction");
}
TEST_F(EvaluateTest, AndOrNotInThreeValues) {
  const auto compare = [](Expression left, int64_t right) {
    return Predicate{.node = Comparison{std::move(left), CompareOp::kEq, {IntConstant(right)}}};
  };
  const Predicate yes = compare(IntConstant(1), 1), no = compare(IntConstant(1), 2), unknown = compare(Column(0), 1);
  EXPECT_TRUE(Holds({.node = OrPredicate{{no, unknown, yes}}}));
  EXPECT_FALSE(Holds({.node = OrPredicate{{no, unknown}}}));
  EXPECT_TRUE(Holds({.node = AndPredicate{{yes, yes}}}));
  EXPECT_FALSE(Holds({.node = AndPredicate{{yes, unknown}}}));
  EXPECT_TRUE(Holds({.node = NotPredicate{{no}}}));
  EXPECT_FALSE(Holds({.node = NotPredicate{{yes}}}));
  EXPECT_FALSE(Holds({.node = NotPredicate{{unknown}}}));
  EXPECT_TRUE(Holds({.node = NotPredicate{{{.node = AndPredicate{{unknown, no}}}}}}));
}

}  // namespace
}  // namespace widerow
