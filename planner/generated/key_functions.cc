// Each public function of this file makes a Function and returns a call of it. WindowsBetween and PrefixBetween use
// ListBetween(). The Function that ListBetween() makes takes two bounds, each with a flag that says if it is inclusive.
// It turns exclusive bounds into inclusive ones (Inside) and returns a list.
#include "planner/generated/key_functions.h"

#include "base/limits.h"
#include "planner/function.h"
#include "planner/functions/registry.h"
#include "planner/functions/window.h"
#include "types/compare.h"
#include "types/text_form.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

Expression Call(Function function, std::vector<Expression> arguments) {
  TypePtr type = function.returns;
  const SourceRange range = arguments.back().range;
  return {CallExpression{std::make_shared<const Function>(std::move(function)), std::move(arguments)}, std::move(type),
          range};
}

Expression Boolean(bool value) {
  return {ConstantExpression{Bytes(1, value ? '\1' : '\0')}, ScalarType(TypeKind::kBoolean), {}};
}

bool IsTrue(ValueView value) { return value && *value == ByteView("\1", 1); }

// Returns the nearest value inside an exclusive bound: the bound plus `step`. For types without a next value, such as
// text, returns the bound.
Bytes Inside(const Type& type, ByteView bound, int64_t step) {
  const bool counted = functions::IsInteger(type.kind) || type.kind == TypeKind::kTimestamp;
  if (!counted || bound.empty()) return Bytes(bound);
  const int64_t value = DecodeInteger(bound);
  const bool at_end = step < 0 ? value == INT64_MIN : value == INT64_MAX;
  const Bytes moved = EncodeInteger(type.kind, at_end ? value : value + step);
  return DecodeInteger(moved) == value + step ? moved : Bytes(bound);
}

Error TooMany(const std::string& column) {
  return InvalidError("The range covers more than " + std::to_string(limits::kFanOutMax) + " values of " + column,
                      "each is a partition, and a statement reads " + std::to_string(limits::kFanOutMax) +
                          " at most: narrow the range, or read it in several statements");
}

// Returns the next value that `core`, a call of window() or to_date(), can have after `value`; null if there is none.
Result<Value> NextValue(const CallExpression& core, ByteView value) {
  if (core.function->name != "window") {  // to_date
    const auto day = static_cast<uint32_t>(DecodeInteger(value));
    return day == UINT32_MAX ? Value() : Value(EncodeInteger(TypeKind::kDate, static_cast<int64_t>(day) + 1));
  }
  const auto& width = std::get<ConstantExpression>(core.arguments[1].node).value;
  WR_ASSIGN_OR_RETURN(const auto window,
                      functions::Window::Make(*core.arguments[0].type, *core.arguments[1].type, *width));
  return window.Next(value);
}

// The ends of a range, both inclusive.
struct Ends {
  Bytes lower, upper;  // Values of the source's type.
  bool empty = false;
};
// Returns the range that `values` describe: two bounds, and for each a flag that says if it is inclusive.
Ends EndsOf(const Type& source, std::span<const ValueView> values) {
  Ends ends{.lower = IsTrue(values[2]) ? Bytes(*values[0]) : Inside(source, *values[0], 1),
            .upper = IsTrue(values[3]) ? Bytes(*values[1]) : Inside(source, *values[1], -1)};
  ends.empty = Compare(source, ends.lower, ends.upper) > 0;
  return ends;
}

Result<Value> Apply(const CallExpression& core, ByteView first) {
  std::vector<ValueView> arguments{ValueView(first)};
  for (size_t i = 1; i < core.arguments.size(); ++i) {
    const auto& constant = std::get<ConstantExpression>(core.arguments[i].node);
    arguments.push_back(constant.value ? ValueView(*constant.value) : ValueView());
  }
  return core.function->body({}, arguments);
}

using List = std::function<Result<std::vector<Bytes>>(const Ends& ends)>;

Expression ListBetween(std::string name, const Expression& core, BoundExpression lower, BoundExpression upper,
                       const List& list) {
  const CallExpression& call = std::get<CallExpression>(core.node);
  // Functions of the same name must do the same, so the name contains everything in which they can differ.
  name += "_" + call.function->name;
  for (size_t i = 1; i < call.arguments.size(); ++i) {
    name += "_" + FormatLiteral(*call.arguments[i].type, *std::get<ConstantExpression>(call.arguments[i].node).value);
  }
  const TypePtr source = call.arguments[0].type;
  const TypePtr returns = ListType(core.type);
  const TypePtr boolean = ScalarType(TypeKind::kBoolean);
  const auto body = [source, returns, list](const FunctionContext&,
                                            std::span<const ValueView> values) -> Result<Value> {
    const Ends ends = EndsOf(*source, values);
    std::vector<Bytes> found;
    if (!ends.empty) { WR_ASSIGN_OR_RETURN(found, list(ends)); }
    std::vector<ValueView> views;
    for (const Bytes& value : found) views.emplace_back(value);
    return Value(JoinCollection(*returns, views));
  };
  const SourceRange range = lower.value.range;
  std::vector<Expression> arguments{std::move(lower.value), std::move(upper.value), Boolean(lower.inclusive),
                                    Boolean(upper.inclusive)};
  Expression made =
      Call({.name = name, .parameters = {source, source, boolean, boolean}, .returns = returns, .body = body},
           std::move(arguments));
  made.range = range;
  return made;
}

}  // namespace

