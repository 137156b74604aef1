// Most functions of this file visit an expression recursively. They know a few CQL functions by name: splice, zero_pad,
// window and other time conversions, substr, bucket, random, md5, reverse. For a call of any other function, they
// assume that it keeps no order, and that no column's value follows from its result.
#include "planner/generated/expression_order.h"

#include <algorithm>

#include "planner/function.h"
#include "planner/walk.h"

namespace widerow {
namespace {

bool IsOneOf(const std::string& name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool IsConstant(const Expression& expression) { return std::holds_alternative<ConstantExpression>(expression.node); }

bool IsText(const Type& type) { return type.kind == TypeKind::kText || type.kind == TypeKind::kAscii; }

// True for window() and for functions that convert a time to another time or to a number. They may round a value, but
// they keep the order.
bool IsTimeConversion(const std::string& name) {
  return IsOneOf(name, {"window", "to_date", "todate", "to_timestamp", "totimestamp", "dateof", "to_unix_timestamp",
                        "tounixtimestamp", "unixtimestampof"});
}

// Returns the order that a splice keeps. It consists of the orders of its parts, up to the first part for which
// different values can give the same text. Integers and uuids have no order here, because they do not sort as their
// texts do.
ExpressionOrder OrderOfSplice(const CallExpression& call) {
  ExpressionOrder order{.columns = {}, .strict = true};
  for (size_t i = 1; i < call.arguments.size(); ++i) {
    const Expression& part = call.arguments[i];
    if (IsConstant(part)) continue;
    const ExpressionOrder of_part = IsText(*part.type) ? OrderOf(part) : ExpressionOrder{};
    order.columns.insert(order.columns.end(), of_part.columns.begin(), of_part.columns.end());
    if (of_part.strict) continue;
    order.strict = false;
    break;
  }
  return order;
}

ExpressionOrder OrderOfCall(const Expression& expression, const CallExpression& call) {
  const std::string& name = call.function->name;
  if (name == "splice") return OrderOfSplice(call);
  if (name == "zero_pad" && ConstantInteger(call, 1)) return OrderOf(call.arguments[0]);
  if (IsTimeConversion(name) || IsPrefix(expression)) {
    ExpressionOrder order = OrderOf(call.arguments[0]);
    order.strict = false;
    return order;
  }
  return {};
}

}  // namespace

ExpressionOrder OrderOf(const Expression& expression) {
  if (const auto* column = std::get_if<ColumnExpression>(&expression.node)) {
    return {.columns = {column->column}, .strict = true};
  }
  const auto* call = std::get_if<CallExpression>(&expression.node);
  return call == nullptr ? ExpressionOrder{} : OrderOfCall(expression, *call);
}

std::set<uint32_t> DeterminedBy(const Expression& expression) {
  if (const auto* column = std::get_if<ColumnExpression>(&expression.node)) return {column->column};
  const auto* call = std::get_if<CallExpression>(&expression.node);
  if (call == nullptr) return {};
  const std::string& name = call->function->name;
  if (IsOneOf(name, {"md5", "reverse", "zero_pad"})) return DeterminedBy(call->arguments[0]);
  std::set<uint32_t> columns;
  if (name != "splice") return columns;
  for (size_t i = 1; i < call->arguments.size(); ++i) columns.merge(DeterminedBy(call->arguments[i]));
  return columns;
}

bool IsFinite(const Expression& expression) {
  if (FiniteCount(expression)) return true;
  if (IsConstant(expression)) return true;
  const auto* call = std::get_if<CallExpression>(&expression.node);
  return call != nullptr && !call->arguments.empty() &&
         std::all_of(call->arguments.begin(), call->arguments.end(), [](const Expression& e) { return IsFinite(e); });
}

std::optional<int64_t> BytesMax(const Expression& expression) {
  if (CallOf(expression, "reverse") != nullptr) return BytesMax(std::get<CallExpression>(expression.node).arguments[0]);
  if (CallOf(expression, "substr") != nullptr || CallOf(expression, "substring") != nullptr) {
    const CallExpression& call = std::get<CallExpression>(expression.node);
    const std::optional<int64_t> whole = BytesMax(call.arguments[0]), length = ConstantInteger(call, 2);
    return whole && length ? std::min(*whole, *length) : length ? length : whole;
  }
  if (expression.type->bytes_max) return *expression.type->bytes_max;
  return std::nullopt;
}

bool IsWindow(const Expression& expression) {
  return CallOf(expression, "window") != nullptr || CallOf(expression, "to_date") != nullptr ||
         CallOf(expression, "todate") != nullptr;
}

}  // namespace widerow
