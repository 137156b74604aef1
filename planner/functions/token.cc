// token(k, …) of constants and bind values. token(k) of the columns of a row is a RowTokenExpression
// (planner/expression.h).
#include "types/token.h"

#include "planner/functions/registry.h"
#include "types/value_bytes.h"

namespace widerow::functions {

namespace {

constexpr size_t kComponentBytesMax = 65'535;

Result<Value> Token(std::span<const ValueView> values) {
  std::vector<ByteView> components;
  for (const ValueView& value : values) {
    if (values.size() > 1 && value->size() > kComponentBytesMax) {  // The length must fit into two bytes.
      return InvalidError("Key length of " + std::to_string(value->size()) + " is longer than maximum of 65535");
    }
    components.push_back(*value);
  }
  return Value(EncodeInteger(TypeKind::kBigint, Murmur3Token(SerializePartitionKey(components))));
}

Result<Function> MakeToken(std::span<const FunctionArgument> arguments) {
  if (arguments.empty()) return WrongArgumentCount("token", 1, 0);
  std::vector<TypePtr> types;
  for (const FunctionArgument& argument : arguments) {
    if (argument.type == nullptr) return CannotInfer(argument, "token");
    types.push_back(argument.type);
  }
  return Function{.name = "token",
                  .parameters = std::move(types),
                  .returns = ScalarType(TypeKind::kBigint),
                  .takes_empty = true,
                  .body = [](const FunctionContext&, std::span<const ValueView> values) { return Token(values); }};
}

}  // namespace

void AddToken(FamilyMap& families) { families["token"].make = MakeToken; }

}  // namespace widerow::functions
