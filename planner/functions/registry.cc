#include "planner/functions/registry.h"

#include "types/decimal.h"
#include "types/text_form.h"
#include "types/value_bytes.h"

namespace widerow::functions {

Error CannotInfer(const FunctionArgument& argument, std::string_view signature) {
  return InvalidError("Cannot infer type of argument " + argument.text + " in call to function system." +
                          std::string(signature) + ": use type casts to disambiguate",
                      "write the type before it: (text) " + argument.text);
}

Error WrongArgumentCount(std::string_view name, size_t required, size_t provided) {
  return InvalidError("Invalid number of arguments in call to function system." + std::string(name) + ": " +
                      std::to_string(required) + " required but " + std::to_string(provided) + " provided");
}

Error FunctionFailure(const std::string& message, std::string_view name, std::string_view argument_types) {
  return {.code = ErrorCode::kFunctionFailure,
          .message = message,
          .keyspace = "system",
          .table = std::string(name) + "(" + std::string(argument_types) + ")"};
}

bool IsFloating(TypeKind kind) { return kind == TypeKind::kFloat || kind == TypeKind::kDouble; }

bool IsInteger(TypeKind kind) {
  return kind == TypeKind::kTinyint || kind == TypeKind::kSmallint || kind == TypeKind::kInt ||
         kind == TypeKind::kBigint || kind == TypeKind::kCounter;
}

std::optional<int64_t> IntegerArgument(ValueView value) {
  if (!value || value->empty()) return std::nullopt;
  return DecodeInteger(*value);
}

std::span<const TypeKind> NumericKinds() {
  static constexpr TypeKind kKinds[] = {TypeKind::kTinyint, TypeKind::kSmallint, TypeKind::kInt,
                                        TypeKind::kBigint,  TypeKind::kCounter,  TypeKind::kFloat,
                                        TypeKind::kDouble,  TypeKind::kDecimal,  TypeKind::kVarint};
  return kKinds;
}

std::string KeyText(const Type& type, ByteView bytes) {
  if (type.kind == TypeKind::kText || type.kind == TypeKind::kAscii || type.kind == TypeKind::kBlob) {
    return std::string(bytes);
  }
  if (bytes.empty()) return {};
  if (IsInteger(type.kind)) return std::to_string(DecodeInteger(bytes));
  return FormatText(type, bytes);
}

}  // namespace widerow::functions