Expression CheckedValue(const ColumnSchema& column, Expression derived, Expression given) {
  const TypePtr type = column.type;
  const auto body = [type, name = column.name](const FunctionContext&,
                                               std::span<const ValueView> values) -> Result<Value> {
    const ValueView derived = values[0], given = values[1];
    if (!given || (derived && *given == *derived)) return derived ? Value(Bytes(*derived)) : Value();
    const std::string should = derived ? FormatLiteral(*type, *derived) : "null";
    return InvalidError(
        "Generated column " + name + " is " + should + " for this row, not " + FormatLiteral(*type, *given),
        derived ? "leave it out: it is derived"
                : "leave it out, and give values to the columns that it is derived from");
  };
  return Call({.name = "checked_" + column.name,
               .parameters = {type, type},
               .returns = type,
               .null_in_null_out = false,
               .takes_unset = true,
               .body = body},
              {std::move(derived), std::move(given)});
}

Expression CheckedRandom(const ColumnSchema& column, int64_t count, Expression given) {
  const auto body = [count, name = column.name](const FunctionContext&,
                                                std::span<const ValueView> values) -> Result<Value> {
    const int64_t value = DecodeInteger(*values[0]);
    if (value >= 0 && value < count) return Value(Bytes(*values[0]));
    return InvalidError("Generated column " + name + " is a random number from 0 to " + std::to_string(count - 1) +
                            ", not " + std::to_string(value),
                        "leave it out: it is drawn");
  };
  return Call({.name = "checked_" + column.name + "_" + std::to_string(count),
               .parameters = {column.type},
               .returns = column.type,
               .body = body},
              {std::move(given)});
}

Expression WindowsBetween(const ColumnSchema& column, const Expression& core, BoundExpression lower,
                          BoundExpression upper) {
  const CallExpression& call = std::get<CallExpression>(core.node);
  const auto list = [call, column = column.name](const Ends& ends) -> Result<std::vector<Bytes>> {
    WR_ASSIGN_OR_RETURN(Value value, Apply(call, ends.lower));
    WR_ASSIGN_OR_RETURN(const Value last, Apply(call, ends.upper));
    const Type& type = *call.function->returns;
    std::vector<Bytes> values;
    while (value && last && Compare(type, *value, *last) <= 0) {
      if (values.size() == limits::kFanOutMax) return TooMany(column);
      values.push_back(*value);
      WR_ASSIGN_OR_RETURN(value, NextValue(call, values.back()));
    }
    return values;
  };
  return ListBetween("windows_of_" + column.name, core, std::move(lower), std::move(upper), list);
}

Expression PrefixBetween(const ColumnSchema& column, const Expression& core, BoundExpression lower,
                         BoundExpression upper) {
  const CallExpression& call = std::get<CallExpression>(core.node);
  const auto list = [call, column = column.name](const Ends& ends) -> Result<std::vector<Bytes>> {
    WR_ASSIGN_OR_RETURN(const Value first, Apply(call, ends.lower));
    WR_ASSIGN_OR_RETURN(const Value last, Apply(call, ends.upper));
    if (first && last && *first == *last) return std::vector<Bytes>{*first};
    return InvalidError("The range covers more than one value of " + column + ", and they cannot be listed",
                        "a range whose ends begin alike is one partition; otherwise give the values with = or IN");
  };
  return ListBetween("prefixes_of_" + column.name, core, std::move(lower), std::move(upper), list);
}

Expression SpliceBound(const CallExpression& splice, std::vector<Expression> parts, bool upper) {
  std::vector<TypePtr> types{ScalarType(TypeKind::kText)};
  for (const Expression& part : parts) types.push_back(part.type);
  parts.insert(parts.begin(), splice.arguments[0]);
  const auto body = [types, upper](const FunctionContext&, std::span<const ValueView> values) -> Result<Value> {
    Bytes out;
    for (size_t i = 1; i < values.size(); ++i) {
      if (i > 1) out += *values[0];
      out += functions::KeyText(*types[i], *values[i]);
    }
    if (upper) out.push_back('\xFF');  // This byte is above every byte of UTF-8.
    return Value(std::move(out));
  };
  return Call({.name = upper ? "splice_to" : "splice_from",
               .parameters = types,
               .returns = ScalarType(TypeKind::kText),
               .body = body},
              std::move(parts));
}

Expression PaddedBound(const CallExpression& zero_pad, Expression number) {
  const TypePtr type = zero_pad.arguments[0].type;
  const auto body = [type](const FunctionContext&, std::span<const ValueView> values) -> Result<Value> {
    std::string digits = functions::KeyText(*type, *values[0]);
    const auto width = static_cast<size_t>(DecodeInteger(*values[1]));
    if (digits[0] == '-') digits = "0";
    if (digits.size() > width) digits.assign(width, '9');
    digits.insert(0, width - digits.size(), '0');
    return Value(std::move(digits));
  };
  return Call({.name = "zero_pad_bound",
               .parameters = {type, ScalarType(TypeKind::kInt)},
               .returns = ScalarType(TypeKind::kText),
               .body = body},
              {std::move(number), zero_pad.arguments[1]});
}

}  // namespace widerow
