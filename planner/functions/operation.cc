// The functions that operators call: + - * / % and negation of numbers, + of texts, and + and - of timestamps or dates
// with durations.
#include "planner/functions/calendar.h"
#include "planner/functions/number_operation.h"
#include "planner/functions/registry.h"
#include "types/scalar_text.h"
#include "types/value_bytes.h"

namespace widerow::functions {
namespace {

struct Operator {
  char symbol;
  const char* name;
};
constexpr Operator kOperators[] = {
    {'+', "_add"}, {'-', "_substract"}, {'*', "_multiply"}, {'/', "_divide"}, {'%', "_modulo"}};

// Returns "the operation 'int / int' failed: / by zero".
Error Failed(const Operator& op, const Type& left, const Type& right, const std::string& why) {
  const std::string a = TypeText(left), b = TypeText(right);
  return FunctionFailure("the operation '" + a + " " + op.symbol + " " + b + "' failed: " + why, op.name, a + ", " + b);
}

Function OnNumbers(const Operator& op, TypeKind left, TypeKind right) {
  const auto body = [op, left, right](const FunctionContext&, std::span<const ValueView> values) -> Result<Value> {
    Result<Bytes> result = Operate(op.symbol, {left, *values[0]}, {right, *values[1]});
    if (!result.ok()) return Failed(op, *ScalarType(left), *ScalarType(right), result.error().message);
    return Value(std::move(result).value());
  };
  return {.name = op.name,
          .parameters = {ScalarType(left), ScalarType(right)},
          .returns = ScalarType(OperationType(left, right)),
          .body = body};
}

Function Negation(TypeKind kind) {
  const auto body = [kind](const FunctionContext&, std::span<const ValueView> values) -> Result<Value> {
    return Value(Negate({kind, *values[0]}));
  };
  return {.name = "_negate", .parameters = {ScalarType(kind)}, .returns = ScalarType(kind), .body = body};
}

Function OnText(TypeKind left, TypeKind right) {
  const TypeKind kind = left == right ? left : TypeKind::kText;
  // An empty text is a value here, not a null.
  const auto body = [](const FunctionContext&, std::span<const ValueView> values) -> Result<Value> {
    return Value(Bytes(*values[0]) + Bytes(*values[1]));
  };
  return {
      .name = "_add", .parameters = {ScalarType(left), ScalarType(right)}, .returns = ScalarType(kind), .body = body};
}

Function OnTime(const Operator& op, TypeKind kind) {
  const auto body = [op, kind](const FunctionContext&, std::span<const ValueView> values) -> Result<Value> {
    const bool is_date = kind == TypeKind::kDate;
    Duration duration = DecodeDuration(*values[1]);
    const int64_t precision = is_date ? kNanosPerDay : kNanosPerMilli;
    if (is_date ? duration.nanos != 0 : duration.nanos % precision != 0) {
      return Failed(op, *ScalarType(kind), *ScalarType(TypeKind::kDuration),
                    std::string("The duration must have a ") + (is_date ? "day" : "millisecond") +
                        " precision. Was: " + DurationText(*values[1]));
    }
    if (op.symbol == '-') duration = {-duration.months, -duration.days, -duration.nanos};
    return Value(FromMillis(kind, Plus(ToMillis(kind, *values[0]), duration)));
  };
  return {.name = op.name,
          .parameters = {ScalarType(kind), ScalarType(TypeKind::kDuration)},
          .returns = ScalarType(kind),
          .body = body};
}

}  // namespace

void AddOperations(FamilyMap& families) {
  for (const Operator& op : kOperators) {
    std::vector<Function>& overloads = families[op.name].overloads;
    for (const TypeKind left : NumericKinds()) {
      for (const TypeKind right : NumericKinds()) overloads.push_back(OnNumbers(op, left, right));
    }
    if (op.symbol != '+' && op.symbol != '-') continue;
    for (const TypeKind kind : {TypeKind::kTimestamp, TypeKind::kDate}) overloads.push_back(OnTime(op, kind));
    if (op.symbol == '-') continue;
    for (const TypeKind left : {TypeKind::kText, TypeKind::kAscii}) {
      for (const TypeKind right : {TypeKind::kText, TypeKind::kAscii}) overloads.push_back(OnText(left, right));
    }
  }
  for (const TypeKind kind : NumericKinds()) families["_negate"].overloads.push_back(Negation(kind));
}

}  // namespace widerow::functions
