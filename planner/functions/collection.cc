// Functions of one collection: map_keys, map_values, and the number, minimum, maximum, sum and average of its elements.
#include "planner/functions/registry.h"
#include "planner/functions/resolve_function.h"
#include "types/value_bytes.h"

namespace widerow::functions {
namespace {

bool IsNumeric(const Type& type) {
  for (const TypeKind kind : NumericKinds()) {
    if (type.kind == kind) return true;
  }
  return false;
}

// The kind of collection that a function takes, as Cassandra's messages name it.
struct Taken {
  const char* name;         // The name in the list of parameters: "map".
  const char* description;  // "a map argument".
  bool (*takes)(const Type&);
};
constexpr Taken kMaps = {"map", "a map argument", [](const Type& type) { return type.kind == TypeKind::kMap; }};
constexpr Taken kCollections = {"collection", "a collection argument",
                                [](const Type& type) { return type.is_collection(); }};
constexpr Taken kElements = {"numeric_set_or_list", "a set or list argument", [](const Type& type) {
                               return type.kind == TypeKind::kSet || type.kind == TypeKind::kList;
                             }};
constexpr Taken kNumbers = {"numeric_set_or_list", "a numeric set/list argument", [](const Type& type) {
                              return (type.kind == TypeKind::kSet || type.kind == TypeKind::kList) &&
                                     IsNumeric(*type.arguments[0]);
                            }};

using MakeBody = std::function<Result<Function>(const TypePtr& collection)>;

Factory Make(const std::string& name, const Taken& taken, const MakeBody& make) {
  return [name, &taken, make](std::span<const FunctionArgument> arguments) -> Result<Function> {
    const std::string signature = name + "(" + taken.name + ")";
    if (arguments.size() != 1) return InvalidError("Invalid number of arguments for function system." + signature);
    if (arguments[0].type == nullptr) return CannotInfer(arguments[0], signature);
    if (!taken.takes(*arguments[0].type)) {
      return InvalidError("Function system." + name + " requires " + taken.description + ", but found argument " +
                          arguments[0].text + " of type " + TypeText(*arguments[0].type));
    }
    WR_ASSIGN_OR_RETURN(Function function, make(arguments[0].type));
    function.name = name;
    function.parameters = {arguments[0].type};
    return function;
  };
}

// Makes the body of map_keys or map_values, which returns the keys or the values of a map.
MakeBody HalfOfMap(bool keys) {
  return [keys](const TypePtr& map) -> Result<Function> {
    const TypePtr result = keys ? SetType(map->arguments[0], true) : ListType(map->arguments[1], true);
    const auto body = [map, result, keys](const FunctionContext&, std::span<const ValueView> values) -> Result<Value> {
      WR_ASSIGN_OR_RETURN(const std::vector<ValueView> parts, SplitCollection(*map, *values[0]));
      std::vector<ValueView> half;
      for (size_t i = keys ? 0 : 1; i < parts.size(); i += 2) half.push_back(parts[i]);
      return Value(JoinCollection(*result, half));
    };
    return Function{.returns = result, .body = body};
  };
}

Result<Function> MakeCollectionCount(const TypePtr& collection) {
  const auto body = [collection](const FunctionContext&, std::span<const ValueView> values) -> Result<Value> {
    WR_ASSIGN_OR_RETURN(const std::vector<ValueView> parts, SplitCollection(*collection, *values[0]));
    const size_t count = collection->kind == TypeKind::kMap ? parts.size() / 2 : parts.size();
    return Value(EncodeInteger(TypeKind::kInt, static_cast<int64_t>(count)));
  };
  return Function{.returns = ScalarType(TypeKind::kInt), .body = body};
}

// Makes the body of a function such as collection_max: it applies the aggregate of this name to the elements.
MakeBody OverElements(const std::string& aggregate) {
  return [aggregate](const TypePtr& collection) -> Result<Function> {
    const TypePtr element = collection->arguments[0];
    WR_ASSIGN_OR_RETURN(const FunctionPtr function, ResolveFunction(aggregate, {&element, 1}, nullptr));
    const auto body = [collection, function](const FunctionContext&,
                                             std::span<const ValueView> values) -> Result<Value> {
      WR_ASSIGN_OR_RETURN(const std::vector<ValueView> parts, SplitCollection(*collection, *values[0]));
      const std::unique_ptr<AggregateState> state = function->make_aggregate();
      for (const ValueView& part : parts) WR_RETURN_IF_ERROR(state->Add({&part, 1}));
      return state->Finish();
    };
    return Function{.returns = element, .body = body};
  };
}

}  // namespace

void AddCollections(FamilyMap& families) {
  const auto add = [&](const std::string& name, const Taken& taken, const MakeBody& make) {
    families[name].make = Make(name, taken, make);
  };
  add("map_keys", kMaps, HalfOfMap(true));
  add("map_values", kMaps, HalfOfMap(false));
  add("collection_count", kCollections, MakeCollectionCount);
  add("collection_min", kElements, OverElements("min"));
  add("collection_max", kElements, OverElements("max"));
  add("collection_sum", kNumbers, OverElements("sum"));
  add("collection_avg", kNumbers, OverElements("avg"));
}

}  // namespace widerow::functions
