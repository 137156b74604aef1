// random(n): a random number from 0 to n - 1. As the last column of a key, it separates rows with the same key and
// time.
#include <random>

#include "planner/functions/registry.h"
#include "types/value_bytes.h"

namespace widerow::functions {

void AddRandom(FamilyMap& families) {
  families["random"].overloads.push_back(
      {.name = "random",
       .parameters = {ScalarType(TypeKind::kInt)},
       .returns = ScalarType(TypeKind::kInt),
       .pure = false,
       .body = [](const FunctionContext&, std::span<const ValueView> values) -> Result<Value> {
         const int64_t n = IntegerArgument(values[0]).value_or(0);
         if (n < 1)
           return InvalidError("random needs at least 1 number to choose from (got " + std::to_string(n) + ")");
         thread_local std::mt19937_64 generator{std::random_device{}()};
         std::uniform_int_distribution<int64_t> choose(0, n - 1);
         return Value(EncodeInteger(TypeKind::kInt, choose(generator)));
       }});
}

}  // namespace widerow::functions
