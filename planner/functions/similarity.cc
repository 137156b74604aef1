// similarity_cosine, similarity_euclidean and similarity_dot_product of two float vectors. Results are between 0 and 1,
// and 1 for equal vectors. The exception is the dot product of vectors whose norm is not 1.
#include "types/similarity.h"

#include "planner/functions/registry.h"
#include "types/value_bytes.h"

namespace widerow::functions {
namespace {

bool IsZero(const std::vector<float>& vector) {
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

Factory Make(const std::string& name, Similarity similarity) {
  return [name, similarity](std::span<const FunctionArgument> arguments) -> Result<Function> {
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
    const auto body = [name, similarity](const FunctionContext&, std::span<const ValueView> values) -> Result<Value> {
      const std::vector<float> a = ToFloats(*values[0]);
      std::vector<float> b = ToFloats(*values[1]);
      if (similarity == Similarity::kCosine && (IsZero(a) || IsZero(b)))
        return InvalidError("Function system." + name + " doesn't support all-zero vectors.");
      return Value(EncodeFloat(SimilarityTo(similarity, std::move(b)).Of(a)));
    };
    return Function{.name = name, .parameters = {left, right}, .returns = ScalarType(TypeKind::kFloat), .body = body};
  };
}

}  // namespace

void AddSimilarity(FamilyMap& families) {
  families["similarity_cosine"].make = Make("similarity_cosine", Similarity::kCosine);
  families["similarity_euclidean"].make = Make("similarity_euclidean", Similarity::kEuclidean);
  families["similarity_dot_product"].make = Make("similarity_dot_product", Similarity::kDotProduct);
}

}  // namespace widerow::functions
