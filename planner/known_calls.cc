#include "planner/known_calls.h"

#include <algorithm>

#include "planner/function.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

bool IsText(const Type& type) { return type.kind == TypeKind::kText || type.kind == TypeKind::kAscii; }

}  // namespace

const CallExpression* CallOf(const Expression& expression, std::string_view name) {
  const auto* call = std::get_if<CallExpression>(&expression.node);
  return call != nullptr && call->function->name == name ? call : nullptr;
}

std::optional<int64_t> ConstantInteger(const CallExpression& call, size_t argument) {
  if (argument >= call.arguments.size()) return std::nullopt;
  const auto* constant = std::get_if<ConstantExpression>(&call.arguments[argument].node);
  if (constant == nullptr || !constant->value || constant->value->empty() || constant->value->size() > 8)
    return std::nullopt;
  return DecodeInteger(*constant->value);
}

std::optional<std::string> ConstantText(const CallExpression& call, size_t argument) {
  const auto* constant = std::get_if<ConstantExpression>(&call.arguments[argument].node);
  return constant == nullptr ? std::nullopt : constant->value;
}

std::optional<int64_t> FiniteCount(const Expression& expression) {
  std::optional<int64_t> count;
  if (const auto* bucket = CallOf(expression, "bucket")) count = ConstantInteger(*bucket, 1);
  if (const auto* random = CallOf(expression, "random")) count = ConstantInteger(*random, 0);
  return count && *count >= 1 ? count : std::nullopt;
}

std::optional<int64_t> FixedWidth(const Expression& expression) {
  if (const auto* constant = std::get_if<ConstantExpression>(&expression.node)) {
    if (constant->value && IsText(*expression.type)) return static_cast<int64_t>(constant->value->size());
    return std::nullopt;
  }
  if (expression.type->kind == TypeKind::kUuid || expression.type->kind == TypeKind::kTimeuuid) return 36;
  if (CallOf(expression, "md5") != nullptr) return 32;
  if (const auto* padded = CallOf(expression, "zero_pad")) return ConstantInteger(*padded, 1);
  if (const auto* hash = CallOf(expression, "hash_prefix")) return ConstantInteger(*hash, 1);
  if (const auto* reversed = CallOf(expression, "reverse")) {
    return IsText(*reversed->arguments[0].type) ? FixedWidth(reversed->arguments[0]) : std::nullopt;
  }
  if (IsPrefix(expression)) {
    const CallExpression& call = std::get<CallExpression>(expression.node);
    const std::optional<int64_t> whole = FixedWidth(call.arguments[0]);
    if (whole) return std::min(*whole, *ConstantInteger(call, 2));
    return std::nullopt;
  }
  if (const auto count = FiniteCount(expression); count && *count <= 10) return 1;
  return std::nullopt;
}

bool IsPrefix(const Expression& expression) {
  const CallExpression* call = CallOf(expression, "substr");
  if (call == nullptr) call = CallOf(expression, "substring");
  if (call == nullptr || call->arguments.size() != 3) return false;
  const std::optional<int64_t> from = ConstantInteger(*call, 1), length = ConstantInteger(*call, 2);
  return (from == 0 || from == 1) && length && *length >= 0;
}

}  // namespace widerow
