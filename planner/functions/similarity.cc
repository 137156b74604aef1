// similarity_cosine, similarity_euclidean and similarity_dot_product of two float vectors. Results are between 0 and 1,
// with 1 for equal vectors, except for the dot product of vectors whose length is not 1.
#include <cmath>

#include "planner/functions/registry.h"
#include "types/value_bytes.h"

namespace widerow::functions {
namespace {

using Vector = std::vector<float>;
using Measure = float (*)(const Vector& a, const Vector& b);

Vector ToFloats(ByteView bytes) {
  Vector floats(bytes.size() / 4);
  for (size_t i = 0; i < floats.size(); ++i) floats[i] = DecodeFloat(bytes.substr(4 * i, 4));
  return floats;
}

float Dot(const Vector& a, const Vector& b) {
  float sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

float Cosine(const Vector& a, const Vector& b) {
  const double cosine = Dot(a, b) / std::sqrt(double{Dot(a, a)} * double{Dot(b, b)});
  return (1 + static_cast<float>(cosine)) / 2;
}
float Euclidean(const Vector& a, const Vector& b) {
  float sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return 1 / (1 + sum);
}
float DotProduct(const Vector& a, const Vector& b) { return (1 + Dot(a, b)) / 2; }

bool IsZero(const Vector& vector) {
  for (const float element : vector) {
    if (element != 0) return false;
  }
  return true;
}

// Returns the vector type of an argument. A list of numbers counts as a vector.
Result<TypePtr> VectorOf(const FunctionArgument& argument, const std::string& name) {
  const auto misfit = [&](const TypePtr& type) {
    return InvalidError("Function system." + name + " requires a float vector argument, but found argument " +
                        argument.text + " of type " + TypeText(*type));
  };
  if (argument.type == nullptr) return TypePtr();
  const Type& type = *argument.type;
  if (argument.list_size) {
    const TypeKind element = type.arguments[0]->kind;
    if (!IsInteger(element) && element != TypeKind::kDouble && element != TypeKind::kFloat)
      return misfit(argument.type);
    return VectorType(ScalarType(TypeKind::kFloat), static_cast<uint32_t>(*argument.list_size));
  }
  if (type.kind != TypeKind::kVector || type.arguments[0]->kind != TypeKind::kFloat) return misfit(argument.type);
  return argument.type;
}

Factory Make(const std::string& name, Measure measure, bool of_zero) {
  return [name, measure, of_zero](std::span<const FunctionArgument> arguments) -> Result<Function> {
    if (arguments.size() != 2) {
      return InvalidError("Invalid number of arguments for function system." + name +
                          "(vector<float, n>, vector<float, n>)");
    }
    WR_ASSIGN_OR_RETURN(TypePtr left, VectorOf(arguments[0], name));
    WR_ASSIGN_OR_RETURN(TypePtr right, VectorOf(arguments[1], name));
    if (left == nullptr && right == nullptr)
      return CannotInfer(arguments[0], name + "(vector<float, n>, vector<float, n>)");
    if (left == nullptr) left = right;
    if (right == nullptr) right = left;
    if (left->dimension != right->dimension) return InvalidError("All arguments must have the same vector dimensions");
    const auto body = [name, measure, of_zero](const FunctionContext&,
                                               std::span<const ValueView> values) -> Result<Value> {
      const Vector a = ToFloats(*values[0]), b = ToFloats(*values[1]);
      if (!of_zero && (IsZero(a) || IsZero(b)))
        return InvalidError("Function system." + name + " doesn't support all-zero vectors.");
      return Value(EncodeFloat(measure(a, b)));
    };
    return Function{.name = name, .parameters = {left, right}, .returns = ScalarType(TypeKind::kFloat), .body = body};
  };
}

}  // namespace

void AddSimilarity(FamilyMap& families) {
  families["similarity_cosine"].make = Make("similarity_cosine", Cosine, false);
  families["similarity_euclidean"].make = Make("similarity_euclidean", Euclidean, true);
  families["similarity_dot_product"].make = Make("similarity_dot_product", DotProduct, true);
}

}  // namespace widerow::functions
